"""A group's own decks: copied, changed, taken in from a file, let others use. Judged by the same reading as the house decks."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from cardgames.deck_sheet import typed, with_more
from cardgames.engine.decks import LONGEST_FILE, Deck, edit_deck, read_deck
from cardgames.games import SHELF, find_game, house_deck
from cardgames.models import DeckCopy
from log import door
from people.names import clean_name
from people.who import Who
from refusal import Refusal

COPIES_MOST = 50
TITLE_MOST = 120


def deck_of(copy: DeckCopy) -> Deck:
    return read_deck(find_game(copy.game).schema, copy.text)


def usable_by(who: Who, game: str) -> list[DeckCopy]:
    """The decks this one may play with, besides the house deck."""
    return list(DeckCopy.objects.visible_to(who).filter(game=game))


def chosen(who: Who, game: str, code: str) -> Deck:
    """The deck a form names by its code; nothing named is the house deck."""
    if not code:
        return house_deck(game)
    copy = DeckCopy.objects.visible_to(who).filter(game=game, code=code).first()
    if copy is None:
        raise Refusal("This deck is not yours to use, or it is gone.", field="deck")
    return deck_of(copy)


def make(who: Who, deck: Deck, *, key: str, title: str = "") -> DeckCopy:
    """A copy to be changed; the same tap makes one."""
    person = who.must_be_known()
    door.must_be_key(key)
    entry_key = f"{who.ref}/{key}"
    before = DeckCopy.objects.filter(entry_key=entry_key).first()
    if before:
        return before
    if DeckCopy.objects.owned_by(who).count() >= COPIES_MOST:
        raise Refusal(f"You have {COPIES_MOST} decks of your own. That is the most.")
    title = _title(title or deck.title)
    named = edit_deck(find_game(deck.game).schema, deck, {}, title=title)
    try:
        with transaction.atomic():
            return DeckCopy.objects.create(
                owner=person, entry_key=entry_key, game=deck.game, title=title, text=named.text
            )
    except IntegrityError:  # the same tap arrived twice at the same moment
        return DeckCopy.objects.get(entry_key=entry_key)


def change(who: Who, copy: DeckCopy, form: Mapping[str, Any], *, seen: int) -> DeckCopy:
    """Enter what the printed cards say. What really changed is marked as entered; nonsense is refused as a whole."""
    _owned(who, copy)
    schema, deck = find_game(copy.game).schema, deck_of(copy)
    title = _title(form.get("title", "") or copy.title)
    new = edit_deck(schema, deck, typed(schema, deck, form), title=title)
    new = with_more(schema, new, form)
    changed = DeckCopy.objects.filter(pk=copy.pk, version=seen).update(
        title=title, text=new.text, version=seen + 1, changed_at=timezone.now()
    )
    copy.refresh_from_db()
    if not changed and copy.text != new.text:
        raise Refusal("This deck was changed on another phone meanwhile. Look at it again, then change it.", status=409)
    return copy


def share(who: Who, copy: DeckCopy, use: str) -> None:
    _owned(who, copy)
    if use not in DeckCopy.Use.values:
        raise Refusal("A deck is for you alone, or for the people you play with.", field="use")
    DeckCopy.objects.filter(pk=copy.pk).update(use=use)


def put_away(who: Who, copy: DeckCopy) -> None:
    """Tables keep the deck they began with, so nothing that is played depends on this row."""
    _owned(who, copy)
    copy.delete()


def from_file(raw: bytes) -> Deck:
    """The deck in a file somebody sends, or a sentence about what is wrong with it."""
    if len(raw) > LONGEST_FILE:
        raise Refusal("This file is too long to be a deck.", field="file")
    try:
        text = raw.decode("utf-8-sig")
        game = json.loads(text).get("game")
    except (ValueError, AttributeError, RecursionError):
        raise Refusal("This file is not a deck: it cannot be read as JSON.", field="file") from None
    if not isinstance(game, str) or game not in SHELF:
        raise Refusal("This file is not a deck for a game on our shelf.", field="file")
    return read_deck(find_game(game).schema, text)


def _owned(who: Who, copy: DeckCopy) -> None:
    if not DeckCopy.objects.owned_by(who).filter(pk=copy.pk).exists():
        raise Refusal("Only the owner changes this deck. Make a copy of your own.", status=403)


def _title(text: str) -> str:
    title = clean_name(text, "title")
    if len(title) > TITLE_MOST:
        raise Refusal(f"The title has {len(title)} characters. {TITLE_MOST} is the most.", field="title")
    return title
