"""The changes of a court that all actions and events of Your Majesty are made of.

Every change goes through here: it erases the scandals that the change erases, and marks prestige as changed, so that
``ends_at_once`` looks again when the change is logged.
"""

from __future__ import annotations

from collections.abc import Callable

from cardgames.engine import Card, Zone
from cardgames.games.majesty.deck_definition import ABOLITION, DEBTS
from cardgames.games.majesty.table_state import DEBTS_PAID, Kingdoms, face, wealth

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
