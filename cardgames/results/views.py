"""Past games: the list, statistics per game, and replays step by step."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from cardgames.results.display import result_row, tally_results, visible_results
from cardgames.results.replays import find_step
from cardgames.selectors import get_visible_table
from cardgames.tables.display import build_replay_display
from pages.number_parsing import parse_int

PAGE = 20


@require_safe
def result_list(request: HttpRequest) -> HttpResponse:
    rows = visible_results(request.who)[:PAGE]
    context = {"rows": [result_row(result) for result in rows], "tallies": tally_results(request.who)}
    return render(request, "cardgames/results/index.html", context)


@require_safe
def replay_page(request: HttpRequest, code: str) -> HttpResponse:
    """A finished table step by step, as any seat saw it or with all cards face up."""
    table = get_visible_table(request, code)
    viewer = request.GET.get("seat", "open")
    found = find_step(table, parse_int(request.GET.get("step", "")) or 0, viewer, why="why" in request.GET)
    context = {
        "table": table,
        "replay": found,
        "row": result_row(found.result),
        "viewer": viewer,
        "play": build_replay_display(table, found.step, found.seat, found.names),
    }
    return render(request, "cardgames/results/replay.html", context)
