"""Whose turn it is beside printed cards: begun, turned on, taken back, by the rules of each game's companion."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from cardgames import sheets
from cardgames.games.menagerie import companion as menagerie
from cardgames.games.monarchs import companion as monarchs
from cardgames.models import Sheet, SheetSeat
from people.who import Who
from refusal import Refusal

PAST_MOST = 30


def turn(
    sheet: Sheet,
    who: Who,
    act: str,
    *,
    seen: int,
    seat: int | None = None,
    dice: Sequence[int] = (),
    key: str | None = None,
) -> Sheet:
    """Turn the table on. ``seen`` is the step the sender saw: a tap sent twice finds it done and changes nothing more."""
    if act not in _TURNS:
        raise Refusal("The turn tracker does not know this.")

    def change(now: Sheet, seats: dict[int, SheetSeat]) -> None:
        state = dict(now.state)
        if state.get("step", 0) != seen:
            raise Refusal(sheets.MOVED_ON, status=409)
        if seat is not None and seat not in seats:
            raise Refusal("This seat is not at the table.", field="seat")
        if act == "back":
            now.state = _back(state)
            return
        past = [*state.pop("past", []), dict(state)][-PAST_MOST:]
        if act == "fell":
            _fell(now, state, dice)
        else:
            _TURNS[act](now, state, seat)
        state |= {"past": past, "step": seen + 1}
        now.state = state

    return sheets.write(sheet, who, f"turn-{act}", {"seat": seat, "seen": seen, "dice": list(dice)}, change, key=key)


def _back(state: dict[str, Any]) -> dict[str, Any]:
    past = list(state.get("past", []))
    if not past:
        raise Refusal("There is nothing to take back.", status=409)
    return {**past.pop(), "past": past, "step": state["step"] + 1}


def _start(sheet: Sheet, state: dict[str, Any], seat: int | None) -> None:
    """Who begins: drawn by lot, or named. In Royal Menagerie the seat left of the Vizier."""
    count = state["seats"]
    if sheet.game == "menagerie":
        if seat is None:
            raise Refusal("Say who the Grand Vizier is.", field="seat")
        state["vizier"] = seat
        start = menagerie.starter(seat)
    else:
        start = monarchs.start_seat(count, sheets.fresh_dice()) if seat is None else seat
    state |= {"start": start, "active": start, "turn": 1, "ends": False, "out": [], "over": False, "dice": []}


def _next(sheet: Sheet, state: dict[str, Any], seat: int | None) -> None:
    _playing(state)
    active, count = state["active"], state["seats"]
    if sheet.game == "menagerie":
        following = menagerie.next_seat(active, state["out"])
    elif state["ends"] and active == monarchs.last_seat(state["start"], count):
        following = None
    else:
        following = (active + 1) % count
    state["dice"] = []
    if following is None:
        state["over"] = True
    else:
        state |= {"active": following, "turn": state["turn"] + 1}


def _ends(sheet: Sheet, state: dict[str, Any], seat: int | None) -> None:
    _playing(state)
    state["ends"] = True


def _out(sheet: Sheet, state: dict[str, Any], seat: int | None) -> None:
    """In the end-stage of Royal Menagerie: this hand is empty."""
    _playing(state)
    if sheet.game != "menagerie" or not state["ends"] or seat is None:
        raise Refusal("Hands run empty in the end-stage of Royal Menagerie only.")
    state["out"] = sorted({*state["out"], seat})
    if len(state["out"]) == state["seats"]:
        state["over"] = True


def _roll(sheet: Sheet, state: dict[str, Any], seat: int | None) -> None:
    """The two dice of a game alone, rolled here."""
    dice = sheets.fresh_dice()
    _fell(sheet, state, (dice.below(6) + 1, dice.below(6) + 1))


def _fell(sheet: Sheet, state: dict[str, Any], dice: Sequence[int]) -> None:
    """The two dice of a game alone, as they lie."""
    _playing(state)
    if sheet.game != "monarchs" or state["seats"] != 1:
        raise Refusal("Dice are rolled in a game of Of Mice and Monarchs alone.")
    if len(dice) != 2:
        raise Refusal("Both dice are rolled, the white and the black one.")
    monarchs.dice_spots(*dice)
    state["dice"] = list(dice)


def _over(sheet: Sheet, state: dict[str, Any], seat: int | None) -> None:
    state["over"] = True


def _playing(state: Mapping[str, Any]) -> None:
    if state["active"] is None:
        raise Refusal("The game has no start player yet.", status=409)
    if state["over"]:
        raise Refusal("The game is over.", status=409)


_TURNS: dict[str, Callable[[Sheet, dict[str, Any], int | None], None]] = {
    "start": _start,
    "next": _next,
    "ends": _ends,
    "out": _out,
    "roll": _roll,
    "over": _over,
    # These two are done by ``turn`` itself.
    "back": lambda sheet, state, seat: None,
    "fell": lambda sheet, state, seat: None,
}
