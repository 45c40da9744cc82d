"""A group's own decks: copied, changed, imported and shared. They are checked like the house decks."""

from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from cardgames.decks.display import add_new_cards, read_card_values
from cardgames.engine.deck_data import MAX_FILE, Deck, edit_deck, read_deck
from cardgames.games import SHELF, find_game
from cardgames.models import DeckCopy
from cardgames.selectors import deck_of, require_owner
from json_input import read_json
from log import services as log_services
from people.name_validation import clean_name
from people.requester import Who
from refusal import Refusal

MAX_COPIES = 50
MAX_TITLE = 120
CHOOSE_USE = "Choose who can use the deck: only you, or the people you play with."


def create_copy(who: Who, deck: Deck, *, key: str, title: str = "") -> DeckCopy:
    """Makes a copy that can be edited. A repeated tap makes one copy."""
    person = who.require_person()
    log_services.check_key(key)
    entry_key = f"{who.ref}/{key}"
    before = DeckCopy.objects.filter(entry_key=entry_key).first()
    if before:
        return before
    if DeckCopy.objects.owned_by(who).count() >= MAX_COPIES:
        raise Refusal(f"You already have {MAX_COPIES} decks. Delete one first.")
    title = _clean_title(title or deck.title)
    named = edit_deck(find_game(deck.game).schema, deck, {}, title=title)
    try:
        with transaction.atomic():
            return DeckCopy.objects.create(
                owner=person, entry_key=entry_key, game=deck.game, title=title, text=named.text
            )
    except IntegrityError:  # a double tap
        return DeckCopy.objects.get(entry_key=entry_key)


def change_values(who: Who, copy: DeckCopy, form: Mapping[str, Any], *, seen: int) -> DeckCopy:
    """Saves the values of printed cards and marks changed ones as entered. Invalid values refuse the whole form."""
    require_owner(who, copy)
    schema, deck = find_game(copy.game).schema, deck_of(copy)
    title = _clean_title(form.get("title", "") or copy.title)
    new = edit_deck(schema, deck, read_card_values(schema, deck, form), title=title)
    new = add_new_cards(schema, new, form)
    changed = DeckCopy.objects.filter(pk=copy.pk, version=seen).update(
        title=title, text=new.text, version=seen + 1, changed_at=timezone.now()
    )
    copy.refresh_from_db()
    if not changed and copy.text != new.text:
        raise Refusal("This deck was changed on another phone. Check it, then change it again.", status=409)
    return copy


def set_use(who: Who, copy: DeckCopy, use: str) -> None:
    require_owner(who, copy)
    if use not in DeckCopy.Use.values:
        raise Refusal(CHOOSE_USE, field="use")
    copy.use = use
    copy.save(update_fields=["use"])


def delete_copy(who: Who, copy: DeckCopy) -> None:
    """Tables store the deck they started with, so no game depends on this row."""
    require_owner(who, copy)
    copy.delete()


def parse_deck_file(raw: bytes) -> Deck:
    """Reads an uploaded deck file, or refuses it with the reason."""
    if len(raw) > MAX_FILE:
        raise Refusal("This file is too large for a deck.", field="file")
    try:
        text = raw.decode("utf-8-sig")
        data = read_json(text)
    except ValueError as error:
        reason = error.sentence if isinstance(error, Refusal) else "It is not text in UTF-8."
        raise Refusal(f"This file is not a deck. {reason}", field="file") from None
    game = data.get("game") if isinstance(data, dict) else None
    if not isinstance(game, str) or game not in SHELF:
        raise Refusal("This file is not a deck for one of our games.", field="file")
    return read_deck(find_game(game).schema, text)


def _clean_title(text: str) -> str:
    title = clean_name(text, "title")
    if len(title) > MAX_TITLE:
        raise Refusal(f"The title has {len(title)} characters. The maximum is {MAX_TITLE}.", field="title")
    return title
