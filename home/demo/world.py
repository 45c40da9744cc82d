"""The demo world: made through the same doors users use, so that it can never show what users could not do."""

from __future__ import annotations

import datetime as dt
import json
import os
import secrets
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.utils import timezone

from campaign import chronicle, door, invitations, reading
from campaign.models import Campaign
from heraldry import Arms
from home import demo_battles, demo_cardgames, demo_decks, demo_musters, demo_petitions, demo_tables
from log import door as log_door
from people import accounts, keeping
from people.models import Person
from people.who import Who

# Who plays in the demo: the name they log in with, and their part in it.
CAST = (
    ("Wren", "game master and owner of the site"),
    ("Tam", "player"),
    ("Oda", "player"),
)
FRIEND = "Pim"  # sits at the table without an account
WAR = "The War of the Four Hedges"
NOTES = (
    ("Wren", "We play on Thursdays in Oda's cellar. Bring your own dice."),
    ("Tam", "Fenwick swears to hold the Levels, whatever the hedge says."),
    ("Oda", "Found a spare Battle Cat behind the sofa. It is painted now."),
)
# The four kingdoms: name, ruler, livery, lands, borderlands, houses.
REALMS = (
    ("Oakhold", "Wren", "gules", "The Oakwold", ("Acornfall", "Bramble Edge"), ("Acorn", "Bramble", "Sedge", "Tansy")),
    ("Fenwick", "Tam", "azure", "The Levels", ("Reedmarch", "Osier Bank"), ("Reed", "Heron", "Eel", "Kingcup")),
    ("Thistledown", "Oda", "vert", "Teasel Down", ("Clover Ley", "Burdock"), ("Teasel", "Burr", "Vetch", "Clover")),
    ("Mole End", "Pim", "purpure", "The Diggings", ("Low Tunnel", "Molehill"), ("Spade", "Lantern", "Root", "Candle")),
)
# The war so far, day by day before today: what was fought over, by whom, how it ended, and the points of both sides.
WAR_SO_FAR = (
    (63, "k1", "k2.border_1", "attacker", "pitched_battle", (5, 2), {}),
    (56, "k3", "k4.border_2", "attacker", "ambush", (4, 1), {}),
    (49, "k2", "k1.border_1", "defender", "hold_the_hills", (3, 6), {"k2": [3]}),
    (42, "k3", "k2.border_2", "attacker", "secure_the_crossing", (5, 2), {}),
    (35, "k4", "k3.border_1", "defender", "break_free", (2, 3), {}),
    (14, "k1", "k2.lands", "draw", "last_stand", (2, 2), {}),
    (7, "k4", "k4.border_2", "attacker", "chevauchee", (6, 1), {}),
)


@dataclass(frozen=True, slots=True)
class LogInRow:
    name: str
    password: str
    part: str


def kept_file() -> Path:
    return settings.VAR / "demo.json"


def kept() -> dict:
    try:
        return json.loads(kept_file().read_text())
    except (OSError, ValueError):
        return {}


def log_ins() -> list[LogInRow]:
    """The demo's log-ins as kept in var/, or none."""
    return [LogInRow(**row) for row in kept().get("log_ins", [])] if settings.DEMO else []


def make() -> list[LogInRow]:
    """Make the world, or what is missing of it. Every step has its own key, so a second run doubles nothing."""
    if not settings.AT_HOME:
        raise CommandError("The demo world is never made with DEBUG=0: its passwords stand in a file.")
    rows = {row["name"]: LogInRow(**row) for row in kept().get("log_ins", [])}
    people: dict[str, Who] = {}
    for number, (name, part) in enumerate(CAST):
        account = accounts.find(name)
        if account is None or name not in rows:
            if account is not None:
                raise CommandError(
                    f"Someone already logs in as {name}; the demo would take their place. Nothing was made."
                )
            rows[name] = LogInRow(name, new_password(), part)
            accounts.make(name, rows[name].password, owner=number == 0)
            keep(list(rows.values()))
        people[name] = Who.of(Person.objects.get(account__username=accounts.log_in_name(name)))
    fill(people)
    return list(rows.values())


def fill(people: dict[str, Who]) -> None:
    master = people["Wren"]
    campaign = chronicle.found(master, key="demo-campaign", name=WAR, visibility=Campaign.Visibility.PUBLIC)
    friend = keeping.add(master, FRIEND, key="demo-friend")
    for name, who in [*people.items(), (FRIEND, Who.of(friend))]:
        if name != "Wren":
            chronicle.join(campaign, who, key="demo-join")
    rule(campaign, {**people, FRIEND: Who.of(friend)})
    demo_petitions.fill(campaign, people)
    for number, (name, text) in enumerate(NOTES):
        chronicle.note(campaign, people[name], key=f"demo-note-{number}", text=text)
    if not invitations.open_passes(campaign).exists():
        invitations.make(campaign, master, label="Thursday group")
    demo_cardgames.fill(people)
    demo_musters.fill(campaign, people)
    demo_battles.slip(campaign, master)
    demo_decks.fill(people)
    demo_tables.fill(people)


