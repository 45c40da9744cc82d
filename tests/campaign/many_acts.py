"""Run as a program on a database of its own: random acts through the campaign's door, then what does not add up, as JSON.

python -m tests.campaign.many_acts CAMPAIGNS ACTS SEED
"""

# ruff: noqa: E402  (Django is set up before its models are imported)

from __future__ import annotations

import datetime as dt
import json
import os
import sys
from collections import Counter

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django

django.setup()

from django.utils import timezone

from campaign import chronicle, door, reading
from campaign.annals import corrections
from campaign.annals.lines import effective, fold
from campaign.annals.tales import Names
from campaign.annals.waterfall import steps
from campaign.models import Campaign, Member
from chance import Dice
from people.models import Person
from people.who import Who
from refusal import Refusal
from tests.campaign import chances
from tests.campaign.wars import NAMES, joining

TODAY = timezone.localdate()
DAYS = 40
WRITTEN = ("acts", "late", "strike", "amend", "restore")


class Table:
    def __init__(self, name: str, people: list[Person], seed: str) -> None:
        self.people, self.dice = people, Dice(seed)
        self.who = Who.of(people[0])
        self.keys = 0
        self.day = 0
        self.seen: Counter[str] = Counter()
        self.problems: list[str] = []
        self.at(0)
        self.campaign = chronicle.found(self.who, key=f"founding-{seed.replace('/', '-')}", name=name)
        for number in range(3):
            self.do("kingdom_joins", joining(NAMES[number], ruler=people[number].pk))

    def at(self, day: int) -> dt.date:
        """The clock on the wall goes with the campaign, so that its days lie in order."""
        now = TODAY - dt.timedelta(days=DAYS - day)
        timezone.localdate = lambda *_: now
        return now

    def key(self) -> str:
        self.keys += 1
        return f"key-number-{self.keys}"

    def fresh(self) -> Campaign:
        return Campaign.objects.select_related("log").get(pk=self.campaign.pk)

    def do(self, act: str, body: dict, **more) -> dict:
        return door.do(self.campaign, self.who, key=self.key(), act=act, body=body, **more)

    def act(self) -> None:
        state = reading.state_of(self.fresh())
        act, body = chances.any_act(state, self.dice.below, [person.pk for person in self.people])
        # Most are thought through beforehand, as a table would; some are tried whatever the rules say.
        while self.dice.below(8) and not chances.is_legal(state, act, body):
            act, body = chances.any_act(state, self.dice.below, [person.pk for person in self.people])
        late = self.day > 0 and not self.dice.below(7)
        day = self.dice.below(self.day) if late else self.day
        on = TODAY - dt.timedelta(days=DAYS - day)
        self.do(act, body, played_on=on, accept_late=True)
        self.seen["late" if late else "acts"] += 1

    def correct(self) -> None:
        fresh = self.fresh()
        lines = reading.lines_of(fresh)
        kind, target, body = "strike", 2 + self.dice.below(len(lines) - 1), None
        if found := (chances.amended(lines, self.dice.below) if self.dice.below(2) else None):
            kind, (target, body) = "amend", found
        seen = door.preview(lines, kind, target, body)
        choices = chances.any_choices(seen, self.dice.below)
        digest = door.preview(lines, kind, target, body, choices).digest
        before = reading.state_of(fresh)
        about = {"why": "we looked again"}
        done = door.correct(
            self.campaign, self.who, key=self.key(), kind=kind, target=target, digest=digest, body=body, choices=choices, **about
        )  # fmt: skip
        self.seen[kind] += 1
        if self.dice.below(2):
            digest = door.preview(reading.lines_of(self.fresh()), "restore", done["entry"]).digest
            door.correct(
                self.campaign, self.who, key=self.key(), kind="restore", target=done["entry"], digest=digest, **about
            )
            self.seen["restore"] += 1
            if reading.state_of(self.fresh()) != before:
                self.problems.append(f"restoring entry {done['entry']} is not exact")

    def play(self, acts: int) -> None:
        """Goes on until this many were written: what the chronicle refuses is not counted."""
        while sum(self.seen[what] for what in WRITTEN) < acts:
            if not self.dice.below(8) and self.day < DAYS:
                self.day += 1
                self.at(self.day)
            try:
                if self.dice.below(10):
                    self.act()
                else:
                    self.correct()
            except Refusal:
                self.seen["refused"] += 1
            if not self.dice.below(25):
                self.look_back()
        self.add_up()

    def look_back(self) -> None:
        """A past map, which lays checkpoints that later corrections have to drop."""
        fresh = self.fresh()
        number = 1 + self.dice.below(fresh.log.length)
        lines = reading.lines_of(fresh)
        place = next(line.place for line in lines if line.number == number)
        if reading.state_at(fresh, number) != corrections.state_before(lines, (place[0], place[1] + 1)):
            self.problems.append(f"the map after entry {number} is not what the log folds to")
        self.seen["looked_back"] += 1

    def add_up(self) -> None:
        fresh = self.fresh()
        self.problems += reading.problems(fresh)
        lines = reading.lines_of(fresh)
        order, state = effective(lines), reading.state_of(fresh)
        if fold(order) != state:
            self.problems.append("the state is not the fold")
        for realm in state.in_play():
            for what in ("loyalty", "vp"):
                if sum(step.by for step in steps(order, realm.id, what, Names(state))) != getattr(realm, what):
                    self.problems.append(f"{what} of {realm.name} is not the sum of its reasons")
        roles = dict(Member.objects.filter(campaign=fresh).values_list("person", "role"))
        if {person for person, role in roles.items() if role == "master"} != set(state.masters):
            self.problems.append("the members' list names other masters than the chronicle")


def main(campaigns: int, acts: int, seed: str) -> None:
    reading.STRIDE = 40  # so that short logs have checkpoints too
    people = [Person.objects.create(name=name) for name in ("Wren", "Tam", "Oda")]
    seen: Counter[str] = Counter()
    problems: list[str] = []
    for number in range(campaigns):
        table = Table(f"War {number} of {seed}", people, f"{seed}/{number}")
        table.play(acts)
        seen += table.seen
        problems += [f"{seed}/{number}: {problem}" for problem in table.problems]
    print(json.dumps({"seen": seen, "problems": problems}))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
