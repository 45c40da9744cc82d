"""The demo world, made with the same services as the pages, so that it only shows what users can do."""

import datetime as dt
import json
import os
import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.utils import timezone

from campaign import selectors as campaign_selectors, services as campaign_services
from campaign.chronicle.acts.administration import AddKingdom, CloseSeason, OpenSeason
from campaign.chronicle.acts.registry import Act
from campaign.chronicle.acts.war import AgreeChange, DeclareBattle, Outcome, ReportResult
from campaign.chronicle.fields import NewHouse
from campaign.founding import services as founding_services
from campaign.invitations import services as invitations_services
from campaign.models import Campaign
from groups.models import Member
from heraldry import Arms
from home import demo_samples
from log import services as log_services
from people import guests as guests_services
from people.accounts import services as accounts_services
from people.models import Person
from people.requester import Who

# Who plays in the demo: the name they log in with, and their part in it.
CAST = (
    ("Wren", "game master and owner of the site"),
    ("Tam", "player"),
    ("Oda", "player"),
)
GUEST = "Pim"  # plays without an account
FIRST_DAY = 70  # days ago
WAR = "The War of the Four Hedges"
NOTES = (
    ("Wren", "We play on Thursdays in Oda's cellar. Bring your own dice."),
    ("Tam", "Fenwick swears to hold the Levels, whatever the hedge says."),
    ("Oda", "Found a spare Battle Cat behind the sofa. It is painted now."),
)
# The four kingdoms: name, ruler, livery, lands, borderlands, houses.
KINGDOMS = (
    ("Oakhold", "Wren", "gules", "The Oakwold", ("Acornfall", "Bramble Edge"), ("Acorn", "Bramble", "Sedge", "Tansy")),
    ("Fenwick", "Tam", "azure", "The Levels", ("Reedmarch", "Osier Bank"), ("Reed", "Heron", "Eel", "Kingcup")),
    ("Thistledown", "Oda", "vert", "Teasel Down", ("Clover Ley", "Burdock"), ("Teasel", "Burr", "Vetch", "Clover")),
    ("Mole End", "Pim", "purpure", "The Diggings", ("Low Tunnel", "Molehill"), ("Spade", "Lantern", "Root", "Candle")),
)
# The war so far, day by day before today: what was fought over, by whom, how it ended, and the points of both sides.
WAR_SO_FAR: tuple[tuple[int, str, str, Outcome, str, tuple[int, int], dict[str, tuple[int, ...]]], ...] = (
    (63, "k1", "k2.border_1", "attacker", "pitched_battle", (5, 2), {}),
    (56, "k3", "k4.border_2", "attacker", "ambush", (4, 1), {}),
    (49, "k2", "k1.border_1", "defender", "hold_the_hills", (3, 6), {"k2": (3,)}),
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


def log_ins_file() -> Path:
    return settings.VAR / "demo.json"


def read_log_ins_file() -> Mapping[str, Any]:
    try:
        return json.loads(log_ins_file().read_text())
    except (OSError, ValueError):
        return {}


def log_ins() -> list[LogInRow]:
    """The demo's log-ins from the file in var/, or none."""
    return [LogInRow(**row) for row in read_log_ins_file().get("log_ins", [])] if settings.DEMO else []


def create_world() -> list[LogInRow]:
    """Create the world, or what is missing of it. Every step has its own key, so a second run changes nothing."""
    if not settings.AT_HOME:
        raise CommandError(
            "The demo world is not available with DEBUG=0, because its passwords are saved in a plain file."
        )
    rows = {row["name"]: LogInRow(**row) for row in read_log_ins_file().get("log_ins", [])}
    people: dict[str, Who] = {}
    for number, (name, part) in enumerate(CAST):
        account = accounts_services.find_account(name)
        if account is None or name not in rows:
            if account is not None:
                raise CommandError(f"Someone already logs in as {name}, a name the demo needs. Nothing was created.")
            rows[name] = LogInRow(name, new_password(), part)
            accounts_services.create_account(name, rows[name].password, owner=number == 0)
            save_log_ins(list(rows.values()))
        people[name] = Who.of(Person.objects.get(account__username=accounts_services.normalise_log_in_name(name)))
    fill_world(people)
    return list(rows.values())


def fill_world(people: dict[str, Who]) -> None:
    master = people["Wren"]
    campaign = founding_services.found_campaign(
        master,
        key="demo-campaign",
        name=WAR,
        visibility=Campaign.Visibility.PUBLIC,
        began=timezone.localdate() - dt.timedelta(days=FIRST_DAY),
        season="Spring",
    )
    guest = guests_services.add_guest(master, GUEST, key="demo-friend")
    for name, who in [*people.items(), (GUEST, Who.of(guest))]:
        if name != "Wren":
            invitations_services.join_campaign(campaign, who, key="demo-join")
    group = demo_samples.add_group(campaign, master)
    play_campaign(campaign, {**people, GUEST: Who.of(guest)})
    demo_samples.add_approvals(campaign, people)
    for number, (name, text) in enumerate(NOTES):
        campaign_services.add_note(campaign, people[name], key=f"demo-note-{number}", text=text)
    if not invitations_services.open_invitations(campaign).exists():
        invitations_services.create_invitation(campaign, master, label="Thursday group")
    demo_samples.add_card_tables(people)
    demo_samples.add_musters(campaign, people)
    demo_samples.add_slip(campaign, master)
    demo_samples.add_decks(people)
    demo_samples.add_trackers(people)
    demo_samples.add_nights(group, {**people, GUEST: Who.of(guest)})


def play_campaign(campaign: Campaign, people: dict[str, Who]) -> None:
    """Four kingdoms, a finished season, a struck entry, and an open battle."""
    master = people["Wren"]
    today = timezone.localdate()

    def do(key: str, act: Act, days_ago: int = 0) -> log_services.Answer:
        # A step made on another day would differ, so finished steps are left alone.
        before = log_services.find_answer(campaign.log_id, who=master.ref, key=f"demo-{key}")
        if before is not None:
            return before
        day = today - dt.timedelta(days=days_ago)
        return campaign_services.write(campaign, master, act, key=f"demo-{key}", played_on=day, accept_late=True)

    for number, (name, ruler, livery, lands, borders, houses) in enumerate(KINGDOMS):
        arms = Arms.from_seed(f"demo {name}", livery=livery).to_dict()
        sworn = tuple(NewHouse(f"House {house}", Arms.from_seed(f"demo {name} {house}").to_dict()) for house in houses)
        places = {"castle": f"{name} Castle", "lands": lands, "border_1": borders[0], "border_2": borders[1]}
        do(f"realm-{number}", AddKingdom(name, arms, sworn, places, people[ruler].require_person().pk), FIRST_DAY)
    for number, (days_ago, attacker, target, outcome, scenario, points, lost) in enumerate(WAR_SO_FAR):
        if days_ago == 14:
            do("spring-ends", CloseSeason(), days_ago=28)
            do("summer", OpenSeason("Summer"), days_ago=21)
        state = campaign_selectors.state_of(Campaign.objects.select_related("log").get(pk=campaign.pk))
        defender = state.holders[target]
        result = ReportResult(
            attacker,
            target,
            outcome,
            defender=defender,
            scenario=scenario,
            points={attacker: points[0], defender: points[1]},
            houses_lost=lost,
        )
        do(f"battle-{number}", result, days_ago)
    demo_samples.add_reported_battle(campaign, master)
    twice = do("twice", AgreeChange("Mole End burnt the village", vp={"k4": 6}), days_ago=6)
    strike_entry(campaign, master, twice["entry"], "The village's points were already counted in the battle.")
    do("open", DeclareBattle("k3", "k1.border_2", "surrounded"))


def strike_entry(campaign: Campaign, who: Who, number: int, why: str) -> None:
    entries = campaign_selectors.entries_of(campaign)
    if any(entry.act == "strike" and entry.body["target"] == number for entry in entries):
        return
    seen = campaign_services.preview_correction(entries, "strike", number)
    campaign_services.write_correction(
        campaign, who, key="demo-strike", kind="strike", target=number, why=why, digest=seen.digest
    )


def remove_world() -> int:
    """Remove the demo's people and what they founded, and return the number of people removed."""
    names = [row["name"] for row in read_log_ins_file().get("log_ins", [])]
    people = list(
        Person.objects.filter(account__username__in=[accounts_services.normalise_log_in_name(name) for name in names])
    )
    ids = [person.pk for person in people]
    guests = Person.objects.filter(keeper__in=ids, entry_key__contains="/demo-")
    demo = Campaign.objects.filter(founding_key__in=[f"{Who.of(person).ref}/demo-campaign" for person in people])
    strangers = (
        demo.exclude(members=None)
        .filter(members__isnull=False)
        .exclude(members__person__in=[*ids, *guests.values_list("pk", flat=True)])
    )
    groups = demo_samples.find_groups(people)
    outsiders = Member.objects.filter(group__in=groups).exclude(person__in=[*ids, *guests.values_list("pk", flat=True)])
    if strangers.exists() or outsiders.exists():
        raise CommandError(
            "Other people have joined the demo campaign or its group, so nothing was removed. "
            "Ask them to leave first, or keep it."
        )
    demo_samples.remove_groups(groups)
    for campaign in demo:
        log = campaign.log
        campaign.delete()
        log.delete()
    demo_samples.remove_card_tables(ids)
    demo_samples.remove_decks(ids)
    demo_samples.remove_trackers(ids)
    gone = 0
    for person in [*guests, *people]:
        account = person.account
        person.delete()
        if account:
            account.delete()
        gone += 1
    log_ins_file().unlink(missing_ok=True)
    return gone


def save_log_ins(rows: list[LogInRow]) -> None:
    """Write the file before the rest of the world is made, readable only by its owner."""
    handle = os.open(log_ins_file(), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w") as file:
        json.dump({"log_ins": [asdict(row) for row in rows]}, file, indent=1)


def new_password() -> str:
    """Easy to type on a phone: three groups of four, without look-alikes."""
    letters = "abcdefghjkmnpqrstuvwxyz23456789"
    return "-".join("".join(secrets.choice(letters) for _ in range(4)) for _ in range(3))
