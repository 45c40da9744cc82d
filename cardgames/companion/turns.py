"""Whose turn it is with printed cards: start, next turn and undo, by the rules of each game's companion."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from cardgames.companion import majesty_and_moods_trackers, services
from cardgames.companion.models import SheetState
from cardgames.companion.sheet_acts import ChangeTurn, TurnWord, is_turn_word
from cardgames.games.menagerie import companion as menagerie
from cardgames.games.monarchs import companion as monarchs
from cardgames.models import Sheet, SheetSeat
from people.requester import Who
from refusal import Refusal

MAX_UNDO = 30


def change_turn(
    sheet: Sheet,
    who: Who,
    act: str,
    *,
    seen: int,
    seat: int | None = None,
    dice: Sequence[int] = (),
    what: str = "",
    key: str | None = None,
) -> Sheet:
    """Changes the turn. ``seen`` is the step the sender saw, so a repeated tap changes nothing.

    ``what`` names the action, card or Mood that the change is about.
    """
    if not is_turn_word(act):
        raise Refusal("The turn tracker does not know this action.", field="act")

    def change(now: Sheet, seats: dict[int, SheetSeat]) -> None:
        state = dict(now.state)
        if state.get("step", 0) != seen:
            raise Refusal(services.MOVED_ON, status=409)
        if seat is not None and seat not in seats:
            raise Refusal("This table has no such seat.", field="seat")
        if act == "back":
            now.state = _undo(state)
            return
        past = [*state.pop("past", []), dict(state)][-MAX_UNDO:]
        if act == "fell":
            _enter_dice(now, state, dice)
        elif act == "king":
            majesty_and_moods_trackers.enter_king(now, state, what)
        elif act in _COURT_ACTS:
            _require_playing(state)
            _COURT_ACTS[act](now, state, seat, what)
        else:
            _TURN_ACTS[act](now, state, seat)
        state |= {"past": past, "step": seen + 1}
        now.state = state

    return services.write_sheet(sheet, who, ChangeTurn(act, seat, seen, tuple(dice), what), change, key=key)


def _undo(state: SheetState) -> SheetState:
    past = list(state.get("past", []))
    if not past:
        raise Refusal("There is nothing to undo.", status=409)
    return {**past.pop(), "past": past, "step": state["step"] + 1}


def _start_game(sheet: Sheet, state: SheetState, seat: int | None) -> None:
    """The start player: named or random. In Royal Menagerie it is the seat left of the Vizier."""
    count = state["seats"]
    if sheet.game == "menagerie":
        if seat is None:
            raise Refusal("Choose the Grand Vizier.", field="seat")
        state["vizier"] = seat
        start = menagerie.starter(seat)
    else:
        start = monarchs.start_seat(count, services.new_dice()) if seat is None else seat
    state |= {"start": start, "active": start, "turn": 1, "ends": False, "out": [], "over": False, "dice": []}
    majesty_and_moods_trackers.start(sheet, state)


def _next_turn(sheet: Sheet, state: SheetState, seat: int | None) -> None:
    _require_playing(state)
    active, count = state["active"], state["seats"]
    if sheet.game == "menagerie":
        following = menagerie.next_seat(active, state["out"])
    elif _was_last_turn(sheet, state):
        following = None
    else:
        following = (active + 1) % count
    state["dice"] = []
    if following is None:
        state["over"] = True
    else:
        state |= {"active": following, "turn": state["turn"] + 1}
        majesty_and_moods_trackers.begin_turn(sheet, state)


def _was_last_turn(sheet: Sheet, state: Mapping[str, Any]) -> bool:
    if sheet.game == "monarchs":
        return bool(state["ends"]) and state["active"] == monarchs.last_seat(state["start"], state["seats"])
    return majesty_and_moods_trackers.is_show(sheet, state)


def _mark_deck_empty(sheet: Sheet, state: SheetState, seat: int | None) -> None:
    _require_playing(state)
    if sheet.game not in ("menagerie", "monarchs"):
        raise Refusal("The turn tracker does not know this action.")
    state["ends"] = True


def _mark_hand_empty(sheet: Sheet, state: SheetState, seat: int | None) -> None:
    """Marks a hand as empty in the end-stage of Royal Menagerie."""
    _require_playing(state)
    if sheet.game != "menagerie" or not state["ends"] or seat is None:
        raise Refusal("Hands run empty only in the end-stage of Royal Menagerie.")
    state["out"] = sorted({*state["out"], seat})
    if len(state["out"]) == state["seats"]:
        state["over"] = True


def _roll_dice(sheet: Sheet, state: SheetState, seat: int | None) -> None:
    """Rolls the two dice of a solo game."""
    dice = services.new_dice()
    _enter_dice(sheet, state, (dice.below(6) + 1, dice.below(6) + 1))


def _enter_dice(sheet: Sheet, state: SheetState, dice: Sequence[int]) -> None:
    """Enters the two dice of a solo game."""
    _require_playing(state)
    if sheet.game != "monarchs" or state["seats"] != 1:
        raise Refusal("Only a solo game of Of Mice and Monarchs uses dice.")
    if len(dice) != 2:
        raise Refusal("Enter both dice, the white and the black one.")
    monarchs.dice_spots(*dice)
    state["dice"] = list(dice)


def _end_game(sheet: Sheet, state: SheetState, seat: int | None) -> None:
    state["over"] = True


def _require_playing(state: Mapping[str, Any]) -> None:
    if state["active"] is None:
        raise Refusal("Choose a start player first.", status=409)
    if state["over"]:
        raise Refusal("The game is over.", status=409)


_TURN_ACTS: dict[TurnWord, Callable[[Sheet, SheetState, int | None], None]] = {
    "start": _start_game,
    "next": _next_turn,
    "ends": _mark_deck_empty,
    "out": _mark_hand_empty,
    "roll": _roll_dice,
    "over": _end_game,
    # ``change_turn`` handles these itself.
    "back": lambda sheet, state, seat: None,
    "fell": lambda sheet, state, seat: None,
    "king": lambda sheet, state, seat: None,
}
_COURT_ACTS: dict[TurnWord, Callable[[Sheet, SheetState, int | None, str], None]] = {
    "action": majesty_and_moods_trackers.take_action,
    "lingers": majesty_and_moods_trackers.lay_lingering,
    "scandal": majesty_and_moods_trackers.add_scandal,
    "erased": majesty_and_moods_trackers.erase_scandal,
    "abolition": majesty_and_moods_trackers.abolish_slavery,
    "card-more": majesty_and_moods_trackers.add_play_card,
    "card-fewer": majesty_and_moods_trackers.remove_play_card,
}
