"""Re-dealing what a seat cannot know: for bots that imagine, and for the test that nothing leaks.

Every mix since a card was last known to the seat could have fallen otherwise, as long as what the seat has seen since
stays as it is. So for each mix in its order the faces still hidden from the seat are exchanged among themselves.
"""

from __future__ import annotations

from cardgames.engine.cards import Card
from cardgames.engine.randomness import Rng, shuffle_list
from cardgames.engine.table_state import Table


def hidden_cards(table: Table, seat: int, number: int) -> list[Card]:
    """The cards of one mix whose fall this seat still cannot know, in the order of the mix."""
    cards, knowing, _ = table.mixes[number]
    bit = 1 << seat
    if knowing & bit:
        return []
    return [card for card in cards if not card.seen & bit and card.since[seat] <= number]


def redeal(table: Table, seat: int, rng: Rng) -> None:
    """Changes in place everything ``seat`` cannot know.

    Faces are sorted, then shuffled and given out in the order of the places where cards lie now. So with the same
    ``rng`` two tables that look the same to the seat come out the same, and nothing of the true deal is in the imagined
    one. A mix that a later one covers is passed over: it adds nothing, and which of two like cards was in it is itself
    something the seat cannot know.
    """
    mixes = [hidden_cards(table, seat, number) for number in range(len(table.mixes))]
    lying = [card for zone in table.zones for card in zone.list_cards()]
    place = {card: number for number, card in enumerate(lying)}
    for number, hidden in enumerate(mixes):
        if len(hidden) < 2 or any(covers(later, hidden) for later in mixes[number + 1 :]):
            continue
        hidden.sort(key=place.__getitem__)
        faces = sorted((card.face for card in hidden), key=lambda face: face.id)
        for card, face in zip(hidden, shuffle_list(rng, faces), strict=True):
            card.set_face(face)


def covers(later: list[Card], earlier: list[Card]) -> bool:
    return len(later) >= len(earlier) and set(earlier) <= set(later)


def redeal_hidden_zones(table: Table, seat: int, rng: Rng) -> list[list[str]]:
    """The orders of all shuffles in another world that looks the same to ``seat``; for ``Forced``. Spoils the table."""
    orders = []
    for number, (cards, _, by_shuffle) in enumerate(table.mixes):
        if not by_shuffle:
            continue
        hidden = hidden_cards(table, seat, number)
        faces = shuffle_list(rng, [card.face for card in hidden])
        for card, face in zip(hidden, faces, strict=True):
            card.set_face(face)
        orders.append([card.key for card in cards])
    return orders
