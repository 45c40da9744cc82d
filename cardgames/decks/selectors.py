"""Which decks a person can use: the house deck, their own copies, and copies that people they play with share."""

from __future__ import annotations

from django.shortcuts import get_object_or_404

from cardgames.engine import Deck
from cardgames.engine.deck_data import read_deck
from cardgames.games import find_game, house_deck
from cardgames.models import DeckCopy
from people.requester import Who
from refusal import Refusal


def deck_of(copy: DeckCopy) -> Deck:
    return read_deck(find_game(copy.game).schema, copy.text)


def get_visible_copy(who: Who, code: str) -> DeckCopy:
    return get_object_or_404(DeckCopy.objects.visible_to(who).select_related("owner__merged_into"), code=code)


def get_own_copy(who: Who, code: str) -> DeckCopy:
    copy = get_visible_copy(who, code)
    require_owner(who, copy)
    return copy


def require_owner(who: Who, copy: DeckCopy) -> None:
    if not DeckCopy.objects.owned_by(who).filter(pk=copy.pk).exists():
        raise Refusal("Only the owner can edit this deck. Make your own copy.", status=403)


def usable_copies(who: Who, game: str) -> list[DeckCopy]:
    """The copies they can play with, besides the house deck."""
    return list(DeckCopy.objects.visible_to(who).filter(game=game))


def get_chosen_deck(who: Who, game: str, code: str) -> Deck:
    """The deck with this code, or the house deck if the code is empty."""
    if not code:
        return house_deck(game)
    copy = DeckCopy.objects.visible_to(who).filter(game=game, code=code).first()
    if copy is None:
        raise Refusal("You cannot use this deck, or it was deleted. Choose another one.", field="deck")
    return deck_of(copy)


def decks_for(who: Who, game: str) -> list[tuple[str, Deck]]:
    """A key and a deck each; never empty."""
    copies = [(copy.code, deck_of(copy)) for copy in usable_copies(who, game)]
    return [("house", house_deck(game)), *copies]
