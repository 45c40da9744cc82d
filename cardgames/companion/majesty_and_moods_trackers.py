"""What the turn tracker adds for Your Majesty and Moods of the Mad King, beside whose turn it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cardgames.companion import services
from cardgames.companion.models import SheetState
from cardgames.games.majesty import companion as majesty
from cardgames.games.moods import companion as moods
from cardgames.games.moods.deck_definition import MOODS
from cardgames.models import Sheet
from refusal import Refusal

MOST_SCANDALS = 30
MOST_LINGERING = 30


def start(sheet: Sheet, state: SheetState) -> None:
    """The first turn has begun."""
    if sheet.game == "majesty":
        state |= {"taken": [], "lingering": [], "expired": [], "scandals": [0] * state["seats"], "abolished": False}
    elif sheet.game == "moods":
        state |= {"changed": 0}


def begin_turn(sheet: Sheet, state: SheetState) -> None:
    """The next player's turn has begun: actions are free again, and that player's lingering events end (Y27)."""
    if sheet.game == "majesty":
        active = state["active"]
        state["taken"] = []
        state["expired"] = [card for seat, card in state["lingering"] if seat == active]
        state["lingering"] = [[seat, card] for seat, card in state["lingering"] if seat != active]


def is_show(sheet: Sheet, state: Mapping[str, Any]) -> bool:
    """Moods of the Mad King ends when the deck is empty at the start of a turn (D30)."""
    return sheet.game == "moods" and cards_left(sheet, state) == 0


def cards_left(sheet: Sheet, state: Mapping[str, Any]) -> int:
    return moods.cards_left(services.deck_of(sheet), state["turn"], state.get("changed", 0))


def take_action(sheet: Sheet, state: SheetState, seat: int | None, what: str) -> None:
    _require_game(sheet, "majesty")
    state["taken"] = majesty.take_action(state["taken"], what)


def lay_lingering(sheet: Sheet, state: SheetState, seat: int | None, what: str) -> None:
    """A lingering event lies at a court until that player's next turn."""
    _require_game(sheet, "majesty")
    if what not in majesty.lingering_cards(services.deck_of(sheet)):
        raise Refusal("Choose one of the lingering events of this deck.", field="what")
    if len(state["lingering"]) >= MOST_LINGERING:
        raise Refusal("Too many lingering events. Start the next turn first.", status=409)
    state["lingering"] = [*state["lingering"], [state["active"] if seat is None else seat, what]]


def add_scandal(sheet: Sheet, state: SheetState, seat: int | None, what: str) -> None:
    _change_scandals(sheet, state, seat, 1)


def erase_scandal(sheet: Sheet, state: SheetState, seat: int | None, what: str) -> None:
    _change_scandals(sheet, state, seat, -1)


def _change_scandals(sheet: Sheet, state: SheetState, seat: int | None, change: int) -> None:
    _require_game(sheet, "majesty")
    if seat is None:
        raise Refusal("Choose a court.", field="seat")
    scandals = list(state["scandals"])
    scandals[seat] = min(MOST_SCANDALS, max(0, scandals[seat] + change))
    state["scandals"] = scandals


def abolish_slavery(sheet: Sheet, state: SheetState, seat: int | None, what: str) -> None:
    """Abolition of Slavery was implemented by somebody: from now on slave colonies cost nobody anything (Y73)."""
    _require_game(sheet, "majesty")
    state["abolished"] = not state["abolished"]


def add_play_card(sheet: Sheet, state: SheetState, seat: int | None, what: str) -> None:
    """An action card put a play card back, or took one more out of the deck."""
    _require_game(sheet, "moods")
    state["changed"] = min(15, state["changed"] + 1)


def remove_play_card(sheet: Sheet, state: SheetState, seat: int | None, what: str) -> None:
    _require_game(sheet, "moods")
    if cards_left(sheet, state) == 0:
        raise Refusal("The deck is already empty.", status=409)
    state["changed"] -= 1


def enter_king(sheet: Sheet, state: SheetState, what: str) -> None:
    """The King's Mood of the printed cards, turned up at the show."""
    _require_game(sheet, "moods")
    if what not in MOODS:
        raise Refusal("Choose the King's Mood.", field="what")
    state["king"] = what


def _require_game(sheet: Sheet, game: str) -> None:
    if sheet.game != game:
        raise Refusal("The turn tracker does not know this action.")
