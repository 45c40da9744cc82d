"""How cards of Your Majesty move: the changes of a court, drawing and discarding, and the Reshuffle.

Every change of a court goes through here: it erases the scandals that the change erases, and marks prestige as changed,
so that ``ends_at_once`` looks again when the change is logged.
"""

from collections.abc import Callable, Iterable

from cardgames.engine import Card, Zone
from cardgames.games.majesty.deck_definition import ABOLITION, DEBTS
from cardgames.games.majesty.table_state import DEBTS_PAID, Kingdoms, face, room, wealth

Erases = Callable[[str], bool]


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
