"""The decks of all games, and the house decks with the source of each value."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from cardgames.decks.display import deck_page_context
from cardgames.decks.json_download import deck_file_response
from cardgames.drawing import deck_pictures_of
from cardgames.games import SHELF, find_game, house_deck
from cardgames.models import DeckCopy
from log.services import new_key


@require_safe
def deck_list(request: HttpRequest) -> HttpResponse:
    copies = list(DeckCopy.objects.visible_to(request.who).select_related("owner__merged_into"))
    shelf = [
        {
            "game": game,
            "deck": house_deck(game.key),
            "pack": deck_pictures_of(house_deck(game.key)),
            "face": next(iter(deck_pictures_of(house_deck(game.key)).pictures)),
            "copies": [copy for copy in copies if copy.game == game.key],
        }
        for game in SHELF.values()
    ]
    return render(request, "cardgames/decks/index.html", {"shelf": shelf})


@require_safe
def house_deck_page(request: HttpRequest, game: str) -> HttpResponse:
    found = find_game(game)
    context = deck_page_context(house_deck(game)) | {"game": found, "key": new_key(), "is_house": True}
    return render(request, "cardgames/decks/deck.html", context)


@require_safe
def house_deck_file(request: HttpRequest, game: str) -> HttpResponse:
    return deck_file_response(house_deck(find_game(game).key))
