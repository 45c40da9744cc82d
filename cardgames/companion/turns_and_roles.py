"""Whose turn it is with printed cards, by the rules of each game's companion; and hidden cards that phones deal.

Only the browser that took hidden cards sees them before the end. They are stored on the seats and the sheet only: never
in the log, a list or a message.
"""

from django.http import HttpRequest
from django.utils import timezone

from cardgames.companion import services
from cardgames.companion.entries import ChangeTurn, CoverRole, DealRoles, RevealRoles, TakeRole, is_turn_word
from cardgames.companion.models import SHEET_LASTS
from cardgames.engine.printed_game import UNKNOWN_ACT, Companion, State, Tap, TurnAct
from cardgames.games import SHELF, find_companion
from cardgames.models import Sheet, SheetSeat
from people.models import Pass
from people.passes import services as passes_services
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


# ── Hidden cards that phones deal ──────────────────────────────────────────────────────────────────────


NOT_KEEPER = "Only the person who started the score sheet can do this."
TAKEN = "Another phone has this role. If that is a mistake, deal the roles again."
COVERED = "You have already seen and covered this role. It is shown again when the game is over."


def deal_roles(sheet: Sheet, who: Who, *, key: str, seen: int) -> Sheet:
    """Deals the hidden cards if the sheet is still at step ``seen``. Only the keeper can deal again."""
    companion = find_companion(sheet.game)
    if companion.hidden is None:
        raise Refusal("This game has no hidden roles.")
    is_dealt = sheet.state.get("dealt") or companion.leader(sheet.state) is not None
    if is_dealt and not sheet.is_kept_by(who):
        raise Refusal(NOT_KEEPER, status=403)

    def change(now: Sheet, seats: dict[int, SheetSeat]) -> None:
        if now.state.get("step", 0) != seen:
            raise Refusal(services.MOVED_ON, status=409)
        deal = companion.deal(len(seats), services.new_dice())
        now.table_cards = list(deal.table)
        for number, cards in enumerate(deal.hands):
            seat = seats[number]
            if seat.token_id is not None:
                passes_services.revoke_pass(seat.token)
            SheetSeat.objects.filter(pk=seat.pk).update(hidden_cards=list(cards), token=None, seen_at=None)
        now.roles_open = False
        now.state = {**now.state, "dealt": True, "over": False, "past": [], "step": now.state.get("step", 0) + 1}
        companion.begin_dealt(now.state, deal)

    return services.write_sheet(sheet, who, DealRoles(), change, key=key)


def take_role(request: HttpRequest, sheet: Sheet, number: int) -> None:
    """Gives this browser the untaken role of a seat. Everybody sees that it is taken."""
    who = request.who
    # The pass made under the lock: a later deal may already have given the seat to another phone.
    taken: Pass | None = None

    def change(now: Sheet, seats: dict[int, SheetSeat]) -> None:
        nonlocal taken
        seat = seats[number]
        if not seat.role:
            raise Refusal("The roles have not been dealt yet.", status=409)
        if seat.token_id is not None and not seat.is_held_by(who):
            raise Refusal(TAKEN, status=409)
        if seat.token_id is None:
            # Made by nobody, so that it is in nobody's list of links.
            taken = passes_services.create_pass(SheetSeat.PASS, seat.pk, by=None, lasts=SHEET_LASTS, uses=1)
            SheetSeat.objects.filter(pk=seat.pk).update(token=taken)

    services.write_sheet(sheet, who, TakeRole(number), change)
    if taken is not None:
        passes_services.hold_pass(request, taken)


def get_cards_for(who: Who, sheet: Sheet, seat: SheetSeat) -> list[str]:
    """The hidden cards if this browser may see them, or a refusal. At the end everybody may."""
    if not seat.role:
        raise Refusal("The roles have not been dealt yet.", status=409)
    if sheet.roles_open or seat.role in find_companion(sheet.game).open_cards:
        return list(seat.hidden_cards)
    if not seat.is_held_by(who):
        raise Refusal(TAKEN, status=403)
    if seat.seen_at is not None:
        raise Refusal(COVERED, status=403)
    return list(seat.hidden_cards)


def cover_role(sheet: Sheet, who: Who, number: int) -> None:
    """Covers a role before the phone is handed on: this browser does not show it again before the end."""
    seat = SheetSeat.objects.get(sheet=sheet, number=number)
    if not seat.is_held_by(who):
        raise Refusal(TAKEN, status=403)

    def change(now: Sheet, seats: dict[int, SheetSeat]) -> None:
        SheetSeat.objects.filter(pk=seat.pk, seen_at=None).update(seen_at=timezone.now())

    services.write_sheet(sheet, who, CoverRole(number), change)


def reveal_roles(sheet: Sheet, who: Who) -> Sheet:
    """Shows all roles to everybody. This ends the game, so nobody can peek unnoticed."""
    if not sheet.is_kept_by(who):
        raise Refusal(NOT_KEEPER, status=403)

    def change(now: Sheet, seats: dict[int, SheetSeat]) -> None:
        if not all(seat.role for seat in seats.values()):
            raise Refusal("The roles have not been dealt yet.", status=409)
        now.roles_open = True
        now.state = {**now.state, "over": True, "step": now.state.get("step", 0) + 1}

    return services.write_sheet(sheet, who, RevealRoles(), change)
