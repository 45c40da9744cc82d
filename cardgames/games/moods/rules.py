"""Moods of the Mad King as it is played, turn by turn to the show, and what the action cards do, by their id."""

from collections.abc import Callable, Generator
from typing import Any

from cardgames.engine import Card, Part, Question, QuestionGroup, Result, Script
from cardgames.games.moods.scoring import result
from cardgames.games.moods.table_state import Stage, cut, discard, draw_step, set_up

SKIP = "skip"
ASK, RANDOM = "ask", "random"


def play(t: Stage) -> Script:
    set_up(t)
    return turns(t)


def turns(t: Stage) -> Script:
    seat = yield from first_player(t)
    t.log_event("begins", seat=seat)
    while t.deck.cards:
        t.turn += 1
        t.active = seat
        gave = yield from draw_step(t, seat)
        if gave and t.hands[seat].cards:
            t.may_act = True
            yield from action_step(t, seat)
            t.may_act = False
        seat = (seat + 1) % t.seats
    return show(t)


def first_player(t: Stage) -> Generator[Question | QuestionGroup, Any, int]:
    wish = t.options["first_player"]
    if wish == RANDOM:
        return t.roll(t.seats, "first") - 1
    if wish == ASK:
        first: int = yield Question(0, "first", {str(seat): seat for seat in range(t.seats)})
        return first
    return int(wish)


def action_step(t: Stage, seat: int) -> Part:
    """Whoever gave the card away may use one action card."""
    options: dict[str, Card | None] = {card.key: card for card in t.hands[seat].cards}
    options[SKIP] = None
    card = yield Question(seat, "action", options)
    if card is None:
        return
    t.give(t.hands[seat], card, t.in_use)
    t.log_event("used", seat=seat, card=card.key)
    if card.key in EFFECTS:
        yield from EFFECTS[card.key](t, seat)
    else:
        fizzle(t, card.key)
    t.in_use.cards.remove(card)
    t.used.cards.append(card)


def show(t: Stage) -> Result:
    """The King's Mood and the Muses are turned up; nothing else is."""
    t.active = -1
    t.reveal(t.king)
    for zone in t.muses:
        t.reveal(zone)
    king = t.king.cards[0]
    t.log_event("king", card=king.key)
    for seat, zone in enumerate(t.muses):
        t.log_event("muse", seat=seat, card=zone.cards[0].key)
    ended = result(
        [[card.face.index for card in zone.cards] for zone in t.plays],
        king.face.index,
        [zone.cards[0].face.index for zone in t.muses],
        king.face.name,
        t.options["two_cards_when_same"],
    )
    for seat in range(t.seats):
        beheaded, lost = seat in ended.facts["beheaded"], seat in ended.facts["without_patron"]
        if beheaded and lost:
            t.log_event("lost-both", seat=seat)
        elif beheaded:
            t.log_event("beheaded", seat=seat)
        elif lost:
            t.log_event("no-patron", seat=seat)
    return ended


# What the action cards do

PROMPTED = 3
SLOTS = ("slot-1", "slot-2", "slot-3")
Target = tuple[int, Card]


def others(t: Stage, seat: int) -> list[int]:
    return [other for other in range(t.seats) if other != seat]


def cards_of_others(t: Stage, seat: int) -> dict[str, Target]:
    """Cards in other plays by owner and face; like cards of one play are one choice."""
    return {f"{of}:{card.key}": (of, card) for of in others(t, seat) for card in t.plays[of].cards}


def fizzle(t: Stage, card: str) -> None:
    t.log_event("fizzle", card=card)


def peek(t: Stage, seat: int, cards: list[Card]) -> None:
    """The seat sees these cards of the deck; the deck itself shows it what it still knows."""
    for card in cards:
        t.show_to(card, 1 << seat)
    t.deck.peeked |= 1 << seat


def curtain_call(t: Stage, seat: int) -> Part:
    if not t.discard.cards:
        return fizzle(t, "curtain-call")
    card = yield Question(seat, "curtain-call", {card.key: card for card in t.discard.cards})
    t.discard.cards.remove(card)
    t.plays[seat].cards.append(card)
    t.log_event("called", seat=seat, card=card.key)
    yield from cut(t, seat)


def borrowed_scene(t: Stage, seat: int) -> Part:
    theirs = cards_of_others(t, seat)
    own = t.plays[seat].cards
    if not own or not theirs:
        return fizzle(t, "borrowed-scene")
    mine = yield Question(seat, "scene-own", {card.key: card for card in own})
    of, other = yield Question(seat, "scene-other", theirs, mine.key)
    own[own.index(mine)] = other
    there = t.plays[of].cards
    there[there.index(other)] = mine
    t.log_event("swapped", seat=seat, of=of, first=mine.key, second=other.key)


def scathing_review(t: Stage, seat: int) -> Part:
    targets = cards_of_others(t, seat)
    if not targets:
        return fizzle(t, "scathing-review")
    of, card = yield Question(seat, "review", targets)
    t.log_event("reviewed", seat=seat, of=of, card=card.key)
    discard(t, of, card)


def stage_fright(t: Stage, seat: int) -> Part:
    targets = {str(of): of for of in others(t, seat) if t.plays[of].cards}
    if not targets:
        return fizzle(t, "stage-fright")
    of = yield Question(seat, "fright", targets)
    t.log_event("frightened", seat=seat, of=of)
    card = yield Question(of, "fright-drop", {card.key: card for card in t.plays[of].cards}, seat)
    discard(t, of, card)


