"""Pages of one seat: its cards and choices, moving it to another phone, and the host's actions for it."""

from collections.abc import Sequence
from http import HTTPStatus

from django.contrib import messages
from django.db.models import Count, QuerySet
from django.db.models.fields.json import KeyTextTransform
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from cardgames.engine import UNDO
from cardgames.models import Table
from cardgames.selectors import get_held_seat, get_held_seat_of, get_visible_table
from cardgames.tables import choice_services, host_actions, load_from_log
from cardgames.tables.board_frame import split_path
from cardgames.tables.core import acts
from cardgames.tables.display import TableDisplay, build_play_display, display_for_request
from cardgames.tables.seats import seat_and_watch_passes, seat_change_helpers, seating
from live.shared_parts import add_etag, add_version, not_modified_response
from log.models import Entry
from log.services import new_key
from pages.number_parsing import parse_int
from pages.site_address_for_guests import guest_url
from prepared_queries import prepared_query
from refusal import Refusal

State = Table.State
ASKED = "The host has been asked. If they agree, the seat is on this phone."
SECOND_TAP = "Your first tap counted. The second came too late and changed nothing."


def _has_lost_seat(request: HttpRequest, table: Table, number: int) -> bool:
    return number not in seat_change_helpers.held_seats(table, request.who) and seat_and_watch_passes.has_held_seat(
        request, table, number
    )


@never_cache  # or the browser's Back button would show covered cards
@require_safe
def seat_page(request: HttpRequest, code: str, number: int) -> HttpResponse:
    table = get_visible_table(request, code)
    if number < table.seats and number not in seat_change_helpers.held_seats(table, request.who):
        # A seat's address that somebody shared, or a seat that has moved: the table's page says what one can do.
        messages.warning(request, seat_and_watch_passes.NOT_HERE)
        return redirect(table)
    get_held_seat_of(request, table, number)
    if table.state == State.OVER:
        return redirect(table)
    display = display_for_request(request, table)
    if table.state in (State.LOBBY, State.CLOSED) or not seat_and_watch_passes.is_uncovered(request, display, number):
        return redirect(table)
    return render(request, "cardgames/tables/seats/seat.html", _seat_context(table, display, number, has_menu=True))


