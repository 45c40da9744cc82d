"""Whose turn it is with printed cards: start, next turn and undo, by the rules of each game's companion."""

from __future__ import annotations

from cardgames.companion import services
from cardgames.companion.entries import ChangeTurn, is_turn_word
from cardgames.engine.printed_game import UNKNOWN_ACT, Companion, State, Tap, TurnAct
from cardgames.games import SHELF, find_companion
from cardgames.models import Sheet, SheetSeat
from people.requester import Who
from refusal import Refusal

MAX_UNDO = 30


def change_turn(sheet: Sheet, who: Who, wanted: ChangeTurn, *, key: str | None = None) -> Sheet:
    """A repeated tap changes nothing: the sheet is no longer at the step that its sender saw."""
    if not is_turn_word(wanted.turn):
        raise Refusal(UNKNOWN_ACT, field="act")
    tap = Tap(sheet.read_deck(), services.new_dice(), wanted.seat, wanted.what, wanted.dice)

    def change(now: Sheet, seats: dict[int, SheetSeat]) -> None:
        state = dict(now.state)
        if state.get("step", 0) != wanted.seen:
            raise Refusal(services.MOVED_ON, status=409)
        if wanted.seat is not None and wanted.seat not in seats:
            raise Refusal("This table has no such seat.", field="seat")
        if wanted.turn == "back":
            now.state = _undo(state)
            return
        past = [*state.pop("past", []), dict(state)][-MAX_UNDO:]
        _change(find_companion(now.game), state, wanted.turn, tap)
        now.state = state | {"past": past, "step": wanted.seen + 1}

    return services.write_sheet(sheet, who, wanted, change, key=key)


def _change(companion: Companion, state: State, act: str, tap: Tap) -> None:
    if act == "start":
        start = companion.first_seat(state, tap)
        state |= {"start": start, "active": start, "turn": 1, "ends": False, "out": [], "over": False, "dice": []}
        companion.begin(state)
    elif act == "next":
        _next_turn(companion, state, tap)
    elif act == "over":
        state["over"] = True
    else:
        turn_act = companion.acts.get(act)
        if (turn_act or _act_of_another_game(act)).while_playing:
            _require_playing(state)
        if turn_act is None:
            raise Refusal(_act_of_another_game(act).elsewhere)
        turn_act.change(state, tap)


def _next_turn(companion: Companion, state: State, tap: Tap) -> None:
    _require_playing(state)
    following = companion.next_seat(state, tap.deck)
    state["dice"] = []
    if following is None:
        state["over"] = True
    else:
        state |= {"active": following, "turn": state["turn"] + 1}
        companion.begin_turn(state)


def _act_of_another_game(act: str) -> TurnAct:
    companions = [game.companion for game in SHELF.values() if game.companion]
    return next(companion.acts[act] for companion in companions if act in companion.acts)


def _undo(state: State) -> State:
    past = list(state.get("past", []))
    if not past:
        raise Refusal("There is nothing to undo.", status=409)
    return {**past.pop(), "past": past, "step": state["step"] + 1}


def _require_playing(state: State) -> None:
    if state["active"] is None:
        raise Refusal("Choose a start player first.", status=409)
    if state["over"]:
        raise Refusal("The game is over.", status=409)
