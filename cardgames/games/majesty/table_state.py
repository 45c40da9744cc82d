"""The table of Your Majesty: courts, decks and discards, and the changes that all actions and events are made of.

Every change of a court goes through here: it erases the scandals that the change erases, and marks prestige as changed,
so that ``ends_at_once`` looks again when the change is logged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from cardgames.engine import ALL, NONE, OWNER, Card, Deck, RandomSource, Result, Table, Zone, fixed, places, public
from cardgames.games.majesty import scoring
from cardgames.games.majesty.deck_faces import (
    ABOLITION,
    CENSOR,
    DEBTS,
    DESPOT_HAND,
    HAND,
    HURRICANE,
    PEACE,
    SUGAR,
    TOUR,
    MajestyCard,
)
from cardgames.games.majesty.salon import wealth_of
from cardgames.games.majesty.scoring import CourtCount

DEBTS_PAID = 6
# A lingering event: who played it, the row of the deck, and the cards or the muse it names.
Mark = tuple[int, str, tuple[str, ...]]
Erases = Callable[[str], bool]


class Kingdoms(Table):
    """Two to six courts around what nobody has claimed."""

    first: int = public(-1)
    round: int = public(0)
    active: int = public(-1)
    # The types of action taken this turn.
    taken: list[str] = public(list)
    marks: list[Mark] = public(list)
    abolished: bool = public(False)
    # The salon that is going on: its reform, who was asked for whom, what they said, and who attends.
    reform: str = public("")
    invited: list[tuple[int, str]] = public(list)
    replies: list[tuple[int, str]] = public(list)
    attending: list[str] = public(list)
    rules_deck: Deck = fixed()
    paycheck: str = public(scoring.NO_PAYCHECK)
    # Whether a court has changed since prestige was last looked at, and whether anybody did anything this round.
    is_changed: bool = fixed()
    is_idle: bool = fixed()
    above_reshuffle: int = fixed()
    reshuffle_source: RandomSource | None = fixed()
    # Which courts had paid their gaming debts when this was last looked at.
    was_rich: list[bool] = fixed()
    deck: Zone = places()
    discard: Zone = places()
    salon_deck: Zone = places()
    resigned: Zone = places()
    removed: Zone = places()
    box: Zone = places()
    aside: Zone = places()
    # The Reshuffle card once it is in the deck. That no drawn card was the Reshuffle is known to all, so it is not one
    # of the hidden faces: chance only says how many cards lie above it.
    shuffled_in: Zone = places()
    at_work: Zone = places()
    unclaimed: Zone = places()
    open_reforms: Zone = places()
    hands: list[Zone] = places()
    philosophes: list[Zone] = places()
    colonies: list[Zone] = places()
    reforms: list[Zone] = places()
    scandals: list[Zone] = places()
    lingering: list[Zone] = places()
    permanent: list[Zone] = places()


def open_table(deck: Deck, seats: int, options: Mapping[str, Any], source: RandomSource, quiet: bool) -> Kingdoms:
    t = Kingdoms(seats, options, source, quiet=quiet)
    t.rules_deck = deck
    t.paycheck = options["paycheck"]
    t.is_changed = t.is_idle = False
    t.above_reshuffle, t.reshuffle_source = 0, None
    t.was_rich = [False] * seats
    t.deck = t.zone("deck", NONE, ordered=True)
    t.discard = t.zone("discard")
    t.salon_deck = t.zone("philosophe-deck", NONE, ordered=True)
    t.resigned = t.zone("philosophe-discard")
    t.removed = t.zone("removed")
    t.box = t.zone("box", NONE)
    t.aside = t.zone("aside")
    t.shuffled_in = t.zone("shuffled-in")
    t.at_work = t.zone("at-work")
    t.unclaimed = t.zone("unclaimed")
    t.open_reforms = t.zone("open-reforms")
    t.hands = t.zones_each("hand", OWNER)
    t.philosophes = t.zones_each("philosophes", ALL)
    t.colonies = t.zones_each("colonies", ALL)
    t.reforms = t.zones_each("reforms", ALL)
    t.scandals = t.zones_each("scandals", ALL)
    t.lingering = t.zones_each("lingering", ALL)
    t.permanent = t.zones_each("permanent", ALL)
    return t


def face(card: Card) -> MajestyCard:
    found = card.face
    assert isinstance(found, MajestyCard)
    return found


def others(t: Kingdoms, seat: int) -> list[int]:
    """The other courts in playing order."""
    return [(seat + step) % t.seats for step in range(1, t.seats)]


def holds(zone: Zone, row: str) -> bool:
    return any(face(card).row == row for card in zone.cards)


# What can be read from the table


def hand_limit(t: Kingdoms, seat: int) -> int:
    return DESPOT_HAND if t.permanent[seat].cards else HAND


def room(t: Kingdoms, seat: int) -> int:
    """How many cards may still come into this hand."""
    return max(0, hand_limit(t, seat) - len(t.hands[seat].cards))


def wealth(t: Kingdoms, seat: int) -> int:
    """Coins that come in now, with hurricanes and booms."""
    colonies = t.colonies[seat].cards
    if not colonies:
        return 0
    booms = 0
    wrecked: set[str] = set()
    for owner, row, named in t.marks:
        if row == SUGAR:
            booms += owner == seat
        elif row == HURRICANE:
            wrecked.update(named)
    return wealth_of([0 if card.key in wrecked else face(card).coins for card in colonies], booms)


def tours(t: Kingdoms, seat: int) -> int:
    return sum(owner == seat and row == TOUR for owner, row, _ in t.marks)


def is_peace(t: Kingdoms) -> bool:
    return any(row == PEACE for _, row, _ in t.marks)


def censored(t: Kingdoms) -> set[str]:
    return {muse for _, row, named in t.marks if row == CENSOR for muse in named}


def levels(t: Kingdoms, seat: int) -> tuple[int, ...]:
    return tuple(face(card).level for card in t.reforms[seat].cards)


def court_count(t: Kingdoms, seat: int) -> CourtCount:
    return CourtCount(
        tuple([face(card).prestige for card in t.philosophes[seat].cards]),
        levels(t, seat),
        sum([face(card).is_slave for card in t.colonies[seat].cards]),
        wealth(t, seat) if t.paycheck == scoring.BY_WEALTH else 0,
    )


def prestige(t: Kingdoms, seat: int) -> int:
    return scoring.prestige_of(court_count(t, seat), abolished=t.abolished, paycheck=t.paycheck)


# The end


def ends_at_once(t: Kingdoms) -> Result | None:
    """Looks at all courts after a change: whoever meets the target now has won, in whoever's turn it is."""
    if not t.is_changed:
        return None
    t.is_changed = False
    scores = [prestige(t, seat) for seat in range(t.seats)]
    if max(scores) < scoring.target_of(t.paycheck):
        return None
    won = scoring.winners_at_once(scores, [levels(t, seat) for seat in range(t.seats)], t.paycheck)
    if not won:
        return None
    return finish(t, scoring.REACHED if len(won) == 1 else scoring.SHARED, won)


