"""Pages of card tables: hosting, joining, watching, the overview, the TV and the host's actions."""

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from cardgames.games import SHELF, find_game
from cardgames.models import Result, Table
from cardgames.selectors import NO_TABLE, find_by_typed_code, get_visible_table
from cardgames.tables import host_actions, load_from_log, table_creation
from cardgames.tables.core import acts
from cardgames.tables.display import TableDisplay, build_play_display, build_table_display, display_for_request
from cardgames.tables.finale_display import finale_context
from cardgames.tables.forms import HostForm, JoinForm
from cardgames.tables.seats import seat_and_watch_passes, seat_change_helpers, seating
from cardgames.tables.table_creation import can_host, remember_new_host
from live.shared_parts import add_etag, not_modified_response, render_once
from log.services import new_key
from pages.fields.columns_and_rows import extend
from pages.refusal_handling import add_refusal_to_form
from pages.site_address_for_guests import guest_url
from people.guests import is_remembered_guest
from people.login_required import redirect_to_login
from people.requester import Who, WhoWithPasses
from prepared_queries import prepared_query
from refusal import Refusal

State = Table.State


@prepared_query
def _open_tables(who: Who) -> QuerySet[Table]:
    return Table.objects.played_or_hosted_by(who).open().defer("deck", "seed").select_related("log")[:20]


@prepared_query
def _newest_results(who: Who) -> QuerySet[Result]:
    return Result.objects.visible_to(who).defer("kept")[:5]


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Join or host a table, your tables, and past games."""
    who = WhoWithPasses(request.who)
    context = {
        "games": SHELF.values(),
        "can_host": can_host(request.who),
        "key": new_key(),
        "tables": [(table, find_game(table.game, table.rules)) for table in _open_tables(who)],
        "results": _newest_results(who),
        "form": JoinForm(who=request.who),
    }
    return render(request, "cardgames/tables/index.html", context)


@require_http_methods(["GET", "POST"])
def host_table(request: HttpRequest, game: str) -> HttpResponse:
    """Opens a table and seats its host. Without an account, a name is enough where strangers may sign up."""
    definition = find_game(game)
    if not can_host(request.who):
        return redirect_to_login(request)
    initial = {"key": new_key()}
    if "deck" in request.GET:
        initial["deck"] = request.GET["deck"]
    form = HostForm(request.POST or None, who=request.who, game=definition, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            return redirect(_open_table(request, form))
        except Refusal as refusal:
            add_refusal_to_form(form, refusal)
    return render(
        request, "cardgames/tables/host.html", {"form": form, "game": definition}, status=422 if form.is_bound else 200
    )


def _open_table(request: HttpRequest, form: HostForm) -> Table:
    key = form.cleaned_data["key"]
    remember_new_host(request, form.cleaned_data.get("name", ""), key=key)
    wanted = extend(acts.HostTable, form.sent, game=form.game.key)
    table = table_creation.open_table(request.who, wanted, key=key, deck=form.deck())
    seating.seat_host(request, table, key=key)
    return table


@require_http_methods(["GET", "POST"])
def change_rules(request: HttpRequest, code: str) -> HttpResponse:
    """Seats, deck and options, until the game begins."""
    table = get_visible_table(request, code)
    seat_change_helpers.require_host(table, request.who)
    if table.state != State.LOBBY:
        raise Refusal("The game has already started.", status=409)
    game = find_game(table.game)
    form = HostForm(request.POST or None, who=request.who, game=game, table=table, initial={"key": new_key()})
    if request.method == "POST" and form.is_valid():
        try:
            key = form.cleaned_data["key"]
            host_actions.change_rules(table, request.who, form.sent, key=key, deck=form.deck())
        except Refusal as refusal:
            add_refusal_to_form(form, refusal)
        else:
            return redirect(table)
    context = {"form": form, "game": game, "table": table}
    return render(request, "cardgames/tables/rules.html", context, status=422 if form.is_bound else 200)


@require_POST
def join_table(request: HttpRequest) -> HttpResponse:
    """Leads to what has the code. A guest who gave a name sits down at once if the game has not begun."""
    form = JoinForm(request.POST, who=request.who)
    destination = find_by_typed_code(request, request.POST.get("code", ""))
    if not destination:
        form.add_error("code", NO_TABLE)
        return render(request, "cardgames/tables/join.html", {"form": form}, status=404)
    if isinstance(destination, Table) and form.is_valid() and form.cleaned_data.get("name"):
        try:
            seating.sit_down_at_once(request, destination, key=form.cleaned_data["key"], name=form.cleaned_data["name"])
        except Refusal as refusal:
            add_refusal_to_form(form, refusal)
            return render(request, "cardgames/tables/join.html", {"form": form}, status=refusal.status)
    return redirect(destination)


@require_safe
def table_page(request: HttpRequest, code: str) -> HttpResponse:
    """Where the code leads: the lobby, your seat, the cover on a shared phone, or the game to watch."""
    table = get_visible_table(request, code)
    table_creation.carry_seats_over(request, table)
    seat_and_watch_passes.grant_watch_pass(request, table)
    if table.state in (State.LOBBY, State.CLOSED):
        return _render_overview(request, table, lobby=True)
    display = display_for_request(request, table)
    if table.state == State.OVER:
        return render(request, "cardgames/tables/finale.html", finale_context(table, display))
    opened = seat_and_watch_passes.get_uncovered_seat(request, display)
    if opened is not None:
        return redirect("cardgames:seat", code, opened)
    if display.mine:
        return render(request, "cardgames/tables/seats/cover.html", {"display": display, "key": new_key()})
    return render(request, "cardgames/tables/watch.html", _watch_context(table, display))


@require_safe
def table_part(request: HttpRequest, code: str) -> HttpResponse:
    """The cover or the watched game, for live updates."""
    table = get_visible_table(request, code)
    mine = tuple(seat_change_helpers.held_seats(table, request.who))
    if answer := not_modified_response(request, table.log.version, mine):
        return answer
    display = display_for_request(request, table)
    if table.state in (State.LOBBY, State.CLOSED):
        # People who watched a game that was called off see that it was.
        part = "_lobby" if table.state == State.LOBBY else "_overview"
        context = _overview_context(request, display, lobby=True) | {"was_watching": True}
        return add_etag(request, render(request, f"cardgames/tables/{part}.html", context))
    if table.state == State.OVER:
        return add_etag(request, render(request, "cardgames/tables/_finale.html", finale_context(table, display)))
    if display.mine:
        return add_etag(
            request, render(request, "cardgames/tables/seats/_cover.html", {"display": display, "key": new_key()})
        )
    return add_etag(request, render(request, "cardgames/tables/_watch.html", _watch_context(table, display)))


def _watch_context(table: Table, display: TableDisplay) -> dict[str, object]:
    running = load_from_log.load_if_begun(table)
    return {
        "display": display,
        "play": build_play_display(running, None, display.names, people=display.seats) if running else None,
        "key": new_key(),
    }


@require_safe
def overview(request: HttpRequest, code: str) -> HttpResponse:
    """Who sits where, the code to share, and the host's actions."""
    table = get_visible_table(request, code)
    seat_and_watch_passes.grant_watch_pass(request, table)
    return _render_overview(request, table, lobby="wait" in request.GET)


