"""A random game as JSON: the same data as the page."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

from django.urls import reverse
from rest_framework.request import Request

from chance import Dice, new_seed
from musters.random_game.generator import (
    GameRequest,
    GameRound,
    PlacedUnit,
    RollOffResult,
    draw_game_word,
    generate_game,
)
from musters.terrain import FAIRNESS_NOTE, TerrainPair, TerrainPiece
from pages.api.operations import PublicAPIView, Query, operation
from pages.fields.rows import take
from rulebook.data.battlefield import Event
from rulebook.data.scenarios import Scenario


@dataclass(frozen=True, slots=True)
class LayoutAnswer:
    api_name = "Layout"

    fair: str
    placed_by: tuple[str, ...]
    pairs: tuple[TerrainPair, ...]
    pieces: tuple[TerrainPiece, ...]


@dataclass(frozen=True, slots=True)
class PlacedUnitAnswer:
    api_name = "PlacedUnit"

    unit: Annotated[str, "Side and number, such as A1."]
    x: float
    y: float
    right: Annotated[int, "As rolled; x and y are the final position."]
    up: int
    text: str


@dataclass(frozen=True, slots=True)
class RandomGameAnswer:
    api_name = "RandomGame"

    word: str
    page: Annotated[str, "URL of the page that shows this game."]
    drawing: Annotated[str, "URL of the table as SVG."]
    scenario: Scenario
    die: Annotated[int | None, "Null if the scenario was chosen."]
    roll_offs: tuple[RollOffResult, ...]
    initiative: Annotated[RollOffResult | None, "Null if the scenario says who goes first."]
    begins: str
    rounds: tuple[GameRound, ...]
    last_round: int
    event: Annotated[Event | None, "The chosen event."]
    ground: int
    layout: LayoutAnswer | None
    spots: Annotated[tuple[PlacedUnitAnswer, ...], "Positions of units in Aftermath; otherwise empty."]
    armies: Annotated[tuple[str, ...], "Codes of two armies from the word; in a siege the first attacks."]


class RandomGameView(PublicAPIView):
    """Public; nothing is stored."""

    @operation("musters_evening")
    def get(self, request: Request, query: Query[GameRequest]) -> RandomGameAnswer:
        """Scenario, roll-offs, events and terrain from a word: same word, same game."""
        asked = query.value
        game = generate_game(asked if asked.word else replace(asked, word=draw_game_word(Dice(new_seed()))))
        address = game.request.address()
        return take(
            RandomGameAnswer,
            game,
            word=game.request.word,
            page=f"{reverse('musters:random_game')}?{address}",
            drawing=f"{reverse('musters:random_game_table')}?{address}",
            ground=game.request.ground,
            layout=take(LayoutAnswer, game.layout, fair=FAIRNESS_NOTE) if game.layout else None,
            spots=tuple(map(_answer_placed, game.spots)),
        )


def _answer_placed(placed: PlacedUnit) -> PlacedUnitAnswer:
    token, spot = placed.token, placed.spot
    return PlacedUnitAnswer(token.label, token.x, token.y, spot.right, spot.up, spot.text)
