"""Cards and the places they lie: the only things a view is drawn from.

A ``Face`` is what is printed; a ``Card`` is one piece of cardboard, which has a face and remembers who has seen it.
Seats are bits of a mask; the spectator is one bit more than the seats, so "everybody" includes the TV.
"""

from collections.abc import Mapping, Sequence
from itertools import repeat
from typing import Any, NamedTuple


class Face:
    """What is printed on a card: its key, its group in the deck, its place there, and the printed values."""

    __slots__ = ("group", "id", "index", "name", "text", "values")

    def __init__(
        self,
        id: str,
        group: str,
        index: int = 0,
        name: str = "",
        text: str = "",
        values: Mapping[str, Any] | None = None,
    ) -> None:
        self.id = id
        self.group = group
        self.index = index
        self.name = name or id
        self.text = text
        self.values: Mapping[str, Any] = values or {}

    def __repr__(self) -> str:
        return f"<{self.id}>"


class Card:
    """One piece of cardboard.

    ``seen`` is the mask of those who know its face where it lies now. ``since[seat]`` is the number of the first mix
    that made the face uncertain to the seat; a re-deal for the seat uses only mixes from there on. ``key`` is the id
    of the face, at hand because every view and every ask reads it.
    """

    __slots__ = ("face", "key", "seen", "since")

    face: Face
    key: str
    seen: int
    since: tuple[int, ...]

    @classmethod
    def make_many(cls, faces: Sequence[Face], since: tuple[int, ...]) -> "list[Card]":
        """New cards, without a call for each: every table that is loaded makes its decks again."""
        cards = [*map(cls.__new__, repeat(cls, len(faces)))]
        for card, face in zip(cards, faces, strict=True):
            card.face = face
            card.key = face.id
            card.seen = 0
            card.since = since
        return cards

    def set_face(self, face: Face) -> None:
        """The card turns out to have another face; only a re-deal and the naming of printed cards do this."""
        self.face = face
        self.key = face.id

    def __repr__(self) -> str:
        return f"<card {self.key}>"


# Named tuples are made without their own ``__new__``: a view has a dozen of them, and the detour doubles their cost.
make_named_tuple = tuple.__new__


class ZoneView(NamedTuple):
    """A pile as one seat sees it: how many cards, and the faces it knows. None is a card it does not know."""

    zone: str
    size: int
    cards: list[str | None]

    @property
    def faces(self) -> list[str]:
        """The faces known here."""
        return [face for face in self.cards if face is not None]

    def as_json(self) -> Mapping[str, Any]:
        return {"zone": self.zone, "count": self.size, "cards": self.cards}


class ZonePerSeatView(NamedTuple):
    """The same pile once per seat: how many cards each holds, and the faces that are known."""

    zone: str
    counts: list[int]
    each: list[list[str | None]]

    def as_json(self) -> Mapping[str, Any]:
        return {"zone": self.zone, "counts": self.counts, "each": self.each}

    def faces(self, seat: int) -> list[str]:
        """The faces known at a seat."""
        return [face for face in self.each[seat] if face is not None]

    @property
    def all_faces(self) -> list[list[str]]:
        """The faces known at each seat."""
        return [self.faces(seat) for seat in range(len(self.each))]


class SpotsView(NamedTuple):
    """Named piles. ``spots`` holds the faces of each, unless every pile holds only the card it is named for."""

    zone: str
    names: tuple[str, ...]
    counts: list[int]
    spots: list[list[str]]

    def as_json(self) -> Mapping[str, Any]:
        data = {"zone": self.zone, "names": self.names, "counts": self.counts}
        return {**data, "spots": self.spots} if self.spots else data


class SpotsPerSeatView(NamedTuple):
    """The same named piles once per seat."""

    zone: str
    names: tuple[str, ...]
    counts: list[list[int]]
    each: list[list[list[str]]]

    def as_json(self) -> Mapping[str, Any]:
        data = {"zone": self.zone, "names": self.names, "counts": self.counts}
        return {**data, "each": self.each} if self.each else data


