"""Which decks someone may lay on a table: the house deck first, then their own copies and those of people they play with."""

from __future__ import annotations

from cardgames import deck_copies
from cardgames.engine import Deck
from cardgames.games import house_deck
from people.who import Who


def decks_for(who: Who, game: str) -> list[tuple[str, Deck]]:
    """A key and a deck each; never empty."""
    copies = [(copy.code, deck_copies.deck_of(copy)) for copy in deck_copies.usable_by(who, game)]
    return [("house", house_deck(game)), *copies]
