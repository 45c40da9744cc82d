"""Reads of plays as plain values."""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any

from django.db.models import QuerySet

from gamenights.nights.models import Night
from gamenights.plays.models import Play, PlayPlayer
from gamenights.plays.values import PlayerResult, PlayFacts, Scoring, Variant
from gamenights.shelf.models import Game
from groups.models import Group
from people.models import Person
from prepared_queries import prepared_query

FIELDS = (
    "pk", "uuid", "game_id", "game__name", "day", "scoring", "variant", "started_at", "logged_at", "minutes", "rated",
    "counted", "location", "board", "notes",
)  # fmt: skip
PLAYER_FIELDS = (
    "play_id", "person_id", "person__merged_into_id", "label", "score", "score_text", "team", "role", "place", "won",
    "started", "new", "bot",
)  # fmt: skip


def load_facts(plays: QuerySet[Play], names: dict[int, str] | None = None) -> list[PlayFacts]:
    """The plays as plain values, oldest first: two queries, and one for the names if they are not given."""
    rows = list(plays.order_by().values_list(*FIELDS))
    players: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
    of_plays = PlayPlayer.objects.filter(play__in=plays.order_by().values("pk")).order_by("play_id", "number")
    for row in of_plays.values_list(*PLAYER_FIELDS):
        players[row[0]].append(row)
    return _sorted_facts(rows, players, names)


def load_facts_of(plays: Sequence[Play]) -> list[PlayFacts]:
    """The same for a few plays that were read with their games, in one query."""
    if not plays:
        return []
    players: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
    names: dict[int, str] = {}
    for *row, name, root_name in _player_rows(tuple(play.pk for play in plays)):
        players[row[0]].append(tuple(row))
        names[row[2] or row[1]] = root_name or name
    read = attrgetter(*(name.replace("__", ".") for name in FIELDS))
    return _sorted_facts([read(play) for play in plays], players, names)


@prepared_query
def _player_rows(ids: tuple[int, ...]) -> QuerySet[PlayPlayer]:
    names = ("person__name", "person__merged_into__name")
    return PlayPlayer.objects.filter(play__in=ids).order_by("play_id", "number").values_list(*PLAYER_FIELDS, *names)


def _sorted_facts(
    rows: Sequence[tuple[Any, ...]], players: Mapping[int, list[tuple[Any, ...]]], names: dict[int, str] | None
) -> list[PlayFacts]:
    if names is None:
        names = names_of({row[2] or row[1] for group in players.values() for row in group} - {None})
    return sorted((_facts(row, players.get(row[0], []), names) for row in rows), key=lambda play: play.order)


def _facts(row: tuple[Any, ...], players: Sequence[tuple[Any, ...]], names: dict[int, str]) -> PlayFacts:
    _, uuid, game, name, day, scoring, variant, started, logged, minutes, rated, counted, place, board, notes = row
    return PlayFacts(
        uuid=uuid,
        game=str(game),
        game_name=name,
        day=day,
        players=tuple(_player(player, names) for player in players),
        scoring=Scoring(scoring),
        variant=Variant.from_key(variant),
        started_at=started,
        logged_at=logged,
        minutes=minutes,
        rated=rated,
        counted=counted,
        location=place,
        board=board,
        notes=notes,
    )


def _player(row: tuple[Any, ...], names: dict[int, str]) -> PlayerResult:
    _, person, root, label, score, score_text, team, role, place, won, started, new, bot = row
    root = root or person
    return PlayerResult(
        person=str(root) if root else "",
        name=names.get(root, "Someone") if root else label or "Someone",
        score=score,
        score_text=score_text,
        team=team,
        role=role,
        place=place,
        won=won,
        started=started,
        new=new,
        bot=bot,
    )


def names_of(ids: Iterable[int]) -> dict[int, str]:
    wanted = tuple(set(ids))
    return dict(_names(wanted)) if wanted else {}


@prepared_query
def _names(ids: tuple[int, ...]) -> QuerySet[Person]:
    return Person.objects.filter(pk__in=ids).order_by().values_list("pk", "name")


def plays_of_group(group: Group, start: dt.date | None = None, end: dt.date | None = None) -> QuerySet[Play]:
    plays = Play.objects.filter(group=group).standing()
    if start:
        plays = plays.filter(day__gte=start)
    return plays.filter(day__lte=end) if end else plays


def plays_of_night(night: Night) -> QuerySet[Play]:
    return Play.objects.filter(night=night).standing()


def recent_games(group: Group, most: int = 6) -> list[Game]:
    """The games played last, newest first; then others of the shelf."""
    last = Play.objects.filter(group=group).standing().order_by("-logged_at").values_list("game_id", flat=True)[:60]
    order = list(dict.fromkeys(last))[:most]
    games = {game.pk: game for game in Game.objects.filter(group=group, own_key="")}
    first = [games[pk] for pk in order if pk in games]
    return [*first, *(game for game in games.values() if game not in first and game.on_shelf)][:most]


def plays_of(ids: tuple[int, ...]) -> list[dict[str, object]]:
    """What they add to the file of somebody's own data."""
    rows = PlayPlayer.objects.filter(person__in=ids).select_related("play__game").order_by("pk")
    return [
        {"game": row.play.game.name, "day": row.play.day, "score": row.score_text, "role": row.role, "won": row.won}
        for row in rows
    ]
