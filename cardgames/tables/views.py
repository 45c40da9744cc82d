"""Pages of card tables: hosting, joining, watching, the overview, the TV and the host's actions."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from cardgames import registry
from cardgames.games import SHELF, find_game
from cardgames.models import CODE_PATTERN, Result, Table
from cardgames.selectors import get_visible_table
from cardgames.tables import host_actions, load_from_log, rematch, table_creation
from cardgames.tables.display import TableDisplay, build_play_display, build_table_display
from cardgames.tables.forms import HostForm, JoinForm
from cardgames.tables.seats import passes, seat_change, seating, shared_phone
from live.etag import add_etag, not_modified_response, render_once
from log.services import new_key
from pages.guest_address import guest_url
from pages.refusal_handling import add_refusal_to_form
from people.login_redirect import person_required
from people.requester import Who
from refusal import Refusal

State = Table.State
NO_TABLE = "No table has this code. Check the code on the host's phone."


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Join or host a table, your tables, and past games."""
    mine = Table.objects.played_or_hosted_by(request.who).select_related("log")
    context = {
        "games": SHELF.values(),
        "tables": [(table, find_game(table.game, table.rules)) for table in mine.open()[:20]],
        "results": Result.objects.visible_to(request.who)[:5],
        "form": JoinForm(),
    }
    return render(request, "cardgames/tables/index.html", context)


@person_required
@require_http_methods(["GET", "POST"])
def host_table(request: HttpRequest, game: str) -> HttpResponse:
    found = find_game(game)
    initial = {"key": new_key()}
    if "deck" in request.GET:
        initial["deck"] = request.GET["deck"]
    form = HostForm(request.POST or None, who=request.who, game=found, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            table = table_creation.open_table(
                request.who,
                key=form.cleaned_data["key"],
                game=game,
                seats=form.cleaned_data.get("seats"),
                options=form.options(),
                deck=form.deck(),
            )
        except Refusal as refusal:
            add_refusal_to_form(form, refusal)
        else:
            return redirect(table)
    return render(
        request, "cardgames/tables/host.html", {"form": form, "game": found}, status=422 if form.is_bound else 200
    )


@require_POST
def join_table(request: HttpRequest) -> HttpResponse:
    """Opens the table with this code, in upper or lower case."""
    form = JoinForm(request.POST)
    code = str(request.POST.get("code", "")).strip().upper()
    if CODE_PATTERN.fullmatch(code):
        if url := registry.find_by_code(code):
            return redirect(url)
        try:
            return redirect(get_visible_table(request, code))
        except Http404:
            pass
    form.add_error("code", NO_TABLE)
    return render(request, "cardgames/tables/join.html", {"form": form}, status=404)


@require_safe
def table_page(request: HttpRequest, code: str) -> HttpResponse:
    """Where the code leads: the lobby, your seat, the cover on a shared phone, or the game to watch."""
    table = get_visible_table(request, code)
    rematch.carry_seats_over(request, table)
    passes.grant_watch_pass(request, table)
    if table.state in (State.LOBBY, State.CLOSED):
        return _render_overview(request, table, lobby=True)
    display = build_table_display(table, request.who)
    opened = shared_phone.get_uncovered_seat(request, display)
    if opened is not None:
        return redirect("cardgames:seat", code, opened)
    if display.mine:
        return render(request, "cardgames/tables/seats/cover.html", {"display": display, "key": new_key()})
    return render(request, "cardgames/tables/watch.html", _watch_context(table, display))


@require_safe
def table_part(request: HttpRequest, code: str) -> HttpResponse:
    """The cover or the watched game, for live updates."""
    table = get_visible_table(request, code)
    mine = tuple(seat_change.held_seats(table, request.who))
    if answer := not_modified_response(request, table.log.version, mine):
        return answer
    display = build_table_display(table, request.who)
    if display.mine:
        return add_etag(
            request, render(request, "cardgames/tables/seats/_cover.html", {"display": display, "key": new_key()})
        )
    return add_etag(request, render(request, "cardgames/tables/_watch.html", _watch_context(table, display)))


def _watch_context(table: Table, display: TableDisplay) -> dict:
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
    passes.grant_watch_pass(request, table)
    return _render_overview(request, table, lobby=False)


def _render_overview(request: HttpRequest, table: Table, *, lobby: bool) -> HttpResponse:
    display = build_table_display(table, request.who)
    context = {"display": display, "key": new_key(), "lobby": lobby}
    context["address"] = guest_url(table.get_absolute_url())
    # A host at an empty table needs the code first.
    context["invite_first"] = (
        table.state == State.LOBBY and display.is_host and len(display.free_seats) == len(display.seats) > 1
    )
    return render(request, "cardgames/tables/overview.html", context)


@require_safe
def overview_part(request: HttpRequest, code: str) -> HttpResponse:
    table = get_visible_table(request, code)
    lobby = "lobby" in request.GET
    held = tuple(sorted(row.pk for row in request.who.passes))
    if answer := not_modified_response(request, table.log.version, held):
        return answer
    context = {"display": build_table_display(table, request.who), "key": new_key(), "lobby": lobby}
    return add_etag(request, render(request, "cardgames/tables/_overview.html", context))


@require_safe
def tv(request: HttpRequest, code: str) -> HttpResponse:
    """For a TV or another big screen: public information only, large."""
    table = get_visible_table(request, code)
    passes.grant_watch_pass(request, table)
    context = _tv_context(table)
    context["address"] = guest_url(table.get_absolute_url())
    return render(request, "cardgames/tables/tv.html", context)


@require_safe
def tv_part(request: HttpRequest, code: str) -> HttpResponse:
    table = get_visible_table(request, code)
    return render_once(
        request, lambda: render(request, "cardgames/tables/_tv.html", _tv_context(table)), table.log.version
    )


def _tv_context(table: Table) -> dict:
    """As a passer-by sees it, whoever opened the screen: it is drawn once for all."""
    display = build_table_display(table, Who())
    return {**_watch_context(table, display), "address": guest_url(table.get_absolute_url())}


@require_POST
def manage_table(request: HttpRequest, code: str) -> HttpResponse:
    """The host's actions for the whole table."""
    table = get_visible_table(request, code)
    key, act = request.POST.get("key", ""), request.POST.get("act", "")
    if act == "start":
        host_actions.start_game(table, request.who, key=key)
        return redirect(table)
    if act in ("pause", "resume"):
        host_actions.set_paused(table, request.who, key=key, paused=act == "pause")
    elif act == "fill":
        seating.fill_with_bots(table, request.who, key=key)
        return redirect(table)
    elif act == "again":
        return redirect(rematch.start_rematch(table, request.who, key=key))
    elif act == "call_off":
        host_actions.call_off_table(table, request.who, key=key)
    else:
        seat_change.require_host(table, request.who)
        raise Refusal(
            "The host can fill, start, pause, resume or call off a table, or start a rematch.",
            field="act",
        )
    return redirect("cardgames:overview", code)
