"""One seat from its own phone: what it sees, what it chooses, and how it moves to another phone."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from cardgames import covers, door, hosting, links, loading, moving, seat_acts, seating
from cardgames.engine import UNDO
from cardgames.models import Seat, Table
from cardgames.sheet import TableSheet, play_sheet, table_sheet
from cardgames.views import visible
from live.etag import tagged, unchanged
from log.door import new_key
from log.models import Entry
from pages.address import guest_url
from pages.numbers import whole
from people.models import Pass
from refusal import Refusal

State = Table.State
SECOND_TAP = "Your first tap counted. The second came when the table had moved on, and changed nothing."


def held(request: HttpRequest, code: str, number: int) -> tuple[Table, Seat, Pass]:
    """The seat, if this browser holds its pass. A phone that has lost it is told so; for everybody else it is not there."""
    table = visible(request, code)
    found = seat_acts.held_seats(table, request.who).get(number)
    if found is None:
        if links.has_held(request, table, number):
            raise Refusal(links.NOT_HERE, status=409)
        raise Http404
    return table, *found


def _is_lost(request: HttpRequest, table: Table, number: int) -> bool:
    return number not in seat_acts.held_seats(table, request.who) and links.has_held(request, table, number)


@never_cache  # or the way back in a browser's history would lead under the cover
@require_safe
def seat(request: HttpRequest, code: str, number: int) -> HttpResponse:
    table = visible(request, code)
    if _is_lost(request, table, number):
        messages.warning(request, links.NOT_HERE)
        return redirect(table)
    table, _, _ = held(request, code, number)
    sheet = table_sheet(table, request.who)
    if table.state in (State.LOBBY, State.CLOSED) or not covers.is_open(request, sheet, number):
        return redirect(table)
    return render(request, "cardgames/seat.html", _drawn(request, table, sheet, number))


@require_safe
def part(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """The seat's page alone, for phones that heard of news; the cover, if it lies on the cards again."""
    table = visible(request, code)
    if _is_lost(request, table, number):
        return render(request, "cardgames/_lost.html", {"table": table, "sentence": links.NOT_HERE})
    table, _, _ = held(request, code, number)
    opened = request.session.get(covers.OPEN, {}).get(str(table.pk))
    if answer := unchanged(request, table.log.version, opened, _answered(table, number)):
        return answer
    return tagged(request, _fragment(request, table, number))


def _answered(table: Table, number: int) -> int:
    """How often this seat has answered under seal; of the others' answers nothing may show."""
    return Entry.objects.filter(log_id=table.sealed_id, body__seat=number).count()


def _fragment(request: HttpRequest, table: Table, number: int, said: str = "") -> HttpResponse:
    sheet = table_sheet(table, request.who)
    if table.state in (State.LOBBY, State.CLOSED) or not covers.is_open(request, sheet, number):
        return render(request, "cardgames/_cover.html", {"sheet": sheet, "key": new_key()})
    return render(request, "cardgames/_seat.html", {**_drawn(request, table, sheet, number), "said": said})


def _drawn(request: HttpRequest, table: Table, sheet: TableSheet, number: int) -> dict:
    live = loading.load(table)
    play = play_sheet(live, number, sheet.names)
    row = sheet.seats[number]
    return {
        "sheet": sheet,
        "play": play,
        "seat": row,
        "key": new_key(),
        "several": len(sheet.mine) > 1,
        "may_choose": not table.paused and not row.bot,
    }


@require_POST
def choose(request: HttpRequest, code: str, number: int) -> HttpResponse:
    table, mine, token = held(request, code, number)
    choice, stamp = request.POST.get("choice", ""), request.POST.get("stamp", "")
    try:
        door.choose(table, mine, token, key=request.POST.get("key", ""), choice=choice, stamp=stamp)
    except Refusal:
        if request.headers.get("X-Outbox") and door.has_chosen(table, number, stamp):
            return _fragment(request, visible(request, code), number, said=SECOND_TAP)
        raise
    table = visible(request, code)
    if choice != UNDO and number not in table.asked:
        covers.cover(request, table)
    if request.headers.get("X-Outbox"):
        return _fragment(request, table, number)
    return redirect("cardgames:seat", code, number)


