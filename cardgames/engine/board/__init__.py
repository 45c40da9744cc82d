"""What lies on a table, as pieces that every page draws alike: a game lays them out, and never draws itself.

A game's ``layout`` gets a ``Scene``, which holds one seat's view and nothing else of the table, and gives a ``Board``.
A choice belongs to a piece by the piece's key: a tap on the piece chooses it.
"""

from __future__ import annotations

from cardgames.engine.board.layout import (
    Board,
    Change,
    Picture,
    Pictures,
    Preview,
    Scene,
    hand_cards,
    plain_board,
)
from cardgames.engine.board.pieces import (
    Cell,
    Chip,
    ChipRow,
    Clue,
    Clues,
    Column,
    Fan,
    FanCard,
    Figure,
    Pick,
    Piece,
    PlayerRow,
    PlayerRows,
    ScoreCell,
    ScoreRow,
    ScoreTable,
    Secret,
    Spot,
    SpotRow,
    SpotRows,
)

__all__ = [
    "Board",
    "Cell",
    "Change",
    "Chip",
    "ChipRow",
    "Clue",
    "Clues",
    "Column",
    "Fan",
    "FanCard",
    "Figure",
    "Pick",
    "Picture",
    "Pictures",
    "Piece",
    "PlayerRow",
    "PlayerRows",
    "Preview",
    "Scene",
    "ScoreCell",
    "ScoreRow",
    "ScoreTable",
    "Secret",
    "Spot",
    "SpotRow",
    "SpotRows",
    "hand_cards",
    "plain_board",
]