@require_safe
def seat_menu(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """What the menu of a seat holds. Pages fetch it when it is opened: it tells the whole game."""
    table = get_visible_table(request, code)
    get_held_seat_of(request, table, number)
    display = display_for_request(request, table)
    if table.state != State.PLAY or not seat_and_watch_passes.is_uncovered(request, display, number):
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    context = _seat_context(table, display, number, has_menu=True)
    return render(request, "cardgames/tables/seats/_menu_sheet.html", context)


@require_safe
def seat_part(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """The seat for live updates, or the cover if the cards are covered again."""
    table = get_visible_table(request, code)
    if _has_lost_seat(request, table, number):
        return render(
            request,
            "cardgames/tables/seats/_seat_lost.html",
            {"table": table, "sentence": seat_and_watch_passes.NOT_HERE},
        )
    get_held_seat_of(request, table, number)
    opened = request.session.get(seat_and_watch_passes.UNCOVERED, {}).get(str(table.pk))
    if answer := not_modified_response(request, table.log.version, opened, _count_sealed_answers(table, number)):
        return answer
    return add_etag(request, _render_seat_part(request, table, number))


@prepared_query
def _sealed_counts(log_id: int, seat: str) -> QuerySet[Entry]:
    answers = Entry.objects.filter(log=log_id).alias(seat=KeyTextTransform("seat", "body")).filter(seat=seat)
    return answers.order_by().values("log").annotate(count=Count("pk")).values_list("count", flat=True)


def _count_sealed_answers(table: Table, number: int) -> int:
    """How many sealed answers this seat has given. Nothing may show the answers of others."""
    return (table.sealed.length and _sealed_counts.first(table.sealed_id, str(number))) or 0


def _render_seat_part(
    request: HttpRequest,
    table: Table,
    number: int,
    notice: str = "",
    path: Sequence[str] = (),
    replay: load_from_log.SeatReplay | None = None,
    display: TableDisplay | None = None,
) -> HttpResponse:
    display = display or display_for_request(request, table, has_news=False)
    if table.state == State.OVER:
        return render(request, "cardgames/tables/_go_to_finale.html", {"table": table})
    if table.state in (State.LOBBY, State.CLOSED) or not seat_and_watch_passes.is_uncovered(request, display, number):
        return render(request, "cardgames/tables/seats/_cover.html", {"display": display, "key": new_key()})
    return render(
        request,
        "cardgames/tables/seats/_seat.html",
        {**_seat_context(table, display, number, path, replay), "notice": notice},
    )


def _seat_context(
    table: Table,
    display: TableDisplay,
    number: int,
    path: Sequence[str] = (),
    replay: load_from_log.SeatReplay | None = None,
    *,
    has_menu: bool = False,
) -> dict:
    """Without a menu only what happened since this seat's last turn is put into words."""
    running, past = load_from_log.load_for_seat(table, number, replay)
    row = display.seats[number]
    can_choose = not table.paused and not row.bot
    play = build_play_display(
        load_from_log.replay_to_look_ahead(running) if path else running,
        number,
        display.names,
        0 if has_menu else past.events,
        people=display.seats,
        path=path if can_choose else (),
        past=past,
    )
    load_from_log.keep_game(table, running)
    return {
        "display": display,
        "play": play,
        "seat": row,
        "key": new_key(),
        "several": len(display.mine) > 1,
        "can_choose": can_choose,
        "has_menu": has_menu,
    }


@require_POST
def choose(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """Selects or confirms. ``pick`` only shows what a choice would do; ``choice``, once or more, makes it."""
    table, mine, token = get_held_seat(request, code, number)
    choices, stamp = request.POST.getlist("choice"), request.POST.get("stamp", "")
    if "pick" in request.POST:
        return _render_selection(request, table, number, stamp)
    # The outbox shows the seat at once: the game is played for both.
    is_shown = request.headers.get("X-Outbox") and choices != [UNDO]
    replay = load_from_log.SeatReplay(number) if is_shown else None
    try:
        key = request.POST.get("key", "")
        choice_services.submit_choice(table, mine, token, key=key, choice=choices, stamp=stamp, replay=replay)
    except Refusal:
        if request.headers.get("X-Outbox") and choice_services.has_already_answered(table, number, stamp):
            return _render_seat_part(request, get_visible_table(request, code), number, notice=SECOND_TAP)
        raise
    if replay is None or not replay.bring_up_to_date(table, request.who):
        table = get_visible_table(request, code)
    if choices != [UNDO] and number not in table.asked:
        seat_and_watch_passes.cover_cards(request, table)
    if request.headers.get("X-Outbox"):
        return add_version(request, _render_seat_part(request, table, number, replay=replay), table.log)
    return redirect("cardgames:seat", code, number)


def _render_selection(request: HttpRequest, table: Table, number: int, stamp: str) -> HttpResponse:
    """The seat with something selected. It is sent, not part of the address, so that no log names a card."""
    is_part = bool(request.headers.get("X-Live"))
    display = display_for_request(request, table, has_news=not is_part)
    if table.state != State.PLAY or not seat_and_watch_passes.is_uncovered(request, display, number):
        return redirect(table)
    path = split_path(request.POST["pick"])
    if choice_services.had_already_answered(table, number, stamp):
        path = ()
    if is_part:
        return _render_seat_part(request, table, number, path=path, display=display)
    return render(
        request, "cardgames/tables/seats/seat.html", _seat_context(table, display, number, path, has_menu=True)
    )


@require_POST
def show_cards(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """The phone is in the right hands: show this seat's cards."""
    table, _, _ = get_held_seat(request, code, number)
    seat_and_watch_passes.uncover_seat(request, table, number)
    return redirect("cardgames:seat", code, number)


@require_POST
def manage_own_seat(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """Cover, leave, or hand your seat to a bot."""
    table, _, _ = get_held_seat(request, code, number)
    key, act = request.POST.get("key", ""), request.POST.get("act", "")
    if act == "cover":
        seat_and_watch_passes.cover_cards(request, table)
        return redirect(table)
    if act == "leave":
        if "sure" not in request.POST:
            return _ask_before_leaving(request, table, number)
        seating.leave_seat(table, request.who, acts.LeaveSeat(number), key=key)
        return redirect("cardgames:overview", code)
    if act == "host":
        host_actions.take_over_hosting(table, request.who, acts.TakeOverHosting(number), key=key)
        return redirect("cardgames:overview", code)
    if act in ("bot", "back"):
        level = request.POST.get("level", seat_change_helpers.DEFAULT_BOT) if act == "bot" else ""
        seating.set_bot(table, request.who, acts.SetBot(number, level), key=key)
        return redirect("cardgames:seat", code, number)
    raise Refusal("You can leave the seat, hand it to a bot, take it back or cover it.", field="act")


def _ask_before_leaving(request: HttpRequest, table: Table, number: int) -> HttpResponse:
    running = table.state == State.PLAY
    context = {
        "table": table,
        "question": "Leave this seat for good?",
        "more": (
            "A bot plays your cards from then on. To come back later, let a bot play for you instead."
            if running
            else "Somebody else can then sit there."
        )
        + " You can undo this for a minute.",
        "act": "leave",
        "button": "Leave the seat",
        "back": reverse("cardgames:seat", args=[table.code, number]) if running else table.get_absolute_url(),
    }
    return render(request, "cardgames/tables/confirm.html", context)


@require_POST
def restore_seat(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """Undoes that somebody left this seat."""
    table = get_visible_table(request, code)
    seating.restore_seat(request, table, acts.RestoreSeat(number), key=request.POST.get("key", ""))
    return redirect(table)


@require_POST
def sit_down(request: HttpRequest, code: str) -> HttpResponse:
    table = get_visible_table(request, code)
    friend = bool(seat_change_helpers.held_seats(table, request.who))
    number = _parse_number(request.POST["seat"]) if request.POST.get("seat") else None
    wanted = acts.SitDown(number, request.POST.get("name", ""))
    seat = seating.sit_down(request, table, wanted, key=request.POST.get("key", ""))
    if seat.claim_id is not None and any(held.pk == seat.claim_id for held in request.who.passes):
        messages.success(request, ASKED)
        return redirect(f"{reverse('cardgames:overview', args=[code])}?wait")
    if table.state == State.PLAY:
        seat_and_watch_passes.cover_cards(request, table)
        return redirect(table)
    who_sits = f"{load_from_log.get_seat_name(seat)} has" if friend else "You have"
    messages.success(request, f"{who_sits} seat {seat.number + 1}.")
    return redirect(table)


@require_http_methods(["GET", "POST"])
def transfer_link(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """The code that moves this seat to the phone that scans it. It is shown once; each request makes a new one."""
    table = get_visible_table(request, code)
    display = display_for_request(request, table)
    if number >= len(display.seats) or (number not in display.mine and not display.is_host):
        raise Http404
    address = None
    if request.method == "POST":
        row = seating.create_transfer_link(table, request.who, number)
        address = guest_url(row.get_absolute_url())
    return render(
        request,
        "cardgames/tables/seats/transfer_link.html",
        {"display": display, "seat": display.seats[number], "address": address},
    )


@require_POST
def claim_seat(request: HttpRequest, code: str, number: int) -> HttpResponse:
    table = get_visible_table(request, code)
    if seating.claim_seat(request, table, acts.ClaimSeat(number), key=request.POST.get("key", "")):
        return redirect(table)
    messages.success(request, ASKED)
    return redirect(f"{reverse('cardgames:overview', args=[code])}?wait")


@require_POST
def manage_seat(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """The host's actions for one seat."""
    table = get_visible_table(request, code)
    seat_change_helpers.require_host(table, request.who)
    data = request.POST
    key, act = data.get("key", ""), data.get("act", "")
    if act == "remove":
        host_actions.free_seat(table, request.who, acts.FreeSeat(number), key=key)
    elif act == "rename":
        host_actions.rename_seated_guest(table, request.who, acts.RenameGuest(number, data.get("name", "")), key=key)
    elif act in ("bot", "back"):
        level = data.get("level", "") if act == "bot" else ""
        if act == "bot" and not level:
            raise Refusal("Choose a bot.", field="level")
        seating.set_bot(table, request.who, acts.SetBot(number, level), key=key)
    elif act in ("cohost", "no_cohost"):
        host_actions.set_cohost(table, request.who, acts.SetCohost(number, act == "cohost"), key=key)
    elif act in ("give", "refuse"):
        wanted = _parse_number(data.get("claim", ""))
        seating.decide_claim(table, request.who, acts.DecideClaim(number, act == "give", wanted), key=key)
    else:
        raise Refusal("The host can free, rename or move a seat, or hand it to a bot.", field="act")
    return redirect("cardgames:overview", code)


def _parse_number(text: str) -> int:
    if (number := parse_int(text)) is None:
        raise Refusal("Choose a seat.", field="seat")
    return number
