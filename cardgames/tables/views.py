"""Tables: opening one, coming to it by its code, what everybody around it sees, and what the host does with it."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from cardgames import addresses, again, covers, hosting, links, loading, opening, seat_acts, seating
from cardgames.forms import HostForm, JoinForm
from cardgames.games import SHELF, find_game
from cardgames.models import CODE, Result, Table
from cardgames.sheet import TableSheet, play_sheet, table_sheet
from live.etag import drawn_once, tagged, unchanged
from log.door import new_key
from pages.address import guest_url
from pages.refusals import say
from people.wall import known_only
from refusal import Refusal

State = Table.State
NO_TABLE = "No table has this code. Look at the host's phone again."


def visible(request: HttpRequest, code: str) -> Table:
    """The table with this code. For those who are not at it, a code that leads nowhere counts as a guess."""
    found = Table.objects.select_related("log", "host__merged_into", "result").filter(code=code)
    table = found.of(request.who).first() if request.who.passes or request.who.is_known else None
    if table is None:
        with addresses.CODES.attempt(request) as attempt:
            table = found.visible_to(request.who).first()
            if table is None:
                attempt.failed()
    if table is None:
        raise Http404
    return table


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Host a table, join one, your tables, and what was played."""
    mine = Table.objects.of(request.who).select_related("log")
    context = {
        "games": SHELF.values(),
        "tables": [(table, find_game(table.game, table.rules)) for table in mine.open()[:20]],
        "results": Result.objects.visible_to(request.who)[:5],
        "form": JoinForm(),
    }
    return render(request, "cardgames/index.html", context)


@known_only
@require_http_methods(["GET", "POST"])
def host(request: HttpRequest, game: str) -> HttpResponse:
    """A few plain questions, and the table stands."""
    found = find_game(game)
    initial = {"key": new_key()}
    if "deck" in request.GET:
        initial["deck"] = request.GET["deck"]
    form = HostForm(request.POST or None, who=request.who, game=found, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            table = opening.open_table(
                request.who,
                key=form.cleaned_data["key"],
                game=game,
                seats=form.cleaned_data.get("seats"),
                options=form.options(),
                deck=form.deck(),
            )
        except Refusal as refusal:
            say(form, refusal)
        else:
            return redirect(table)
    return render(request, "cardgames/host.html", {"form": form, "game": found}, status=422 if form.is_bound else 200)


@require_POST
def join(request: HttpRequest) -> HttpResponse:
    """The four letters, typed as one likes."""
    form = JoinForm(request.POST)
    code = str(request.POST.get("code", "")).strip().upper()
    if CODE.fullmatch(code):
        try:
            return redirect(visible(request, code))
        except Http404:
            pass
    form.add_error("code", NO_TABLE)
    return render(request, "cardgames/join.html", {"form": form}, status=404)


@require_safe
def table(request: HttpRequest, code: str) -> HttpResponse:
    """Where the code leads: to the lobby, to one's own seat, to the cover of a phone with several, or to a place to watch."""
    table = visible(request, code)
    again.bring_along(request, table)
    links.let_watch(request, table)
    if table.state in (State.LOBBY, State.CLOSED):
        return _around(request, table, lobby=True)
    sheet = table_sheet(table, request.who)
    opened = covers.open_seat(request, sheet)
    if opened is not None:
        return redirect("cardgames:seat", code, opened)
    if sheet.mine:
        return render(request, "cardgames/cover.html", {"sheet": sheet, "key": new_key()})
    return render(request, "cardgames/watch.html", _watched(table, sheet))


@require_safe
def part(request: HttpRequest, code: str) -> HttpResponse:
    """What the cover or the watcher's page shows, for pages that heard of news."""
    table = visible(request, code)
    mine = tuple(seat_acts.held_seats(table, request.who))
    if answer := unchanged(request, table.log.version, mine):
        return answer
    sheet = table_sheet(table, request.who)
    if sheet.mine:
        return tagged(request, render(request, "cardgames/_cover.html", {"sheet": sheet, "key": new_key()}))
    return tagged(request, render(request, "cardgames/_watch.html", _watched(table, sheet)))


def _watched(table: Table, sheet: TableSheet) -> dict:
    live = loading.live_of(table)
    return {"sheet": sheet, "play": play_sheet(live, None, sheet.names) if live else None, "key": new_key()}


@require_safe
def around(request: HttpRequest, code: str) -> HttpResponse:
    """Who sits where, the code to show, and the host's list of things to do."""
    table = visible(request, code)
    links.let_watch(request, table)
    return _around(request, table, lobby=False)


def _around(request: HttpRequest, table: Table, *, lobby: bool) -> HttpResponse:
    sheet = table_sheet(table, request.who)
    context = {"sheet": sheet, "key": new_key(), "lobby": lobby}
    context["address"] = guest_url(table.get_absolute_url())
    # A host alone with an empty table has the code to show before all else.
    context["come_first"] = table.state == State.LOBBY and sheet.is_host and len(sheet.free) == len(sheet.seats) > 1
    return render(request, "cardgames/around.html", context)


@require_safe
def around_part(request: HttpRequest, code: str) -> HttpResponse:
    table = visible(request, code)
    lobby = "lobby" in request.GET
    held = tuple(sorted(row.pk for row in request.who.passes))
    if answer := unchanged(request, table.log.version, held):
        return answer
    context = {"sheet": table_sheet(table, request.who), "key": new_key(), "lobby": lobby}
    return tagged(request, render(request, "cardgames/_around.html", context))


@require_safe
def wall(request: HttpRequest, code: str) -> HttpResponse:
    """For a screen on the wall: public facts only, large."""
    table = visible(request, code)
    links.let_watch(request, table)
    context = _wall(request, table)
    context["address"] = guest_url(table.get_absolute_url())
    return render(request, "cardgames/wall.html", context)


@require_safe
def wall_part(request: HttpRequest, code: str) -> HttpResponse:
    table = visible(request, code)
    return drawn_once(
        request, lambda: render(request, "cardgames/_wall.html", _wall(request, table)), table.log.version
    )


def _wall(request: HttpRequest, table: Table) -> dict:
    sheet = table_sheet(table, request.who)
    return {**_watched(table, sheet), "address": guest_url(table.get_absolute_url())}


@require_POST
def run(request: HttpRequest, code: str) -> HttpResponse:
    """What the host does with the whole table."""
    table = visible(request, code)
    key, act = request.POST.get("key", ""), request.POST.get("act", "")
    if act == "start":
        hosting.start(table, request.who, key=key)
        return redirect(table)
    if act in ("pause", "resume"):
        hosting.pause(table, request.who, key=key, paused=act == "pause")
    elif act == "fill":
        seating.fill(table, request.who, key=key)
        return redirect(table)
    elif act == "again":
        return redirect(again.again(table, request.who, key=key))
    elif act == "call_off":
        hosting.call_off(table, request.who, key=key)
    else:
        seat_acts.must_host(table, request.who)
        raise Refusal(
            "The host fills, starts, pauses, resumes or calls off a table, or calls its people to another game.",
            field="act",
        )
    return redirect("cardgames:around", code)
