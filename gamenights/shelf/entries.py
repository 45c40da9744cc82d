"""What a group's log records about its shelf, and what the API is sent, as frozen dataclasses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from dataclass_json import Text, Whole
from gamenights.plays.values import MAX_NAME, Scoring
from groups.entries import GroupEntry, Number

MAX_PLAYERS = 100
MAX_MINUTES = 10_000
MAX_BGG_ID = 2_000_000_000

Players = Annotated[int, Whole("The number of players", 1, MAX_PLAYERS)]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameFacts:
    """A game on the shelf. ``bgg_id`` is its number on BoardGameGeek."""

    name: Annotated[str, Text("The name", MAX_NAME)]
    scoring: Scoring = Scoring.HIGH
    players_min: Players | None = None
    players_max: Players | None = None
    minutes: Annotated[int, Whole("The minutes", 1, MAX_MINUTES)] | None = None
    bgg_id: Annotated[int, Whole("The number on BoardGameGeek", 1, MAX_BGG_ID)] | None = None
    on_shelf: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveGame(GameFacts):
    """A game to add or to change."""


@dataclass(frozen=True, slots=True)
class VoteForGame:
    """A vote for a game of the night, by the game's number."""

    game: Annotated[str, Text("The game", 40)]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameAdded(GameFacts, GroupEntry):
    key: ClassVar[str] = "game_added"
    writes_defaults: ClassVar[bool] = True

    game: Number | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GameChanged(GameFacts, GroupEntry):
    key: ClassVar[str] = "game_changed"
    writes_defaults: ClassVar[bool] = True

    game: Number


ENTRIES: tuple[type[GroupEntry], ...] = (GameAdded, GameChanged)
