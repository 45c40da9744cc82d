"""A sample group with its campaign, a night that is over, its plays, and a night to come."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from campaign.models import Campaign
from gamenights import campaigns
from gamenights.nights import services as nights_services
from gamenights.nights.entries import AddBringItem, PlanNight
from gamenights.nights.models import Night
from gamenights.plays import services as plays_services
from gamenights.plays.models import Play
from gamenights.plays.values import PlayerResult, PlayFacts
from groups import services as groups_services
from groups.entries import FoundGroup
from groups.models import Group
from people.models import Person
from people.requester import Who

NAME = "The Thursday Table"
# Days ago, game, minutes, and the points of each player.
PLAYS = (
    (21, "Cascadia", 45, {"Wren": 87, "Tam": 92, "Oda": 74, "Pim": 69}),
    (21, "Azul", 35, {"Wren": 61, "Oda": 66}),
    (14, "Cascadia", 40, {"Wren": 91, "Tam": 80, "Oda": 95}),
    (9, "Azul", 40, {"Wren": 52, "Tam": 70, "Oda": 70, "Pim": 41}),
    (9, "Cascadia", 50, {"Oda": 83, "Pim": 90, "Tam": 77}),
)


def add_group(campaign: Campaign, master: Who) -> Group:
    group = groups_services.found_group(master, "demo-group", FoundGroup(name=NAME))
    campaigns.add_campaign(group, master, key="demo-group-campaign", campaign=campaign)
    campaign.refresh_from_db()
    return group


def add_nights(group: Group, people: dict[str, Who]) -> None:
    host = people["Wren"]
    if Night.objects.filter(group=group).exists():
        return
    now = timezone.now()
    for number, (days, game, minutes, scores) in enumerate(PLAYS):
        day = timezone.localdate() - dt.timedelta(days=days)
        night = Night.objects.filter(group=group, day=day).first() or _past_night(group, people, scores, day)
        _log(group, people, night, number, (day, game, minutes, scores))
    start = (now + dt.timedelta(days=5)).replace(hour=19, minute=0, second=0, microsecond=0)
    coming = nights_services.plan_night(
        group,
        host,
        "demo-night-to-come",
        PlanNight(dates=(start,), title="Night of the Long Candle", place="Oda's cellar"),
    )
    for name in ("Tam", "Oda"):
        nights_services.answer_invitation(coming, people[name], key=f"demo-{name.lower()}-comes", answer="yes")
    nights_services.add_bring_item(coming, host, "demo-bring-cheese", AddBringItem(what="Cheese"))


def _past_night(group: Group, people: dict[str, Who], scores: dict[str, int], day: dt.date) -> Night:
    start = dt.datetime.combine(day, dt.time(19), tzinfo=group.tzinfo)
    host = people["Wren"]
    night = nights_services.plan_night(
        group, host, f"demo-night-{day}", PlanNight(dates=(start,), place="Oda's cellar")
    )
    for name in scores:
        person = people[name].require_person()
        nights_services.set_attendance(
            night, person, answer="yes", here_at=start, left_at=start + dt.timedelta(hours=4)
        )
    return night


def _log(group: Group, people: dict[str, Who], night: Night, number: int, row: tuple[Any, ...]) -> None:
    day, game, minutes, scores = row
    if Play.objects.filter(group=group, uuid=f"demo-play-{number}").exists():
        return
    found = plays_services.find_or_add_game(group, game, {"players_min": 2, "players_max": 4, "minutes": minutes})
    players = tuple(
        PlayerResult(str(people[name].require_person().pk), name, score_text=str(score))
        for name, score in scores.items()
    )
    started = dt.datetime.combine(day, dt.time(19 + number % 2), tzinfo=group.tzinfo)
    facts = PlayFacts(f"demo-play-{number}", str(found.pk), game, day, players, started_at=started, minutes=minutes)
    plays_services.log_play(group, people["Wren"], key=f"demo-play-{number}-x", facts=facts, night=night)


def find_groups(people: Sequence[Person]) -> QuerySet[Group]:
    """The groups of the demo that these people founded."""
    return Group.objects.filter(founding_key__in=[f"{Who.of(person).ref}/demo-group" for person in people])


def remove_groups(groups: Iterable[Group]) -> None:
    """Groups with their nights, plays and logs."""
    for group in groups:
        log = group.log
        group.plays.all().delete()  # they protect their games
        group.delete()
        log.delete()
