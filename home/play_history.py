"""The card games and battles someone played, by day."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from django.urls import reverse
from django.utils import timezone

from battles.battle_titles import side_names_of, title_and_subtitle
from battles.display import outcome_of
from battles.models import Battle
from campaign import selectors as campaign_selectors
from cardgames.games import SHELF
from cardgames.models import Result
from cardgames.results.display import seat_names
from people.requester import Who
from text import join_list

MAX_GAMES = 30


@dataclass(frozen=True, slots=True)
class PlayedGame:
    on: dt.date
    title: str
    text: str
    url: str
    icon: str


def list_evenings(who: Who) -> list[tuple[dt.date, list[PlayedGame]]]:
    """Newest first."""
    played = sorted([*_card_games(who), *_battles(who)], key=lambda row: row.on, reverse=True)[:MAX_GAMES]
    return [(day, list(rows)) for day, rows in groupby(played, key=lambda row: row.on)]


def _card_games(who: Who) -> Iterator[PlayedGame]:
    found = Result.objects.visible_to(who).defer("kept", "table__deck", "table__seed").select_related("table")
    for result in found.prefetch_related("places__person__merged_into")[:MAX_GAMES]:
        places = list(result.places.all())
        names = seat_names(places)
        won = [name for name, place in zip(names, places, strict=True) if place.won]
        title = SHELF[result.game].title if result.game in SHELF else result.game
        text = f"{join_list(names)}. " + (f"{join_list(won)} won." if won else "Nobody won.")
        again = reverse("cardgames:replay", args=[result.table.code]) if result.table else reverse("cardgames:results")
        yield PlayedGame(timezone.localdate(result.at), title, text, again, "c-cards")


def _battles(who: Who) -> Iterator[PlayedGame]:
    found = Battle.objects.involving(who).filter(stage=Battle.Stage.CONFIRMED).exclude(played_on=None)
    rows = list(found.select_related("campaign__log", "campaign__snapshot").order_by("-played_on", "-pk")[:MAX_GAMES])
    states = {row.campaign_id: campaign_selectors.saved_or_folded_state(row.campaign) for row in rows if row.campaign}
    for battle in rows:
        state = states.get(battle.campaign_id)
        title, under = title_and_subtitle(battle, state)
        outcome = outcome_of(battle, state)
        winner = side_names_of(battle, state).get(outcome.winner or "") if outcome else None
        ended = f" {winner} won." if winner else " A draw." if outcome else ""
        icon = "c-castle" if battle.siege else "c-battle"
        yield PlayedGame(battle.played_on, title, f"{under}.{ended}", battle.get_absolute_url(), icon)
