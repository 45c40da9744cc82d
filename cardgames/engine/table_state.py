"""The table: cards, zones, what happened and who knows what. Rules act on it; nobody else touches it.

Knowledge is kept as the cards are moved, never by the author of a game: putting a card where a seat sees it, a look, a
shuffle or a secret exchange each change ``seen``. From the list of mixes follows what a seat cannot know, which is what
``imagine_hidden_cards`` changes.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from cardgames.engine.cards import Card, Each, EachSpots, Face, Spots, Zone, make_named_tuple
from cardgames.engine.public_and_secret_fields import ALL, NONE, OWNER, DeclaredFieldsMeta

if TYPE_CHECKING:
    from cardgames.engine.deck_data import Deck
    from cardgames.engine.randomness import RandomSource


class GameEnded(Exception):
    """Raised in the middle of a rule when the game's ``ends_at_once`` finds that the game is over."""

    def __init__(self, result: Any) -> None:
        super().__init__("The game is over.")
        self.result = result


class PrivateNote:
    """Something a seat was shown in one place and may look up again.

    It goes stale when a card has left that place or may have changed since. A card whose way the seat could follow is
    still known where it lies now; the note only says where it lay.
    """

    __slots__ = ("cards", "faces", "key", "params", "seat", "since", "zone")

    def __init__(self, seat: int, zone: Zone, key: str, cards: tuple[Card, ...], params: Mapping[str, Any]) -> None:
        self.seat = seat
        self.zone = zone
        self.key = key
        self.cards = cards
        self.params = params
        self.since = tuple(card.since[seat] for card in cards)
        # A stale note still says what was seen then.
        self.faces = tuple(card.key for card in cards)

    def is_stale(self) -> bool:
        # A card the seat still knows is one it could follow, so looking where it lies tells nothing new.
        bit = 1 << self.seat
        return any(
            not card.seen & bit or card.since[self.seat] != since or card not in self.zone.cards
            for card, since in zip(self.cards, self.since, strict=True)
        )


class Mix(NamedTuple):
    """Cards that may have changed places, in their new order, and the mask of those who could follow it.

    ``seen_before`` are the masks of those who knew each card before.
    """

    cards: tuple[Card, ...]
    knowing: int
    is_shuffle: bool
    seen_before: list[int]


Event = tuple[str, Mapping[str, Any], Mapping[int, Mapping[str, Any]] | None]


