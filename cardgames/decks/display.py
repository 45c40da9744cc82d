"""A deck as tables ready to draw: each value with where it comes from, and the totals the rules count."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cardgames.engine.decks import SOURCES, CardRow, Deck, DeckSchema, Group, Kind, Value, make_deck

# One sign per source, because colour and italics alone do not say it.
SIGNS = {"stated": "", "inferred": "≈", "house": "⌂", "printed": "✓"}
SAID = {
    "stated": "Stated by the rules",
    "inferred": "Follows from the rules",
    "house": "House values: our own, because the rules leave them out",
    "printed": "Entered from printed cards",
}


@dataclass(frozen=True, slots=True)
class Cell:
    kind: Kind
    value: Value
    source: str

    @property
    def shown(self) -> str:
        if self.kind.type == "flag":
            return "yes" if self.value else "no"
        return str(self.value)

    @property
    def sign(self) -> str:
        return SIGNS[self.source]

    @property
    def why(self) -> str:
        return SOURCES[self.source]


@dataclass(frozen=True, slots=True)
class Line:
    id: str
    name: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A group of the deck: animals, actions, court."""

    group: Group
    lines: tuple[Line, ...]
    count: int

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """All but the name, which heads its row."""
        return tuple(kind for kind in self.group.kinds if kind.key != "name")


@dataclass(frozen=True, slots=True)
class Sum:
    label: str
    wanted: int
    found: int

    @property
    def fits(self) -> bool:
        return self.wanted == self.found


@dataclass(frozen=True, slots=True)
class Origin:
    """Which values come from one source, in words: "Actions: copies, text"."""

    key: str
    sign: str
    title: str
    where: tuple[str, ...]
    count: int


@dataclass(frozen=True, slots=True)
class DeckSheet:
    title: str
    note: str
    parts: tuple[Part, ...]
    sums: tuple[Sum, ...]
    origins: tuple[Origin, ...]
    warnings: tuple[str, ...]


def deck_sheet(schema: DeckSchema, deck: Deck) -> DeckSheet:
    parts = tuple(_part(group, deck) for group in schema.groups)
    sums = tuple(Sum(total.label, total.value, deck.count(total.groups)) for total in schema.totals)
    origins = tuple(found for key in SAID if (found := _origin(schema, deck, key)) is not None)
    return DeckSheet(deck.title, deck.note, parts, sums, origins, tuple(schema.warnings(deck)))


def _part(group: Group, deck: Deck) -> Part:
    rows = deck.group(group.key)
    return Part(group, tuple(_line(group, row) for row in rows), sum(row.copies for row in rows))


def _line(group: Group, row: CardRow) -> Line:
    cells = tuple(Cell(kind, row.values[kind.key], row.sources[kind.key]) for kind in group.kinds)
    return Line(row.id, str(row.values["name"]), cells)


def _origin(schema: DeckSchema, deck: Deck, source: str) -> Origin | None:
    found = deck.of_source(source)
    if not found:
        return None
    where = []
    for group in schema.groups:
        rows = deck.group(group.key)
        labels = []
        for kind in group.kinds:
            held = [row for row in rows if row.sources[kind.key] == source]
            if held:
                label = kind.label[:1].lower() + kind.label[1:]
                labels.append(label if len(held) == len(rows) else f"{label} ({len(held)} of {len(rows)} cards)")
        if labels:
            where.append(f"{group.label}: {', '.join(labels)}")
    return Origin(source, SIGNS[source], SAID[source], tuple(where), len(found))


def field_name(row: str, kind: Kind) -> str:
    """The name of a value in the form that edits a deck; ids hold no dot."""
    return f"{row}.{kind.key}"


def typed(schema: DeckSchema, deck: Deck, form: Any) -> dict[str, dict[str, Value]]:
    """What a form says about the cards, by row; what it leaves out stays. Numbers that are none are left as typed, and refused later."""
    changes: dict[str, dict[str, Value]] = {}
    for group in schema.groups:
        for row in deck.group(group.key):
            if field_name(row.id, group.kinds[0]) not in form:
                continue
            changes[row.id] = {kind.key: _value(kind, form.get(field_name(row.id, kind), "")) for kind in group.kinds}
    return changes


def _value(kind: Kind, text: str) -> Value:
    if kind.type == "flag":
        return text == "on"
    text = text.strip()
    if kind.type == "number":
        bare = text.removeprefix("-")
        return int(text) if bare.isascii() and bare.isdigit() and len(bare) < 9 else text
    return text


def with_more(schema: DeckSchema, deck: Deck, form: Any) -> Deck:
    """A card more, where the rules leave open which there are: the form's blank row, if it was given a name."""
    data = deck.as_json()
    before = len(data["cards"])
    for group in schema.groups:
        if group.keys or not str(form.get(f"new-{group.key}.name", "")).strip():
            continue
        values = {kind.key: _value(kind, form.get(f"new-{group.key}.{kind.key}", "")) for kind in group.kinds}
        taken = {row["id"] for row in data["cards"]}
        number = next(number for number in range(1, 1000) if f"own-{group.key}-{number}" not in taken)
        name = f"own-{group.key}-{number}"
        data["cards"].append({"id": name, "group": group.key, "values": values, "sources": {"printed": list(values)}})
    return deck if len(data["cards"]) == before else make_deck(schema, data)