def at_the_keyhole(t: Stage, seat: int) -> Part:
    of = yield Question(seat, "keyhole", {str(of): of for of in others(t, seat)})
    card = t.pick_blindly(t.moods[of], "keyhole")
    t.look(seat, t.moods[of], [card], "keyhole", of=of)
    t.log_event("keyhole", {seat: {"cards": [card.key]}}, seat=seat, of=of)


def a_word_with_the_maid(t: Stage, seat: int) -> Part:
    of = yield Question(seat, "maid", {str(of): of for of in others(t, seat)})
    card = t.muses[of].cards[0]
    t.look(seat, t.muses[of], [card], "maid", of=of)
    t.log_event("maid", {seat: {"cards": [card.key]}}, seat=seat, of=of)


def the_prompter(t: Stage, seat: int) -> Part:
    top = t.deck.cards[-PROMPTED:]
    if not top:
        return fizzle(t, "the-prompter")
    peek(t, seat, top)
    # The next to be drawn first.
    left = top[::-1]
    t.log_event("prompted", {seat: {"cards": [card.key for card in left]}}, seat=seat, n=len(top))
    order: list[Card] = []
    while len(left) > 1:
        # What others never see is named by its place.
        slots = dict(zip(SLOTS, left, strict=False))
        about = {"cards": [card.key for card in left], "placed": len(order)}
        card = yield Question(seat, "prompter", slots, about)
        left.remove(card)
        order.append(card)
    t.reorder(seat, t.deck, [*left, *order[::-1]])
    t.log_event("reordered", seat=seat, n=len(top))


def new_patron(t: Stage, seat: int) -> Part:
    unused = t.unused_muses
    # Drawn blindly: whoever knew one of them cannot tell which it is now.
    t.mix(unused.cards)
    card = t.pick_blindly(unused, "patron")
    t.show_to(card, 1 << seat)
    unused.peeked |= 1 << seat
    t.log_event("patron", {seat: {"cards": [card.key]}}, seat=seat)
    wish = yield Question(seat, "patron", {"exchange": True, "decline": False}, card.key)
    if wish:
        t.swap(t.muses[seat], 0, unused, unused.cards.index(card))
        t.log_event("exchanged", seat=seat)
    else:
        t.look(seat, unused, [card], "patron")
        t.log_event("declined", seat=seat)


def royal_tantrum(t: Stage, seat: int) -> Part:
    hand = t.moods[seat]
    place = 0
    if len(hand.cards) > 1:
        about = [card.key for card in hand.cards]
        place = yield Question(seat, "tantrum", {SLOTS[number]: number for number in range(len(hand.cards))}, about)
    t.swap_unseen(hand, place, t.king, 0)
    t.log_event("tantrum", {seat: {"cards": [hand.cards[place].key]}}, seat=seat)


def recast(t: Stage, seat: int) -> Part:
    targets = cards_of_others(t, seat)
    if not targets:
        return fizzle(t, "recast")
    of, card = yield Question(seat, "recast", targets)
    takers = {str(to): to for to in others(t, seat) if to != of}
    if not takers:
        return discard(t, of, card)
    to = next(iter(takers.values()))
    if len(takers) > 1:
        to = yield Question(seat, "recast-to", takers, f"{of}:{card.key}")
    t.plays[of].cards.remove(card)
    t.plays[to].cards.append(card)
    t.log_event("recast", seat=seat, of=of, to=to, card=card.key)
    yield from cut(t, to)


def encore(t: Stage, seat: int) -> Part:
    if not t.discard.cards:
        return fizzle(t, "encore")
    card = yield Question(seat, "encore", {card.key: card for card in t.discard.cards})
    t.give(t.discard, card, t.deck)
    t.log_event("encore", seat=seat, card=card.key)


def burnt_script(t: Stage, seat: int) -> Part:
    if not t.deck.cards:
        return fizzle(t, "burnt-script")
    card = t.deck.cards[-1]
    peek(t, seat, [card])
    t.log_event("script", {seat: {"cards": [card.key]}}, seat=seat)
    burn = yield Question(seat, "script", {"burn": True, "put-back": False}, card.key)
    if burn:
        t.give(t.deck, card, t.discard)
        t.log_event("burnt", seat=seat, card=card.key)
    else:
        t.log_event("put-back", seat=seat)


def double_bill(t: Stage, seat: int) -> Part:
    if not t.deck.cards:
        return fizzle(t, "double-bill")
    yield from draw_step(t, seat)


def change_of_scenery(t: Stage, seat: int) -> Part:
    asked = [other for other in t.clockwise_from(seat) if t.plays[other].cards]
    if not asked:
        return fizzle(t, "change-of-scenery")
    passed = yield QuestionGroup(
        [Question(other, "scenery", {card.key: card for card in t.plays[other].cards}) for other in asked],
        is_final=True,
    )
    for of, card in passed.items():
        t.plays[of].cards.remove(card)
    for of, card in passed.items():
        t.plays[(of + 1) % t.seats].cards.append(card)
    for of, card in passed.items():
        t.log_event("passed", seat=of, to=(of + 1) % t.seats, card=card.key)
    for other in t.clockwise_from(seat):
        yield from cut(t, other)


EFFECTS: dict[str, Callable[[Stage, int], Part]] = {
    "curtain-call": curtain_call,
    "borrowed-scene": borrowed_scene,
    "scathing-review": scathing_review,
    "stage-fright": stage_fright,
    "at-the-keyhole": at_the_keyhole,
    "a-word-with-the-maid": a_word_with_the_maid,
    "the-prompter": the_prompter,
    "new-patron": new_patron,
    "royal-tantrum": royal_tantrum,
    "recast": recast,
    "encore": encore,
    "burnt-script": burnt_script,
    "double-bill": double_bill,
    "change-of-scenery": change_of_scenery,
}
