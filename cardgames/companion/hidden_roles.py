"""Hidden roles on phones beside printed cards. A role is shown to the one browser that took it, and to nobody else before the end.

What is dealt stands on the seats alone: never in the log, in a list, or in a message.
"""

from __future__ import annotations

from django.http import HttpRequest
from django.utils import timezone

from cardgames import sheets
from cardgames.games.menagerie import companion as menagerie
from cardgames.games.menagerie.faces import VIZIER
from cardgames.models import Sheet, SheetSeat
from cardgames.side_models import SHEET_LASTS
from people import passes
from people.models import Pass
from people.who import Who
from refusal import Refusal

NOT_KEEPER = "Only who began the sheet does this."
TAKEN = "Another phone has this role. If that is a mistake, deal the roles again."
COVERED = "This role was looked at and covered. It is shown again when the game is over."


def deal(sheet: Sheet, who: Who, *, key: str, seen: int) -> Sheet:
    """Deal the four roles, as long as the table stands at the step ``seen``. Dealing again is for the keeper, and voids what the phones hold."""
    if sheet.game != "menagerie":
        raise Refusal("This game has no hidden roles.")
    if sheet.state.get("vizier") is not None and not sheets.is_keeper(who, sheet):
        raise Refusal(NOT_KEEPER, status=403)

    def change(now: Sheet, seats: dict[int, SheetSeat]) -> None:
        if now.state.get("step", 0) != seen:
            raise Refusal(sheets.MOVED_ON, status=409)
        roles = menagerie.deal_roles(sheets.fresh_dice())
        for number, role in enumerate(roles):
            seat = seats[number]
            if seat.token_id is not None:
                passes.revoke(seat.token)
            SheetSeat.objects.filter(pk=seat.pk).update(role=role, token=None, seen_at=None)
        vizier = roles.index(VIZIER)
        start = menagerie.starter(vizier)
        now.roles_open = False
        now.state = {
            **now.state,
            "vizier": vizier,
            "dealt": True,
            "start": start,
            "active": start,
            "turn": 1,
            "ends": False,
            "out": [],
            "over": False,
            "past": [],
            "step": now.state.get("step", 0) + 1,
        }

    return sheets.write(sheet, who, "roles-dealt", {}, change, key=key)


def held(who: Who, seat: SheetSeat) -> bool:
    """Whether this browser took the role."""
    return seat.token_id is not None and any(row.pk == seat.token_id for row in who.passes)


def take(request: HttpRequest, sheet: Sheet, number: int) -> None:
    """This browser takes the role of a seat that nobody has taken yet. All see that it is taken."""
    who = request.who
    # The very pass made under the lock: after it a new deal may already have given the seat to another phone.
    taken: Pass | None = None

    def change(now: Sheet, seats: dict[int, SheetSeat]) -> None:
        nonlocal taken
        seat = seats[number]
        if not seat.role:
            raise Refusal("The roles are not dealt yet.", status=409)
        if seat.token_id is not None and not held(who, seat):
            raise Refusal(TAKEN, status=409)
        if seat.token_id is None:
            # Made by nobody: it must not stand in anybody's list of links.
            taken = passes.make(SheetSeat.PASS, seat.pk, by=None, lasts=SHEET_LASTS, uses=1)
            SheetSeat.objects.filter(pk=seat.pk).update(token=taken)

    sheets.write(sheet, who, "role-taken", {"seat": number}, change)
    if taken is not None:
        passes.hold(request, taken)


def role_for(who: Who, sheet: Sheet, seat: SheetSeat) -> str:
    """The role as this browser may see it now, or a refusal. Shown to all at the end, and the Vizier's always."""
    if not seat.role:
        raise Refusal("The roles are not dealt yet.", status=409)
    if sheet.roles_open or seat.role == VIZIER:
        return seat.role
    if not held(who, seat):
        raise Refusal(TAKEN, status=403)
    if seat.seen_at is not None:
        raise Refusal(COVERED, status=403)
    return seat.role


def cover(sheet: Sheet, who: Who, number: int) -> None:
    """Looked at on a phone that goes on to the next: this browser does not show it again before the end."""
    seat = SheetSeat.objects.get(sheet=sheet, number=number)
    if not held(who, seat):
        raise Refusal(TAKEN, status=403)

    def change(now: Sheet, seats: dict[int, SheetSeat]) -> None:
        SheetSeat.objects.filter(pk=seat.pk, seen_at=None).update(seen_at=timezone.now())

    sheets.write(sheet, who, "role-covered", {"seat": number}, change)


def lay_open(sheet: Sheet, who: Who) -> Sheet:
    """The game is over: all roles are shown to all. It ends the game, so nobody peeks unseen."""
    if not sheets.is_keeper(who, sheet):
        raise Refusal(NOT_KEEPER, status=403)

    def change(now: Sheet, seats: dict[int, SheetSeat]) -> None:
        if not all(seat.role for seat in seats.values()):
            raise Refusal("The roles are not dealt yet.", status=409)
        now.roles_open = True
        now.state = {**now.state, "over": True, "step": now.state.get("step", 0) + 1}

    return sheets.write(sheet, who, "roles-open", {}, change)
