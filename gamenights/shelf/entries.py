"""What a group's log records about its shelf, and what the API is sent, as frozen dataclasses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from dataclass_json import Ask, Clean, Text, Whole
from gamenights.plays.values import MAX_NAME, Scoring
from groups.entries import Act
from people.name_validation import clean_text

Players = Annotated[int, Whole("The number of players", 1, 100)]
Minutes = Annotated[int, Whole("The minutes", 1, 10_000)]
BggId = Annotated[int, Whole("The number on BoardGameGeek", 1, 2_000_000_000)]


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveGame:
    """A game to add or to change. ``bgg_id`` is its number on BoardGameGeek."""

    name: Annotated[str, Text("The name", MAX_NAME), Clean(clean_text), Ask("Name")]
    players_min: Annotated[Players | None, Ask("Fewest players")] = None
    players_max: Annotated[Players | None, Ask("Most players")] = None
    minutes: Annotated[Minutes | None, Ask("Minutes")] = None
    scoring: Annotated[Scoring, Ask("How to win")] = Scoring.HIGH
    bgg_id: Annotated[BggId | None, Ask("Number on BoardGameGeek")] = None
    on_shelf: Annotated[bool, Ask("We own it; suggest it")] = True
    writes_defaults: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class VoteForGame:
    """A vote for a game of the night, by the game's number."""

    game: Annotated[str, Text("The game", 40)]


ACTS = {"game_added": Act(SaveGame, about=("game",)), "game_changed": Act(SaveGame, about=("game",))}