def finish(t: Kingdoms, outcome: str, won: tuple[int, ...]) -> Result:
    """The game is over: what is being played is put away, and the courts are counted."""
    for card in t.at_work.cards:
        t.put(t.discard, card)
    t.at_work.cards.clear()
    t.active = -1
    t.reform = ""
    t.invited, t.replies, t.attending = [], [], []
    counts = [court_count(t, seat) for seat in range(t.seats)]
    abolished, paycheck = t.abolished, t.paycheck
    scores = tuple(scoring.prestige_of(count, abolished=abolished, paycheck=paycheck) for count in counts)
    facts = {
        "target": scoring.target_of(paycheck),
        "rounds": t.round,
        "reforms": [len(zone.cards) for zone in t.reforms],
    }
    return Result(
        outcome,
        won,
        scores,
        lambda: [scoring.prestige_lines(count, abolished=abolished, paycheck=paycheck) for count in counts],
        facts,
    )


# Changes of a court


def erase(t: Kingdoms, seat: int, is_erased: Erases) -> None:
    """Scandals at this court whose row ``is_erased`` go to the discard pile."""
    zone = t.scandals[seat]
    gone = [card for card in zone.cards if is_erased(face(card).row)]
    if not gone:
        return
    for card in gone:
        zone.cards.remove(card)
        t.discard.cards.append(card)
    t.log_event("erased", seat=seat, cards=[card.key for card in gone])