@require_POST
def show(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """The phone is in the right hands: show this seat's cards."""
    table, _, _ = held(request, code, number)
    covers.uncover(request, table, number)
    return redirect("cardgames:seat", code, number)


@require_POST
def own(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """What one does with one's own seat besides playing."""
    table, _, _ = held(request, code, number)
    key, act = request.POST.get("key", ""), request.POST.get("act", "")
    if act == "cover":
        covers.cover(request, table)
        return redirect(table)
    if act == "leave":
        seating.leave(table, request.who, key=key, number=number)
        return redirect(table)
    if act in ("bot", "back"):
        level = request.POST.get("level", seat_acts.DEFAULT_BOT) if act == "bot" else ""
        seating.set_bot(table, request.who, key=key, number=number, level=level)
        return redirect("cardgames:seat", code, number)
    raise Refusal("One stands up, hands the seat to a bot, takes it back, or covers it.", field="act")


@require_POST
def sit(request: HttpRequest, code: str) -> HttpResponse:
    table = visible(request, code)
    friend = bool(seat_acts.held_seats(table, request.who))
    seat = seating.sit(
        request,
        table,
        key=request.POST.get("key", ""),
        number=_number(request.POST.get("seat", "")),
        name=request.POST.get("name", ""),
    )
    if table.state == State.PLAY:
        covers.cover(request, table)
        return redirect(table)
    messages.success(
        request, f"{loading.name_of(seat) if friend else 'You'} {'has' if friend else 'have'} seat {seat.number + 1}."
    )
    return redirect(table)


@require_http_methods(["GET", "POST"])
def link(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """The code that moves this seat to the phone that scans it. Drawn once; whoever loads the page gets a new one by asking."""
    table = visible(request, code)
    sheet = table_sheet(table, request.who)
    if number >= len(sheet.seats) or (number not in sheet.mine and not sheet.is_host):
        raise Http404
    address = None
    if request.method == "POST":
        row = moving.link(table, request.who, number)
        address = guest_url(row.get_absolute_url())
    return render(request, "cardgames/link.html", {"sheet": sheet, "seat": sheet.seats[number], "address": address})


@require_POST
def claim(request: HttpRequest, code: str, number: int) -> HttpResponse:
    table = visible(request, code)
    if moving.claim(request, table, key=request.POST.get("key", ""), number=number):
        return redirect(table)
    messages.success(request, "The host has been asked. When they agree, the seat is on this phone.")
    return redirect("cardgames:around", code)


@require_POST
def run(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """What the host does with one seat."""
    table = visible(request, code)
    seat_acts.must_host(table, request.who)
    data = request.POST
    key, act = data.get("key", ""), data.get("act", "")
    if act == "remove":
        hosting.remove(table, request.who, key=key, number=number)
    elif act == "rename":
        hosting.rename(table, request.who, key=key, number=number, name=data.get("name", ""))
    elif act in ("bot", "back"):
        level = data.get("level", "") if act == "bot" else ""
        if act == "bot" and not level:
            raise Refusal("Choose which bot plays.", field="level")
        seating.set_bot(table, request.who, key=key, number=number, level=level)
    elif act in ("give", "refuse"):
        wanted = _number(data.get("claim", ""))
        moving.decide(table, request.who, key=key, number=number, yes=act == "give", claim=wanted)
    else:
        raise Refusal("The host renames, frees, gives or hands over a seat.", field="act")
    return redirect("cardgames:around", code)


def _number(text: str) -> int:
    if (number := whole(text)) is None:
        raise Refusal("Choose a seat.", field="seat")
    return number
