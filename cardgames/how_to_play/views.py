"""How to play: our own words, and a worked example drawn by the same pieces as a real table."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from cardgames.boards import board_of
from cardgames.deck_sheet import deck_sheet
from cardgames.drawing import pack_of
from cardgames.engine.howto import example_table
from cardgames.games import HOWTO, SHELF, find_game, house_deck
from pages.numbers import whole


@require_safe
def howto(request: HttpRequest, game: str) -> HttpResponse:
    found, deck = find_game(game), house_deck(game)
    words, pack = HOWTO[game], pack_of(deck)
    number = _step(request.GET.get("step"), len(words.example.steps))
    step = words.example.steps[number - 1]
    sheet = example_table(found, deck, words.example, step.after).sheet(step.seat, words.example.names)
    context = {
        "game": found,
        "howto": words,
        "pack": pack,
        "faces": [card.id for card in pack.pictures.values()][:18],
        "more_faces": max(0, len(pack.pictures) - 18),
        "step": step,
        "number": number,
        "steps": len(words.example.steps),
        "names": words.example.names,
        "ask": sheet["ask"],
        "board": board_of(sheet["view"], sheet["standing"], words.example.names, pack),
        "play": {"pack": pack},
        "deck": deck_sheet(found.schema, deck),
        "others": [other for other in SHELF.values() if other.key != game],
    }
    return render(request, "cardgames/howto.html", context)


def _step(asked: str | None, most: int) -> int:
    """The number in the address if it is one of the steps; anything else begins at the beginning."""
    return max(1, min(whole(asked or "") or 1, most))
