"""How to play: the rules in our own words, and an example drawn like a real table. And past games."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from cardgames.decks.display import build_deck_display
from cardgames.drawing import deck_pictures_of
from cardgames.engine.how_to_play import example_table
from cardgames.games import HOWTO, SHELF, find_game, house_deck
from cardgames.results.display import result_row, tally_results, visible_results
from cardgames.results.replays import find_step
from cardgames.selectors import get_visible_table
from cardgames.tables.display import build_play_display, build_replay_display
from pages.number_parsing import parse_int


@require_safe
def how_to_play_page(request: HttpRequest, game: str) -> HttpResponse:
    definition, deck = find_game(game), house_deck(game)
    words, pack = HOWTO[game], deck_pictures_of(deck)
    number = _parse_step(request.GET.get("step"), len(words.example.steps))
    step = words.example.steps[number - 1]
    table = example_table(definition, deck, words.example, step.after)
    context = {
        "game": definition,
        "howto": words,
        "pack": pack,
        "faces": [card.id for card in pack.pictures.values()][:18],
        "more_faces": max(0, len(pack.pictures) - 18),
        "step": step,
        "number": number,
        "steps": len(words.example.steps),
        "names": words.example.names,
        "play": build_play_display(table, step.seat, list(words.example.names)),
        "deck": build_deck_display(definition.schema, deck),
        "others": [other for other in SHELF.values() if other.key != game],
    }
    return render(request, "cardgames/how_to_play/how_to_play.html", context)


def _parse_step(asked: str | None, most: int) -> int:
    """The step number from the URL, or 1 if it is not valid."""
    return max(1, min(parse_int(asked or "") or 1, most))


# ── Past games ─────────────────────────────────────────────────────────────────────────────────────────


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
    seen = find_step(table, parse_int(request.GET.get("step", "")) or 0, viewer, why="why" in request.GET)
    context = {
        "table": table,
        "replay": seen,
        "row": result_row(seen.result),
        "viewer": viewer,
        "play": build_replay_display(table, seen.step, seen.seat, seen.names),
    }
    return render(request, "cardgames/results/replay.html", context)
