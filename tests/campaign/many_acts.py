"""Random acts on campaigns, run as a program on its own database. Prints every inconsistency as JSON.

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

from campaign import selectors as campaign_selectors, services as campaign_services
from campaign.chronicle import corrections
from campaign.chronicle.codec import read_sent
from campaign.chronicle.entries_and_fold import effective_entries, fold
from campaign.chronicle.scores import list_score_steps
from campaign.chronicle.sentences import Names
from campaign.founding import services as founding_services
from campaign.models import Campaign, Member
from chance import Dice
from people.models import Person
from people.requester import Who
from refusal import Refusal
from tests.campaign import random_acts
from tests.campaign.chronicle.sample_wars import NAMES, joining

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
        self.campaign = founding_services.found_campaign(self.who, key=f"founding-{seed.replace('/', '-')}", name=name)
        for number in range(3):
            self.do("kingdom_joins", joining(NAMES[number], ruler=people[number].pk))

    def at(self, day: int) -> dt.date:
        """Moves the clock along with the campaign, so that its days are in order."""
        now = TODAY - dt.timedelta(days=DAYS - day)
        timezone.localdate = lambda *_: now
        return now

    def key(self) -> str:
        self.keys += 1
        return f"key-number-{self.keys}"

    def fresh(self) -> Campaign:
        return Campaign.objects.select_related("log").get(pk=self.campaign.pk)

    def do(self, act: str, body: dict, **more) -> dict:
        return campaign_services.write(self.campaign, self.who, key=self.key(), act=read_sent(act, body), **more)

    def act(self) -> None:
        state = campaign_selectors.state_of(self.fresh())
        act, body = random_acts.any_act(state, self.dice.below, [person.pk for person in self.people])
        # Most are thought through beforehand, as a table would; some are tried whatever the rules say.
        while self.dice.below(8) and not random_acts.is_legal(state, act, body):
            act, body = random_acts.any_act(state, self.dice.below, [person.pk for person in self.people])
        late = self.day > 0 and not self.dice.below(7)
        day = self.dice.below(self.day) if late else self.day
        on = TODAY - dt.timedelta(days=DAYS - day)
        self.do(act, body, played_on=on, accept_late=True)
        self.seen["late" if late else "acts"] += 1

    def correct(self) -> None:
        fresh = self.fresh()
        entries = campaign_selectors.entries_of(fresh)
        kind, target, body = "strike", 2 + self.dice.below(len(entries) - 1), None
        if result := (random_acts.amended(entries, self.dice.below) if self.dice.below(2) else None):
            kind, (target, body) = "amend", result
        seen = campaign_services.preview_correction(entries, kind, target, body)
        choices = random_acts.any_choices(seen, self.dice.below)
        digest = campaign_services.preview_correction(entries, kind, target, body, choices).digest
        before = campaign_selectors.state_of(fresh)
        about = {"why": "we looked again"}
        done = campaign_services.write_correction(
            self.campaign,
            self.who,
            key=self.key(),
            kind=kind,
            target=target,
            digest=digest,
            body=body,
            choices=choices,
            **about,
        )
        self.seen[kind] += 1
        if self.dice.below(2):
            digest = campaign_services.preview_correction(
                campaign_selectors.entries_of(self.fresh()), "restore", done["entry"]
            ).digest
            campaign_services.write_correction(
                self.campaign, self.who, key=self.key(), kind="restore", target=done["entry"], digest=digest, **about
            )
            self.seen["restore"] += 1
            if campaign_selectors.state_of(self.fresh()) != before:
                self.problems.append(f"restoring entry {done['entry']} is not exact")

    def play(self, acts: int) -> None:
        """Continues until this many acts are written; refused acts do not count."""
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
        """Reads a past map, which saves checkpoints that later corrections must drop."""
        fresh = self.fresh()
        number = 1 + self.dice.below(fresh.log.length)
        entries = campaign_selectors.entries_of(fresh)
        place = next(entry.sort_key for entry in entries if entry.number == number)
        if campaign_selectors.state_at(fresh, number) != corrections.state_before(entries, (place[0], place[1] + 1)):
            self.problems.append(f"the map after entry {number} is not what the log folds to")
        self.seen["looked_back"] += 1

    def add_up(self) -> None:
        fresh = self.fresh()
        self.problems += campaign_selectors.find_problems(fresh)
        entries = campaign_selectors.entries_of(fresh)
        order, state = effective_entries(entries), campaign_selectors.state_of(fresh)
        if fold(order) != state:
            self.problems.append("the state is not the fold")
        for kingdom in state.in_play():
            for what in ("loyalty", "vp"):
                if sum(step.by for step in list_score_steps(order, kingdom.id, what, Names(state))) != getattr(
                    kingdom, what
                ):
                    self.problems.append(f"{what} of {kingdom.name} is not the sum of its reasons")
        roles = dict(Member.objects.filter(campaign=fresh).values_list("person", "role"))
        if {person for person, role in roles.items() if role == "master"} != set(state.masters):
            self.problems.append("the members' list names other masters than the chronicle")


def main(campaigns: int, acts: int, seed: str) -> None:
    campaign_selectors.CHECKPOINT_EVERY = 40  # so that short logs have checkpoints too
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