def check_debts(t: Kingdoms) -> None:
    """Gaming Debts go as soon as the bearer's wealth is six; with the edge option only when it rises to six."""
    edge = t.options["gaming_debts_edge"]
    for seat, zone in enumerate(t.scandals):
        if edge or zone.cards:
            rich = wealth(t, seat) >= DEBTS_PAID
            if rich and zone.cards and not (edge and t.was_rich[seat]):
                erase(t, seat, lambda row: row == DEBTS)
            t.was_rich[seat] = rich


def welcome(t: Kingdoms, seat: int, card: Card) -> None:
    """A philosophe, no longer anywhere else, joins the court. Erases scandals when it is logged: see ``joined``."""
    t.put(t.philosophes[seat], card)
    t.is_changed = True


def gain_colony(t: Kingdoms, seat: int, card: Card) -> None:
    t.colonies[seat].cards.append(card)
    t.is_changed = True


def lose_colony(t: Kingdoms, seat: int, card: Card) -> None:
    t.colonies[seat].cards.remove(card)
    t.is_changed = True


def lose_philosophe(t: Kingdoms, seat: int, card: Card, to: Zone) -> None:
    t.philosophes[seat].cards.remove(card)
    to.cards.append(card)
    t.is_changed = True


def implement(t: Kingdoms, seat: int, card: Card) -> None:
    t.open_reforms.cards.remove(card)
    t.reforms[seat].cards.append(card)
    if face(card).row == ABOLITION:
        t.abolished = True
    t.is_changed = True


# The decks


def can_draw(t: Kingdoms) -> bool:
    """Whether any card but the Reshuffle is in deck or discards."""
    return bool(t.deck.cards or t.discard.cards)


def draw_action(t: Kingdoms, to: Zone) -> Card | None:
    """The top action card. A Reshuffle rebuilds both decks, and the draw goes on; nothing if there is no card."""
    while can_draw(t):
        if t.shuffled_in.cards:
            if t.source is not t.reshuffle_source:
                # Whoever imagines this table knows no more of where the Reshuffle lies than that it is in the deck.
                bury_reshuffle(t)
            if not t.above_reshuffle:
                rebuild(t)
                if t.resigned.cards:
                    pile = t.salon_deck.cards + t.resigned.cards
                    t.resigned.cards = []
                    t.shuffle(pile, "philosophes")
                    t.salon_deck.cards = pile
                t.log_event("reshuffle")
                continue
            t.above_reshuffle -= 1
        card = t.draw(t.deck, to)
        if not t.deck.cards and t.aside.cards:
            # The deck runs out for the first time: the drawn card is not part of the new one.
            t.give(t.aside, t.aside.cards[0], t.shuffled_in)
            rebuild(t)
            t.log_event("first-reshuffle")
        return card
    return None


def rebuild(t: Kingdoms) -> None:
    """Deck and discards become one new deck, with the Reshuffle somewhere in it."""
    pile = [*t.deck.cards, *t.discard.cards]
    t.discard.cards = []
    t.shuffle(pile, "actions")
    t.deck.cards = pile
    bury_reshuffle(t)


def bury_reshuffle(t: Kingdoms) -> None:
    t.above_reshuffle = t.roll(len(t.deck.cards) + 1, "reshuffle") - 1
    t.reshuffle_source = t.source


def draw_hand(t: Kingdoms, seat: int, most: int) -> int:
    """Up to ``most`` cards into the hand, never above its limit."""
    drawn = []
    for _ in range(min(most, room(t, seat))):
        card = draw_action(t, t.hands[seat])
        if card is None:
            break
        drawn.append(card.key)
    t.log_event("drew", {seat: {"cards": drawn}}, seat=seat, n=len(drawn))
    return len(drawn)


def top_philosophe(t: Kingdoms) -> Card | None:
    """The top philosophe, taken off the deck; with the option, an empty deck takes its discards back at once."""
    if not t.salon_deck.cards and t.options["philosophe_autoreshuffle"] and t.resigned.cards:
        pile, t.resigned.cards = t.resigned.cards, []
        t.shuffle(pile, "philosophes")
        t.salon_deck.cards = pile
    return t.salon_deck.cards.pop() if t.salon_deck.cards else None


def has_philosophes(t: Kingdoms) -> bool:
    return bool(t.salon_deck.cards) or bool(t.options["philosophe_autoreshuffle"] and t.resigned.cards)


def discard_all(t: Kingdoms, zone: Zone, cards: Iterable[Card]) -> None:
    for card in cards:
        t.give(zone, card, t.discard)
