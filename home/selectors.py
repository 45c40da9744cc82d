"""What the home page asks beside its sources, and what someone played, by evening."""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.db.models import Exists, QuerySet
from django.urls import reverse
from django.utils import timezone

from battles.display import outcome_of
from battles.models import Battle
from battles.side_display import side_names_of, title_and_subtitle
from cached_reverse import cached_reverse
from campaign import selectors as campaign_selectors
from cardgames.games import SHELF
from cardgames.models import Result
from cardgames.results.display import names_at_table
from dataclass_json import PageOnly
from gamenights.nights.selectors import own_nights
from gamenights.plays.display import build_play_row
from gamenights.plays.models import Play
from gamenights.plays.selectors import load_facts_of
from pages.home_items import RECENT, HomeItems, Rows, Source, collect_items, rare_sources
from people.models import Person
from people.requester import Who, WhoWithPasses
from prepared_queries import prepared_query
from text import join_list


@prepared_query
def _filled(who: Who, since: dt.datetime, *, sources: tuple[Rows, ...]) -> QuerySet[Person]:
    """One row: whether each of them has something."""
    assert who.person is not None
    has_rows = {f"source_{number}": Exists(rows(who, since)) for number, rows in enumerate(sources)}
    return Person.objects.filter(pk=who.person.pk).annotate(**has_rows).values_list(*has_rows)


def list_home_items(request: Any) -> HomeItems:
    return collect_items(request, without=_sources_without_rows(request.who))


def _sources_without_rows(who: Who) -> set[Source]:
    """Those that need not be asked, in one query."""
    if who.person is None:
        return set(rare_sources)
    filled = _filled.first(who, timezone.now() - RECENT, sources=tuple(rare_sources.values()))
    return {source for source, is_filled in zip(rare_sources, filled, strict=True) if not is_filled}


# ── Evenings: card games, battles and logged plays, with the nights of their groups ──────────────────────


MAX_GAMES = 30
# So many games are on the page at once; evenings before them are folded.
SHOWN_GAMES = 3
FILED_ELSEWHERE = (Play.Source.RESULT, Play.Source.BATTLE)


@dataclass(frozen=True, slots=True)
class PlayedGame:
    on: PageOnly[dt.date]
    title: str
    text: str
    url: str
    icon: PageOnly[str]


@dataclass(frozen=True, slots=True)
class RecapLink:
    name: str
    url: str
    day: dt.date


@dataclass(frozen=True, slots=True)
class Evening:
    day: dt.date
    games: tuple[PlayedGame, ...]
    recaps: PageOnly[tuple[RecapLink, ...]]


@dataclass(frozen=True, slots=True)
class Evenings:
    """Newest first. Three games are shown at once, and the recaps of their evenings."""

    shown: tuple[Evening, ...]
    folded: tuple[Evening, ...]


@prepared_query
def _results_with_seats(who: Who) -> QuerySet[Result]:
    """A row for each seat; one without a seat for a result that has none."""
    last = Result.objects.visible_to(who).values("pk")[:MAX_GAMES]
    seats = Result.objects.filter(pk__in=last).order_by("-at", "-pk", "place__number")
    fields = ("pk", "game", "at", "table__code", "play__day")
    seat = ("place__number", "place__bot", "place__won", "place__person__name", "place__person__merged_into__name")
    return seats.values_list(*fields, *seat)


@prepared_query
def _last_plays(who: Who) -> QuerySet[Play]:
    ids = who.person.all_ids() if who.person else ()
    mine = Play.objects.standing().filter(player__person__in=ids).exclude(source__in=FILED_ELSEWHERE)
    return mine.select_related("group", "game").order_by("-day", "-logged_at")[:MAX_GAMES]


@prepared_query
def _confirmed_battles(who: Who) -> QuerySet[Battle]:
    battles = Battle.objects.involving(who).filter(stage=Battle.Stage.CONFIRMED).exclude(played_on=None)
    return battles.select_related("campaign__log").defer("snapshot").order_by("-played_on", "-pk")[:MAX_GAMES]


def list_evenings(who: Who) -> Evenings:
    played = sorted([*_card_games(who), *_battles(who), *_logged_plays(who)], key=lambda row: row.on, reverse=True)
    by_day: dict[dt.date, list[PlayedGame]] = defaultdict(list)
    for row in played[:MAX_GAMES]:
        by_day[row.on].append(row)
    recaps: dict[dt.date, list[RecapLink]] = defaultdict(list)
    for night in own_nights(who, days=by_day).played:
        recaps[night.day].append(RecapLink(night.name, cached_reverse("gamenights:recap", night.code), night.day))
    evenings = [Evening(day, tuple(rows), tuple(recaps[day])) for day, rows in by_day.items()]
    shown: list[Evening] = []
    folded: list[Evening] = []
    left = SHOWN_GAMES
    for evening in evenings:
        first, rest = evening.games[:left], evening.games[left:]
        left -= len(first)
        if first:
            shown.append(replace(evening, games=first))
        if rest:
            folded.append(replace(evening, games=rest, recaps=() if first else evening.recaps))
    return Evenings(tuple(shown), tuple(folded))


def _card_games(who: Who) -> Iterator[PlayedGame]:
    rows = groupby(_results_with_seats(WhoWithPasses(who)), key=itemgetter(slice(5)))
    for (_, game, at, table, day), same_game in rows:
        seats = [row[5:] for row in same_game if row[5] is not None]
        names = names_at_table([(number, bot, root or name) for number, bot, _, name, root in seats])
        won = [name for name, seat in zip(names, seats, strict=True) if seat[2]]
        title = SHELF[game].title if game in SHELF else game
        text = f"{join_list(names)}. " + (f"{join_list(won)} won." if won else "Nobody won.")
        again = cached_reverse("cardgames:replay", table) if table else reverse("cardgames:results")
        # A game past midnight belongs to its group's evening.
        yield PlayedGame(day or timezone.localdate(at), title, text, again, "c-cards")


def _logged_plays(who: Who) -> Iterator[PlayedGame]:
    """Plays they took part in that are neither a card game of this site nor a battle."""
    if who.person is None:
        return
    last = _last_plays(who)
    groups = {str(play.game_id): play.group for play in last}  # a game belongs to one group
    for facts in load_facts_of(last):
        row = build_play_row(facts, groups[facts.game], {})
        yield PlayedGame(row.day, row.title, row.ending, row.url, "c-quill")


def _battles(who: Who) -> Iterator[PlayedGame]:
    rows = _confirmed_battles(WhoWithPasses(who))
    own = campaign_selectors.own_campaigns(who)
    states = {row.campaign_id: own.state_of(row.campaign) for row in rows if row.campaign}
    for battle in rows:
        state = states.get(battle.campaign_id)
        title, under = title_and_subtitle(battle, state)
        outcome = outcome_of(battle, state)
        winner = side_names_of(battle, state).get(outcome.winner or "") if outcome else None
        ended = f" {winner} won." if winner else " A draw." if outcome else ""
        icon = "c-castle" if battle.siege else "c-battle"
        yield PlayedGame(battle.played_on, title, f"{under}.{ended}", battle.get_absolute_url(), icon)
