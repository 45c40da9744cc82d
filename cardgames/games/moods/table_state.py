"""The table of Moods of the Mad King: its places, the set-up, and the steps that turns and action cards share."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any

from cardgames.engine import (
    NONE,
    OWNER,
    Card,
    Deck,
    Part,
    Question,
    QuestionGroup,
    RandomSource,
    Table,
    Zone,
    fixed,
    places,
    public,
)
from cardgames.games.moods.deck_definition import MAX_ACTS, MAX_SEATS, MOODS_DEALT, actions_dealt, cards_of

KEEP = "keep"
GIVE_KEY = tuple(f"give:{seat}" for seat in range(MAX_SEATS))


class Stage(Table):
    """Each playwright's play, Muse, Moods and action cards; the King's Mood; the deck on its show card."""

    turn: int = public(0)
    active: int = public(-1)
    draws: int = public(0)
    # Whether the active player gave the card away and so may use an action card.
    may_act: bool = public(False)
    rules_deck: Deck = fixed()
    # The choices of a draw for each seat, made once.
    takers: list[dict[str, int]] = fixed()
    deck: Zone = places()
    discard: Zone = places()
    king: Zone = places()
    spare_moods: Zone = places()
    unused_muses: Zone = places()
    in_use: Zone = places()
    used: Zone = places()
    box: Zone = places()
    plays: list[Zone] = places()
    drawn: list[Zone] = places()
    moods: list[Zone] = places()
    muses: list[Zone] = places()
    hands: list[Zone] = places()


def open_table(deck: Deck, seats: int, options: Mapping[str, Any], source: RandomSource, quiet: bool) -> Stage:
    t = Stage(seats, options, source, quiet=quiet)
    t.rules_deck = deck
    t.takers = [
        {KEEP: seat, **{GIVE_KEY[other]: other for other in range(seats) if other != seat}} for seat in range(seats)
    ]
    t.deck = t.zone("deck", NONE, ordered=True)
    t.discard = t.zone("discard")
    t.king = t.zone("king", NONE)
    t.spare_moods = t.zone("spare-moods", NONE)
    t.unused_muses = t.zone("unused-muses", NONE)
    t.in_use = t.zone("in-use")
    t.used = t.zone("used")
    t.box = t.zone("box", NONE)
    t.plays = t.zones_each("play", "all")
    t.drawn = t.zones_each("drawn", OWNER)
    t.moods = t.zones_each("mood", OWNER)
    t.muses = t.zones_each("role", OWNER)
    t.hands = t.zones_each("hand", OWNER)
    return t


def set_up(t: Stage) -> None:
    seats = range(t.seats)
    deck = t.rules_deck
    actions = t.make_cards(cards_of(deck, "action"))
    t.shuffle(actions, "actions")
    dealt = actions_dealt(deck, t.seats)
    for hand in t.hands:
        t.put_all(hand, [actions.pop() for _ in range(dealt)])
    t.box.cards = actions

    muses = t.make_cards(cards_of(deck, "muse"))
    t.shuffle(muses, "muses")
    for zone in t.muses:
        t.put(zone, muses.pop())
    t.unused_muses.cards = muses

    moods = t.make_cards(cards_of(deck, "mood"))
    t.shuffle(moods, "moods")
    t.put(t.king, moods.pop())
    for zone in t.moods:
        t.put_all(zone, [moods.pop() for _ in range(MOODS_DEALT[t.seats])])
    t.spare_moods.cards = moods

    cards = t.make_cards(cards_of(deck, "play"))
    t.shuffle(cards, "deck")
    t.deck.cards = cards
    t.log_event("dealt", {seat: {"cards": [card.key for card in t.moods[seat].cards]} for seat in seats}, n=dealt)


def draw_step(t: Stage, seat: int) -> Generator[Question | QuestionGroup, Any, bool]:
    """Draws, looks, keeps or gives. Whether the card was given away."""
    card = t.draw(t.deck, t.drawn[seat])
    t.draws += 1
    t.log_event("drew", {seat: {"cards": [card.key]}}, seat=seat)
    to: int = yield Question(seat, "draw", t.takers[seat], card.key)
    t.give(t.drawn[seat], card, t.plays[to])
    if to == seat:
        t.log_event("kept", seat=seat, card=card.key)
    else:
        t.log_event("gave", seat=seat, to=to, card=card.key)
    if len(t.plays[to].cards) > MAX_ACTS:
        yield from cut(t, to)
    return to != seat


def cut(t: Stage, owner: int) -> Part:
    """The owner of a play with too many acts discards down to three; the card just received may go too."""
    zone = t.plays[owner]
    while len(zone.cards) > MAX_ACTS:
        card = yield Question(owner, "cut", {card.key: card for card in zone.cards})
        discard(t, owner, card)


def discard(t: Stage, owner: int, card: Card) -> None:
    # Everybody sees it before and after.
    t.plays[owner].cards.remove(card)
    t.discard.cards.append(card)
    t.log_event("discarded", seat=owner, card=card.key)
