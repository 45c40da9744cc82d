"""What was played, evening by evening: the card tables and battles of one day, as far as they are kept."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from django.urls import reverse
from django.utils import timezone

from battles.models import Battle
from battles.sheet import outcome_of
from battles.titles import names_of, titled
from campaign import reading
from cardgames.games import SHELF
from cardgames.models import Result
from cardgames.result_views import name_of
from people.who import Who

MOST = 30


@dataclass(frozen=True, slots=True)
class Played:
    on: dt.date
    title: str
    text: str
    url: str
    icon: str


def evenings(who: Who) -> list[tuple[dt.date, list[Played]]]:
    """The newest first."""
    played = sorted([*_cards(who), *_battles(who)], key=lambda row: row.on, reverse=True)[:MOST]
    return [(day, list(rows)) for day, rows in groupby(played, key=lambda row: row.on)]


def _cards(who: Who) -> Iterator[Played]:
    found = Result.objects.visible_to(who).defer("kept", "table__deck", "table__seed").select_related("table")
    for result in found.prefetch_related("places__person__merged_into")[:MOST]:
        places = list(result.places.all())
        names = [name_of(place) for place in places]
        won = [name for name, place in zip(names, places, strict=True) if place.won]
        title = SHELF[result.game].title if result.game in SHELF else result.game
        text = f"{_listed(names)}. " + (f"{_listed(won)} won." if won else "Nobody won.")
        again = reverse("cardgames:replay", args=[result.table.code]) if result.table else reverse("cardgames:results")
        yield Played(timezone.localdate(result.at), title, text, again, "c-cards")


def _battles(who: Who) -> Iterator[Played]:
    found = Battle.objects.of(who).filter(stage=Battle.Stage.CONFIRMED).exclude(played_on=None)
    rows = list(found.select_related("campaign__log", "campaign__snapshot").order_by("-played_on", "-pk")[:MOST])
    states = {row.campaign_id: reading.kept_or_folded(row.campaign) for row in rows if row.campaign}
    for battle in rows:
        state = states.get(battle.campaign_id)
        title, under = titled(battle, state)
        outcome = outcome_of(battle, state)
        winner = names_of(battle, state).get(outcome.winner or "") if outcome else None
        ended = f" {winner} won." if winner else " A draw." if outcome else ""
        icon = "c-castle" if battle.siege else "c-battle"
        yield Played(battle.played_on, title, f"{under}.{ended}", battle.get_absolute_url(), icon)


def _listed(names: list[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