class Table(metaclass=DeclaredFieldsMeta):
    """One game in play. A game's own table subclasses this and declares its fields; its places lie in that order."""

    __slots__ = (
        "all_cards",
        "blocks_undo",
        "by_hand",
        "ends_at_once",
        "events",
        "everybody",
        "mixes",
        "notes",
        "options",
        "quiet",
        "rules_deck",
        "seats",
        "source",
        "zones",
    )

    def __init__(
        self, deck: "Deck", seats: int, options: Mapping[str, Any], source: "RandomSource", quiet: bool = False
    ) -> None:
        self.rules_deck = deck
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
        self.mixes: list[Mix] = []
        self.events: list[Event] = []
        self.notes: list[PrivateNote] = []
        # Set by the driver where a game can end at any moment (see Game.ends_at_once).
        self.ends_at_once: Callable[[Any], Any] | None = None
        # Raised by chance and by new knowledge; the driver reads it to place the undo barrier.
        self.blocks_undo = False
        kind = type(self)
        for key, value in kind.STARTING_VALUES:
            setattr(self, key, value)
        for key, field in kind.STARTING_FIELDS:
            setattr(self, key, field.start(seats))
        for key, make, given in kind.PLACES:
            setattr(self, key, make(self, *given))
        self.prepare()

    def prepare(self) -> None:
        """For a game: works out its ``fixed()`` fields when the table is opened."""

    # Making the table

    def make_cards(self, faces: Sequence[Face]) -> list[Card]:
        """New cards with these faces, known to nobody and lying nowhere yet."""
        cards = Card.make_many(faces, (0,) * (self.seats + 1))
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

    def zone(self, label: str, sees: str = ALL, ordered: bool = False, browsable: bool = True) -> Zone:
        """A pile of the whole table."""
        zone = Zone(label, self.mask_of(sees, None), None, ordered, browsable)
        self.zones.append(zone)
        return zone

    def zones_each(self, label: str, sees: str, ordered: bool = False) -> list[Zone]:
        """A pile for each seat."""
        own = sees == OWNER
        mask = 0 if own else self.mask_of(sees, None)
        zones = [Zone(label, 1 << seat if own else mask, seat, ordered, True) for seat in range(self.seats)]
        self.zones.append(Each(label, zones))
        return zones

    def spots(self, label: str, names: tuple[str, ...], browsable: bool = True, alike: bool = False) -> Spots:
        """Several open piles of the whole table."""
        spots = Spots(label, self.everybody, names, None, browsable, alike)
        self.zones.append(spots)
        return spots

    def spots_each(self, label: str, names: tuple[str, ...], alike: bool = False) -> list[Spots]:
        """Several open piles for each seat."""
        each = [Spots(label, self.everybody, names, seat, True, alike) for seat in range(self.seats)]
        self.zones.append(EachSpots(label, each))
        return each

    @contextmanager
    def open_row(self, label: str, cards: Sequence[Card]) -> Iterator[Zone]:
        """A row of open cards that lasts as long as the effect that laid it out: ``with t.open_row(...) as row``."""
        zone = self.zone(label)
        self.put_all(zone, cards)
        yield zone
        if zone.cards:
            raise RuntimeError(f"The row {label} was cleared away with cards in it.")
        self.zones.remove(zone)

    # Moving cards. Whoever sees the place a card comes to knows its face from then on.

    def put(self, zone: Zone, card: Card) -> None:
        """Lays a card on top of a zone."""
        zone.cards.append(card)
        seen = card.seen
        if seen != zone.mask:
            if seen | zone.mask != seen:
                self.show_to(card, zone.mask)
            zone.peeked |= seen

    def put_all(self, zone: Zone, cards: Sequence[Card]) -> None:
        """Lays cards on top of a zone, the last of them on top."""
        if self.by_hand:
            for card in cards:
                self.put(zone, card)
            return
        zone.cards += cards
        mask, is_news = zone.mask, False
        if mask == self.everybody:
            for card in cards:
                if card.seen != mask:
                    card.seen = mask
                    is_news = True
        else:
            for card in cards:
                seen = card.seen
                if not seen:
                    card.seen = mask
                    is_news = True
                elif seen != mask:
                    is_news = is_news or seen | mask != seen
                    card.seen = seen | mask
                    zone.peeked |= seen
        if is_news and mask:
            self.blocks_undo = True

    def place(self, spots: Spots, spot: int, card: Card) -> None:
        """Lays a card on top of one of several spots."""
        spots.piles[spot].append(card)
        seen, mask = card.seen, spots.mask
        if not seen and self.by_hand:
            self.show_to(card, mask)
        elif seen | mask != seen:
            card.seen = seen | mask
            self.blocks_undo = True

    def give(self, zone: Zone, card: Card, to: Zone) -> None:
        """Moves this card to the top of another zone."""
        zone.cards.remove(card)
        to.cards.append(card)
        seen, mask = card.seen, to.mask
        if seen != mask:
            if not seen:
                self.show_to(card, mask)
            else:
                known = seen | mask
                if known != seen:
                    card.seen = known
                    self.blocks_undo = True
                if known != mask:
                    to.peeked |= seen

    def draw(self, zone: Zone, to: Zone) -> Card:
        """Moves the top card to another zone."""
        card = zone.cards.pop()
        to.cards.append(card)
        seen, mask = card.seen, to.mask
        if seen != mask:
            if not seen:
                # show_to spelled out: this is how most cards come into a hand.
                if self.by_hand:
                    self.source.uncover(self, card, mask)
                card.seen = mask
                self.blocks_undo = True
            else:
                known = seen | mask
                if known != seen:
                    card.seen = known
                    self.blocks_undo = True
                if known != mask:
                    to.peeked |= seen
        return card

    def draw_many(self, zone: Zone, to: Zone, count: int) -> list[Card]:
        """Moves that many top cards, or all there are, to another zone, one after the other."""
        pile = zone.cards
        if self.by_hand:
            # The rules can stop at each card until somebody has named it.
            return [self.draw(zone, to) for _ in range(min(count, len(pile)))]
        drawn = pile[: -count - 1 : -1]
        del pile[len(pile) - len(drawn) :]
        self.put_all(to, drawn)
        return drawn

    def swap(self, zone: Zone, place: int, other: Zone, there: int) -> None:
        """Swap two cards."""
        ours, theirs = zone.cards[place], other.cards[there]
        zone.cards[place], other.cards[there] = theirs, ours
        for card, to in ((theirs, zone), (ours, other)):
            to.peeked |= card.seen
            if card.seen | to.mask != card.seen:
                self.show_to(card, to.mask)

    def put_under(self, zone: Zone, card: Card) -> None:
        """Lays a card under a pile; whoever knew it knows that it lies there."""
        zone.cards.insert(0, card)
        zone.peeked |= card.seen
        if card.seen | zone.mask != card.seen:
            self.show_to(card, zone.mask)

    def swap_unseen(self, zone: Zone, place: int, other: Zone, there: int) -> None:
        """Swaps two hidden cards. Out of several only the owner knows which; of a single card everybody does."""
        self.mix(zone.cards, knowing=zone.mask)
        self.mix(other.cards, knowing=other.mask)
        self.swap(zone, place, other, there)

    def reorder(self, seat: int, zone: Zone, cards: Sequence[Card]) -> None:
        """A seat that knows these top cards puts them back in this order, the last on top; only it can follow."""
        top = zone.cards[len(zone.cards) - len(cards) :]
        if set(top) != set(cards):
            raise ValueError("Only the top cards of a pile can be put back in another order.")
        self.mix(cards, knowing=1 << seat)
        zone.cards[len(zone.cards) - len(cards) :] = cards

    # Picking without looking

    def pick_blindly(self, zone: Zone, stream: str) -> Card:
        """A card of this zone by chance; it stays where it is, and what its owner knows stays too."""
        if len(zone.cards) == 1:
            return zone.cards[0]
        return zone.cards[self.roll(len(zone.cards), stream) - 1]

    # Knowledge

    def show_to(self, card: Card, mask: int) -> None:
        """These seats now know this face."""
        if self.by_hand and not card.seen:
            self.source.uncover(self, card, mask)
        card.seen |= mask
        self.blocks_undo = True

    def look(self, seat: int, zone: Zone, cards: Sequence[Card], key: str, **params: Any) -> None:
        """A seat looks at hidden cards of a zone: it knows them from now on, and may look them up in its notes."""
        for card in cards:
            self.show_to(card, 1 << seat)
        zone.peeked |= 1 << seat
        self.notes.append(PrivateNote(seat, zone, key, tuple(cards), params))
        self.blocks_undo = True

    def reveal(self, zone: Zone) -> None:
        """Everybody is shown the cards of this zone where they lie."""
        everybody = self.everybody
        if self.by_hand:
            for card in zone.cards:
                self.show_to(card, everybody)
        else:
            for card in zone.cards:
                card.seen = everybody
                self.blocks_undo = True
        zone.peeked = everybody

    def mix(self, cards: Sequence[Card], knowing: int = 0, *, shuffled: bool = False) -> None:
        """These cards may have changed places, and only ``knowing`` could follow. A single card has no other place."""
        if len(cards) < 2 and not shuffled:
            return
        number = len(self.mixes)
        before = [card.seen for card in cards]
        self.mixes.append(make_named_tuple(Mix, (tuple(cards), knowing, shuffled, before)))
        if not any(before):
            return
        everybody, of_now = self.everybody, (number,) * (self.seats + 1)
        if not knowing and before.count(everybody) == len(before):
            # Open discards, the most frequent case.
            for card in cards:
                card.since = of_now
                card.seen = 0
            return
        forgetting = everybody & ~knowing
        for card in cards:
            lost = card.seen & forgetting
            if lost == everybody:
                card.since = of_now
                card.seen = 0
            elif lost:
                card.since = tuple([number if lost >> seat & 1 else old for seat, old in enumerate(card.since)])
                card.seen &= knowing

    # Chance

    def shuffle(self, cards: list[Card], stream: str) -> None:
        """Shuffles this list of cards in place; nobody knows any of them afterwards."""
        cards[:] = self.source.shuffled(cards, stream)
        self.mix(cards, shuffled=True)
        self.blocks_undo = True

    def roll(self, sides: int, stream: str) -> int:
        """A die, 1 to ``sides``."""
        self.blocks_undo = True
        return self.source.roll(sides, stream)

    # What happened

    def log_event(self, key: str, private: Mapping[int, Mapping[str, Any]] | None = None, /, **params: Any) -> None:
        """What everybody sees happen, and in the same breath what only some see of it.

        It is logged when it is done, so this is also where a game that can end at any moment is looked at.
        """
        if private is not None:
            self.blocks_undo = True
        if not self.quiet:
            self.events.append((key, params, private))
        if self.ends_at_once is not None:
            self.check_end()

    def check_end(self) -> None:
        """Ends the game in the middle of a rule if the game's ``ends_at_once`` says so."""
        if self.ends_at_once is not None:
            # What the ending itself logs does not look again.
            look, self.ends_at_once = self.ends_at_once, None
            result = look(self)
            if result is not None:
                raise GameEnded(result)
            self.ends_at_once = look

    def clockwise_from(self, seat: int) -> list[int]:
        return [(seat + step) % self.seats for step in range(self.seats)]
