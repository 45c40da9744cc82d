"""The table of Moods of the Mad King: its places, the set-up, and the steps that turns and action cards share."""

from collections.abc import Generator
from typing import Any

from cardgames.engine import (
    ALL,
    NONE,
    OWNER,
    Card,
    Part,
    Question,
    QuestionGroup,
    Table,
    Zone,
    fixed,
    public,
    seat_zones,
    table_zone,
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
    # The choices of a draw for each seat, made once.
    takers: list[dict[str, int]] = fixed()
    deck: Zone = table_zone("deck", NONE, ordered=True)
    discard: Zone = table_zone("discard")
    king: Zone = table_zone("king", NONE)
    spare_moods: Zone = table_zone("spare-moods", NONE)
    unused_muses: Zone = table_zone("unused-muses", NONE)
    in_use: Zone = table_zone("in-use")
    used: Zone = table_zone("used")
    box: Zone = table_zone("box", NONE)
    plays: list[Zone] = seat_zones("play", ALL)
    drawn: list[Zone] = seat_zones("drawn", OWNER)
    moods: list[Zone] = seat_zones("mood", OWNER)
    muses: list[Zone] = seat_zones("role", OWNER)
    hands: list[Zone] = seat_zones("hand", OWNER)

    def prepare(self) -> None:
        self.takers = [
            {KEEP: seat, **{GIVE_KEY[other]: other for other in range(self.seats) if other != seat}}
            for seat in range(self.seats)
        ]


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
