"""Past games: the list, statistics per game, and replays step by step."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from cardgames.engine import OPEN
from cardgames.engine.finished_game import retell_steps
from cardgames.results.bot_move_explanations import bot_of_step, explain_step
from cardgames.results.display import result_row, tally_results
from cardgames.results.selectors import get_finished_game, parse_viewer, visible_results
from cardgames.selectors import get_visible_table
from cardgames.tables.display import build_replay_display
from pages.number_parsing import parse_int

PAGE = 20


@require_safe
def result_list(request: HttpRequest) -> HttpResponse:
    found = visible_results(request.who)
    context = {"rows": [result_row(result) for result in found[:PAGE]], "tallies": tally_results(request.who)}
    return render(request, "cardgames/results/index.html", context)


@require_safe
def replay_page(request: HttpRequest, code: str) -> HttpResponse:
    """A finished table step by step, as any seat saw it or with all cards face up."""
    table = get_visible_table(request, code)
    result, names = get_finished_game(table)
    steps = len(result.kept["steps"]) - 1
    step = min(_parse_step(request, "step", 0), steps)
    seat = parse_viewer(request.GET.get("seat", "open"), table.seats)
    context: dict[str, object] = {
        "table": table,
        "result": result,
        "row": result_row(result),
        "names": list(enumerate(names)),
        "step": step,
        "steps": steps,
        "viewer": request.GET.get("seat", "open"),
        "sentences": retell_steps(result.kept, None if seat == OPEN else seat, names)[step].sentences,
        "play": build_replay_display(table, step, seat, names),
        "bot_move": bot_of_step(table, step),
        # Looking again takes a moment, so only on request.
        "reasons": explain_step(table, step, names) if "why" in request.GET else [],
    }
    return render(request, "cardgames/results/replay.html", context)


def _parse_step(request: HttpRequest, name: str, otherwise: int) -> int:
    number = parse_int(request.GET.get(name, ""))
    return otherwise if number is None else number
