"""The table: cards, zones, what happened and who knows what. Rules act on it; nobody else touches it.

Knowledge is kept as the cards are moved, never by the author of a game: putting a card where a seat sees it, a look, a
shuffle or a secret exchange each change ``seen``. From the list of mixes follows what a seat cannot know, which is what
the re-deal (``redeal.py``) changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import repeat
from typing import TYPE_CHECKING, Any

from cardgames.engine.cards import Card, Each, EachSpots, Face, Spots, Zone
from cardgames.engine.declared_fields import FIXED, PLACES, DeclaredFieldsMeta

if TYPE_CHECKING:
    from cardgames.engine.randomness import RandomSource

ALL, OWNER, NONE = "all", "owner", "none"


class PrivateNote:
    """Something a seat was shown and may look up again; it goes stale when the card may have changed since."""

    __slots__ = ("cards", "faces", "key", "params", "seat", "since")

    def __init__(self, seat: int, key: str, cards: tuple[Card, ...], params: dict[str, Any]) -> None:
        self.seat = seat
        self.key = key
        self.cards = cards
        self.params = params
        self.since = tuple(card.since[seat] for card in cards)
        # A stale note still says what was seen then.
        self.faces = tuple(card.key for card in cards)

    def stale(self) -> bool:
        bit = 1 << self.seat
        return any(
            not card.seen & bit or card.since[self.seat] != since
            for card, since in zip(self.cards, self.since, strict=True)
        )


Event = tuple[str, dict[str, Any], Mapping[int, Mapping[str, Any]] | None]


class Table(metaclass=DeclaredFieldsMeta):
    """One game in play. A game's own table subclasses this and declares its fields."""

    __slots__ = (
        "all_cards",
        "by_hand",
        "events",
        "everybody",
        "fresh",
        "mixes",
        "notes",
        "options",
        "quiet",
        "seats",
        "source",
        "zones",
    )

    def __init__(self, seats: int, options: Mapping[str, Any], source: RandomSource, *, quiet: bool = False) -> None:
        self.seats = seats
        self.options = options
        self.source = source
        # Printed cards: each face is named when it is first seen.
        self.by_hand = source.by_hand
        # Nobody looks at the log of an imagined table, so it keeps none.
        self.quiet = quiet
        self.everybody = (2 << seats) - 1
        self.all_cards: list[Card] = []
        self.zones: list[Zone | Spots | Each | EachSpots] = []
        # Each mix: the cards in their new order, who could follow it, and whether a shuffle made it.
        self.mixes: list[tuple[tuple[Card, ...], int, bool]] = []
        self.events: list[Event] = []
        self.notes: list[PrivateNote] = []
        # Raised by chance and by new knowledge; the driver reads it to place the undo barrier.
        self.fresh = False
        for key, field in type(self).FIELDS.items():
            if field.kind not in (PLACES, FIXED):
                setattr(self, key, field.start(seats))

    # Making the table

    def make(self, faces: Iterable[Face]) -> list[Card]:
        """New cards with these faces, known to nobody and lying nowhere yet."""
        since = (0,) * (self.seats + 1)
        cards = list(map(Card, faces, repeat(since)))
        self.all_cards += cards
        return cards

    def mask_of(self, sees: str, owner: int | None) -> int:
        if sees == ALL:
            return self.everybody
        if sees == OWNER and owner is not None:
            return 1 << owner
        if sees == NONE:
            return 0
        raise ValueError(f"A place is seen by all, its owner or none, not {sees!r} of {owner!r}.")

    def zone(self, label: str, sees: str = ALL, *, ordered: bool = False, browsable: bool = True) -> Zone:
        """A pile of the whole table."""
        zone = Zone(label, self.mask_of(sees, None), None, ordered, browsable)
        self.zones.append(zone)
        return zone

    def zones_each(self, label: str, sees: str, *, ordered: bool = False, browsable: bool = True) -> list[Zone]:
        """A pile for each seat."""
        zones = [Zone(label, self.mask_of(sees, seat), seat, ordered, browsable) for seat in range(self.seats)]
        self.zones.append(Each(label, zones))
        return zones

    def spots(self, label: str, names: tuple[str, ...], *, browsable: bool = True, alike: bool = False) -> Spots:
        """Several open piles of the whole table."""
        spots = Spots(label, self.everybody, names, None, browsable, alike)
        self.zones.append(spots)
        return spots

    def spots_each(self, label: str, names: tuple[str, ...], *, alike: bool = False) -> list[Spots]:
        """Several open piles for each seat."""
        each = [Spots(label, self.everybody, names, seat, True, alike) for seat in range(self.seats)]
        self.zones.append(EachSpots(label, each))
        return each

    def row(self, label: str, cards: Iterable[Card]) -> Row:
        """A row of open cards that lasts as long as the effect that laid it out: ``with t.row(...) as row``."""
        zone = self.zone(label)
        self.put_all(zone, cards)
        return Row(self, zone)

    # Moving cards. Whoever sees the place a card comes to knows its face from then on.

    def put(self, zone: Zone, card: Card) -> None:
        """Lays a card on top of a zone."""
        zone.cards.append(card)
        seen = card.seen
        if seen != zone.mask:
            if seen | zone.mask != seen:
                self.learn(card, zone.mask)
            zone.peeked |= seen

    def put_all(self, zone: Zone, cards: Iterable[Card]) -> None:
        """Lays cards on top of a zone, the last of them on top."""
        mask, by_hand = zone.mask, self.by_hand
        for card in cards:
            zone.cards.append(card)
            seen = card.seen
            if seen != mask:
                if by_hand and not seen:
                    self.learn(card, mask)
                elif seen | mask != seen:
                    card.seen = seen | mask
                    self.fresh = True
                zone.peeked |= seen

    def place(self, spots: Spots, spot: int, card: Card) -> None:
        """Lays a card on top of one of several spots."""
        spots.piles[spot].append(card)
        if card.seen | spots.mask != card.seen:
            self.learn(card, spots.mask)

    def give(self, zone: Zone, card: Card, to: Zone) -> None:
        """Moves this card to the top of another zone."""
        zone.cards.remove(card)
        to.cards.append(card)
        seen, mask = card.seen, to.mask
        if seen != mask:
            if not seen and self.by_hand:
                self.learn(card, mask)
            elif seen | mask != seen:
                card.seen = seen | mask
                self.fresh = True
            to.peeked |= seen

    def draw(self, zone: Zone, to: Zone) -> Card:
        """Moves the top card to another zone."""
        card = zone.cards.pop()
        to.cards.append(card)
        seen, mask = card.seen, to.mask
        if seen != mask:
            if not seen and self.by_hand:
                self.learn(card, mask)
            elif seen | mask != seen:
                card.seen = seen | mask
                self.fresh = True
            to.peeked |= seen
        return card

    def swap(self, zone: Zone, place: int, other: Zone, there: int) -> None:
        """Swap two cards."""
        ours, theirs = zone.cards[place], other.cards[there]
        zone.cards[place], other.cards[there] = theirs, ours
        for card, to in ((theirs, zone), (ours, other)):
            to.peeked |= card.seen
            if card.seen | to.mask != card.seen:
                self.learn(card, to.mask)

    # Knowledge

    def learn(self, card: Card, mask: int) -> None:
        """These seats now know this face."""
        if self.by_hand and not card.seen:
            self.source.uncover(self, card, mask)
        card.seen |= mask
        self.fresh = True

    def look(self, seat: int, zone: Zone, cards: Sequence[Card], key: str, **params: Any) -> None:
        """A seat looks at hidden cards of a zone: it knows them from now on, and may look them up in its notes."""
        for card in cards:
            self.learn(card, 1 << seat)
        zone.peeked |= 1 << seat
        self.notes.append(PrivateNote(seat, key, tuple(cards), params))
        self.fresh = True

    def reveal(self, zone: Zone) -> None:
        """Everybody is shown the cards of this zone where they lie."""
        for card in zone.cards:
            self.learn(card, self.everybody)
        zone.peeked = self.everybody

    def mix(self, cards: Sequence[Card], knowing: int = 0, *, shuffled: bool = False) -> None:
        """These cards may have changed places, and only ``knowing`` could follow."""
        number = len(self.mixes)
        everybody, of_now = self.everybody, (number,) * (self.seats + 1)
        for card in cards:
            if card.seen:
                lost = card.seen & ~knowing
                if lost == everybody:
                    card.since = of_now
                elif lost:
                    card.since = tuple(number if lost >> seat & 1 else old for seat, old in enumerate(card.since))
                card.seen &= knowing
        self.mixes.append((tuple(cards), knowing, shuffled))

    # Chance

    def shuffle(self, cards: list[Card], stream: str) -> None:
        """Shuffles this list of cards in place; nobody knows any of them afterwards."""
        cards[:] = self.source.shuffled(cards, stream)
        self.mix(cards, shuffled=True)
        self.fresh = True

    def roll(self, sides: int, stream: str) -> int:
        """A die, 1 to ``sides``."""
        self.fresh = True
        return self.source.roll(sides, stream)

    # What happened

    def tell(self, key: str, private: Mapping[int, Mapping[str, Any]] | None = None, /, **params: Any) -> None:
        """What everybody sees happen, and in the same breath what only some see of it."""
        if private is not None:
            self.fresh = True
        if not self.quiet:
            self.events.append((key, params, private))

    def clockwise_from(self, seat: int) -> list[int]:
        return [(seat + step) % self.seats for step in range(self.seats)]


class Row:
    """Keeps a passing row on the table and clears it away."""

    __slots__ = ("_table", "_zone")

    def __init__(self, table: Table, zone: Zone) -> None:
        self._table = table
        self._zone = zone

    def __enter__(self) -> Zone:
        return self._zone

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            if self._zone.cards:
                raise RuntimeError(f"The row {self._zone.label} was cleared away with cards in it.")
            self._table.zones.remove(self._zone)
