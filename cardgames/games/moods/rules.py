"""Moods of the Mad King as it is played, turn by turn to the show."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from cardgames.engine import Card, Part, Question, QuestionGroup, Result, Script
from cardgames.games.moods.action_card_effects import EFFECTS
from cardgames.games.moods.scoring import result
from cardgames.games.moods.table_state import Stage, draw_step, set_up

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
    effect = EFFECTS.get(card.key)
    if effect is None:
        t.log_event("fizzle", card=card.key)
    else:
        yield from effect(t, seat)
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