class Zone:
    """One pile of cards, its last card on top, and the mask of those who see the faces in it.

    A zone does not know its table: the table's ``put``, ``give`` and ``draw`` move cards and keep track of knowledge.
    ``peeked`` is the mask of those who may know some card here, because they see the zone or knew the card before.
    """

    __slots__ = ("browsable", "cards", "label", "mask", "ordered", "owner", "peeked")

    def __init__(self, label: str, mask: int, owner: int | None, ordered: bool, browsable: bool) -> None:
        self.label = label
        self.mask = mask
        self.owner = owner
        self.ordered = ordered
        self.browsable = browsable
        self.peeked = mask
        self.cards: list[Card] = []

    def __len__(self) -> int:
        return len(self.cards)

    def list_cards(self) -> list[Card]:
        """All cards here; a test checks that none is ever lost."""
        return self.cards

    def view_for(self, bit: int) -> ZoneView:
        """The zone as the seat of this bit sees it; 0 sees all cards."""
        cards = self.cards
        faces: list[str | None] = []
        if cards and (self.peeked & bit or not bit):
            if self.mask & bit and self.browsable:
                for card in cards:
                    faces.append(card.key)
            else:
                faces = self.faces(bit)
        return make_named_tuple(ZoneView, (self.label, len(cards), faces))

    def faces(self, bit: int) -> list[str | None]:
        """What is known of a pile with cards in it. Fewer faces than cards means that the rest is hidden."""
        cards = self.cards
        if self.mask & bit or not bit:
            if self.browsable or not bit:
                return [card.key for card in cards]
            return [cards[-1].key]
        known: list[str | None] = [card.key for card in cards if card.seen & bit]
        if known:
            if self.ordered:
                return [card.key if card.seen & bit else None for card in cards]
            known.sort()
        return known


class Spots:
    """Several named piles in one place: the pens of a zoo, the spots of a court.

    ``alike``: a pile holds only the card it is named for, so a view need only count.
    """

    __slots__ = ("alike", "browsable", "label", "mask", "names", "owner", "piles")

    def __init__(
        self, label: str, mask: int, names: tuple[str, ...], owner: int | None, browsable: bool, alike: bool
    ) -> None:
        self.label = label
        self.mask = mask
        self.owner = owner
        self.names = names
        self.browsable = browsable
        self.alike = alike
        self.piles: list[list[Card]] = [[] for _ in names]

    def list_cards(self) -> list[Card]:
        return [card for pile in self.piles for card in pile]

    def view_for(self, bit: int) -> SpotsView:
        spots: list[list[str]] = []
        if not self.alike:
            if self.browsable or not bit:
                spots = [[card.key for card in pile] for pile in self.piles]
            else:
                spots = [[pile[-1].key] if pile else [] for pile in self.piles]
        return make_named_tuple(SpotsView, (self.label, self.names, list(map(len, self.piles)), spots))


class Each:
    """The same pile once per seat: hands, roles, discards. Drawn together, one entry per seat."""

    __slots__ = ("label", "places")

    def __init__(self, label: str, places: list[Zone]) -> None:
        self.label = label
        self.places = places

    def list_cards(self) -> list[Card]:
        return [card for place in self.places for card in place.list_cards()]

    def view_for(self, bit: int) -> ZonePerSeatView:
        counts: list[int] = []
        each: list[list[str | None]] = []
        for zone in self.places:
            faces: list[str | None] = []
            cards = zone.cards
            counts.append(len(cards))
            if cards and (zone.peeked & bit or not bit):
                if zone.mask & bit and zone.browsable:
                    for card in cards:
                        faces.append(card.key)
                else:
                    faces = zone.faces(bit)
            each.append(faces)
        return make_named_tuple(ZonePerSeatView, (self.label, counts, each))


class EachSpots:
    """The same open spots once per seat: the pens of four zoos."""

    __slots__ = ("label", "places")

    def __init__(self, label: str, places: list[Spots]) -> None:
        self.label = label
        self.places = places

    def list_cards(self) -> list[Card]:
        return [card for place in self.places for card in place.list_cards()]

    def view_for(self, bit: int) -> SpotsPerSeatView:
        places = self.places
        counts: list[list[int]] = []
        for spots in places:
            counts.append([*map(len, spots.piles)])
        each: list[list[list[str]]] = []
        if not places[0].alike:
            each = [[[card.key for card in pile] for pile in spots.piles] for spots in places]
        return make_named_tuple(SpotsPerSeatView, (self.label, places[0].names, counts, each))