def rule(campaign: Campaign, people: dict[str, Who]) -> None:
    """Four kingdoms, a finished season, a battle reported twice and struck, and one that is open now."""
    master = people["Wren"]
    today = timezone.localdate()

    def do(key: str, act: str, body: dict[str, Any], days_ago: int = 0) -> dict[str, Any]:
        # Made another day, or after the map has changed, a step would read differently: what is done is left alone.
        before = log_door.answered(campaign.log_id, who=master.ref, key=f"demo-{key}")
        if before is not None:
            return before
        day = today - dt.timedelta(days=days_ago)
        return door.do(campaign, master, key=f"demo-{key}", act=act, body=body, played_on=day, accept_late=True)

    for number, (name, ruler, livery, lands, borders, houses) in enumerate(REALMS):
        arms = Arms.from_seed(f"demo {name}", livery=livery).to_dict()
        sworn = [
            {"name": f"House {house}", "arms": Arms.from_seed(f"demo {name} {house}").to_dict()} for house in houses
        ]
        places = {"castle": f"{name} Castle", "lands": lands, "border_1": borders[0], "border_2": borders[1]}
        body = {"name": name, "arms": arms, "houses": sworn, "places": places, "ruler": people[ruler].person.pk}
        do(f"realm-{number}", "kingdom_joins", body, days_ago=70)
    do("spring", "season_opened", {"name": "Spring"}, days_ago=70)
    for number, (days_ago, attacker, target, outcome, scenario, points, lost) in enumerate(WAR_SO_FAR):
        if days_ago == 14:
            do("spring-ends", "season_closed", {}, days_ago=28)
            do("summer", "season_opened", {"name": "Summer"}, days_ago=21)
        state = reading.state_of(Campaign.objects.select_related("log").get(pk=campaign.pk))
        defender = state.holders[target]
        body = {"attacker": attacker, "defender": defender, "target": target, "outcome": outcome, "scenario": scenario,
                "points": {attacker: points[0], defender: points[1]}, "houses_lost": lost}  # fmt: skip
        do(f"battle-{number}", "result", body, days_ago)
    demo_battles.fought(campaign, master)
    twice = do("twice", "agreed_change", {"vp": {"k4": 6}, "why": "Mole End burnt the village"}, days_ago=6)
    strike(campaign, master, twice["entry"], "The points of the village were in the battle already.")
    do("open", "battle_declared", {"attacker": "k3", "target": "k1.border_2", "scenario": "surrounded"})


def strike(campaign: Campaign, who: Who, number: int, why: str) -> None:
    lines = reading.lines_of(campaign)
    if any(line.act == "strike" and line.body["target"] == number for line in lines):
        return
    seen = door.preview(lines, "strike", number)
    door.correct(campaign, who, key="demo-strike", kind="strike", target=number, why=why, digest=seen.digest)


def remove() -> int:
    """Take the demo's people and what they founded away again. Gives how many people went."""
    names = [row["name"] for row in kept().get("log_ins", [])]
    people = list(Person.objects.filter(account__username__in=[accounts.log_in_name(name) for name in names]))
    ids = [person.pk for person in people]
    kept_friends = Person.objects.filter(keeper__in=ids, entry_key__contains="/demo-")
    demo = Campaign.objects.filter(founding_key__in=[f"{Who.of(person).ref}/demo-campaign" for person in people])
    strangers = (
        demo.exclude(members=None)
        .filter(members__isnull=False)
        .exclude(members__person__in=[*ids, *kept_friends.values_list("pk", flat=True)])
    )
    if strangers.exists():
        raise CommandError(
            "Others have joined the demo campaign since. Nothing was removed; take it over, or let them leave first."
        )
    for campaign in demo:
        log = campaign.log
        campaign.delete()
        log.delete()
    demo_cardgames.remove(ids)
    demo_decks.remove(ids)
    demo_tables.remove(ids)
    gone = 0
    for person in [*kept_friends, *people]:
        account = person.account
        person.delete()
        if account:
            account.delete()
        gone += 1
    kept_file().unlink(missing_ok=True)
    return gone


def keep(rows: list[LogInRow]) -> None:
    """Written before anything else of the world, readable by the owner of the files only."""
    handle = os.open(kept_file(), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w") as file:
        json.dump({"log_ins": [asdict(row) for row in rows]}, file, indent=1)


def new_password() -> str:
    """Easy to type on a phone: three groups of four, no look-alikes."""
    letters = "abcdefghjkmnpqrstuvwxyz23456789"
    return "-".join("".join(secrets.choice(letters) for _ in range(4)) for _ in range(3))