def _render_overview(request: HttpRequest, table: Table, *, lobby: bool) -> HttpResponse:
    display = display_for_request(request, table)
    context = _overview_context(request, display, lobby)
    context["address"] = guest_url(table.get_absolute_url())
    page = "lobby" if table.state == State.LOBBY else "overview"
    return render(request, f"cardgames/tables/{page}.html", context)


def _overview_context(request: HttpRequest, display: TableDisplay, lobby: bool) -> dict[str, object]:
    return {
        "display": display,
        "key": new_key(),
        "lobby": lobby,
        "is_remembered": is_remembered_guest(request.who),
    }


@require_safe
def overview_part(request: HttpRequest, code: str) -> HttpResponse:
    table = get_visible_table(request, code)
    lobby = "lobby" in request.GET
    held = tuple(sorted(row.pk for row in request.who.passes))
    if answer := not_modified_response(request, table.log.version, held):
        return answer
    context = _overview_context(request, display_for_request(request, table), lobby)
    part = "_lobby" if table.state == State.LOBBY else "_overview"
    return add_etag(request, render(request, f"cardgames/tables/{part}.html", context))


@require_safe
def tv(request: HttpRequest, code: str) -> HttpResponse:
    """For a TV or another big screen: public information only, large."""
    table = get_visible_table(request, code)
    seat_and_watch_passes.grant_watch_pass(request, table)
    return render(request, "cardgames/tables/tv.html", _tv_context(table))


@require_safe
def tv_part(request: HttpRequest, code: str) -> HttpResponse:
    table = get_visible_table(request, code)
    return render_once(
        request, lambda: render(request, "cardgames/tables/_tv.html", _tv_context(table)), table.log.version
    )


def _tv_context(table: Table) -> dict[str, object]:
    """As a stranger sees the table, whoever opened the page on the TV."""
    display = build_table_display(table, Who())
    shown = finale_context(table, display) if table.state == State.OVER else _watch_context(table, display)
    if play := shown.get("play"):
        shown["players"] = [(seat, play.scores[seat.number].points) for seat in display.seats]
    return {**shown, "address": guest_url(table.get_absolute_url())}


@require_POST
def manage_table(request: HttpRequest, code: str) -> HttpResponse:
    """The host's actions for the whole table."""
    table = get_visible_table(request, code)
    key, act = request.POST.get("key", ""), request.POST.get("act", "")
    if act in ("start", "begin"):
        level = request.POST.get("level", seat_change_helpers.DEFAULT_BOT) if act == "begin" else ""
        host_actions.start_game(table, request.who, acts.StartGame(level), key=key)
        return redirect(table)
    if act in ("pause", "resume"):
        host_actions.set_paused(table, request.who, acts.SetPaused(act == "pause"), key=key)
    elif act == "fill":
        seating.fill_with_bots(table, request.who, acts.FillWithBots(), key=key)
        return redirect(table)
    elif act == "again":
        return redirect(table_creation.start_rematch(table, request.who, acts.StartRematch(), key=key))
    elif act == "call_off":
        seat_change_helpers.require_host(table, request.who)
        if "sure" not in request.POST:
            return _ask_before_calling_off(request, table)
        host_actions.call_off_table(table, request.who, acts.CallOffTable(), key=key)
    elif act == "undo_call_off":
        host_actions.undo_call_off(table, request.who, acts.UndoCallOff(), key=key)
        return redirect(table)
    else:
        seat_change_helpers.require_host(table, request.who)
        raise Refusal(
            "The host can fill, start, pause, resume or call off a table, or start a rematch.",
            field="act",
        )
    return redirect("cardgames:overview", code)


def _ask_before_calling_off(request: HttpRequest, table: Table) -> HttpResponse:
    running = table.state == State.PLAY
    context = {
        "table": table,
        "question": f"Call off {'the running game' if running else 'this table'}?",
        "more": "The game ends for everybody, without a result. You can undo this for a minute.",
        "act": "call_off",
        "button": "Call off the game",
        "back": reverse("cardgames:overview", args=[table.code]),
    }
    return render(request, "cardgames/tables/confirm.html", context)
