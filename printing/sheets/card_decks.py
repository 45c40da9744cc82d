"""Card decks with backs, to cut out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404

from cardgames.decks.selectors import deck_of
from cardgames.drawing import CardContent, deck_pictures_of
from cardgames.engine import Deck
from cardgames.games import SHELF, house_deck
from cardgames.models import DeckCopy
from heraldry.sprite import read_symbols as sprite
from people.requester import Who
from prepared_queries import prepared_query
from printing.sheet_registry import CARDS, Content, Sheet, Subject, register_sheets
from printing.typographic_characters import typeset

# Line drawings that replace these screen icons in print.
PRINT_SIGNS = {
    "cards": "movecover",
    "mouse-head": "mouse",
    "palette": "arts",
    "scales": "politics",
    "lyre": "music",
    "flask": "science",
    "quill": "literature",
}


def card_content(picture: CardContent, back: str, *, kind: str) -> Content:
    return {
        "name": picture.name.replace("'", "’"),
        "kind": kind,
        "sign": PRINT_SIGNS.get(picture.charge, picture.charge),
        "tincture": picture.tincture,
        "shape": picture.shape,
        "corner": picture.corner,
        "corner_means": picture.corner_means,
        "role": picture.role,
        "text": typeset(picture.text),
        "marks": [[PRINT_SIGNS.get(mark.charge, mark.charge), mark.figure, mark.after_slash] for mark in picture.marks],
        "strip": [list(pair) for pair in picture.strip],
        "back": back,
    }


def sign_drawings(cards: Iterable[Content], more: Iterable[str] = ()) -> dict[str, str]:
    """Screen icons for signs without a line drawing."""
    wanted = {card["sign"] for card in cards} | {mark[0] for card in cards for mark in card["marks"]} | set(more)
    known = sprite()
    return {sign: known[f"c-{sign}"] for sign in sorted(wanted) if f"c-{sign}" in known}


def deck_cards(deck: Deck) -> Iterator[Content]:
    """One row per card to cut out."""
    for picture, kind, pile in deck_pictures_of(deck).to_print():
        yield card_content(picture, pile, kind=kind)


def gather(deck: Deck) -> Content:
    cards = list(deck_cards(deck))
    pictures = deck_pictures_of(deck)
    backs, game = pictures.drawings.backs, pictures.title
    return {
        "title": deck.title,
        "game": game,
        "note": deck.note,
        "cards": cards,
        "backs": {
            key: {"sign": PRINT_SIGNS.get(sign, sign), "tincture": tincture, "label": game}
            for key, (sign, tincture) in backs.items()
        },
        "signs": sign_drawings(cards, (sign for sign, _ in backs.values())),
    }


def find(who: Who, key: str) -> Deck:
    """A built-in deck by its game, or a group's own deck by its code."""
    if key in SHELF:
        return house_deck(key)
    return deck_of(get_object_or_404(DeckCopy.objects.visible_to(who), code=key))


def origin(deck: Deck) -> str:
    """Where the values come from."""
    return deck.note


def subjects(who: Who) -> Iterator[Subject]:
    for key, game in SHELF.items():
        yield Subject(key, game.title)
    if "deck copies" not in who.read_once:
        who.read_once["deck copies"] = _visible_copies(who)
    for copy in who.read_once["deck copies"]:
        yield Subject(copy.code, copy.title)


@prepared_query
def _visible_copies(who: Who) -> QuerySet[DeckCopy]:
    return DeckCopy.objects.visible_to(who).defer("text")[:12]


CUTTING_HINT = "Print double-sided at 100 %, flipped on the long edge. Cut at the marks: cards are 63 by 88 mm."

register_sheets(
    Sheet(
        "deck",
        "Card deck",
        "Every card of a game to cut out, nine per page, with matching backs for double-sided printing.",
        CARDS,
        "cards.typ",
        gather,
        find=find,
        name=lambda deck: deck.title,
        subjects=subjects,
        hint=CUTTING_HINT,
        origin=origin,
    ),
)
