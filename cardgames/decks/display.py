"""A deck ready to draw: each value with its source, and the totals compared with the rules."""

from dataclasses import dataclass
from typing import Any

from cardgames.drawing import deck_pictures_of
from cardgames.engine.deck_data import (
    NUMBERS,
    SOURCES,
    CardGroup,
    CardRow,
    Deck,
    DeckSchema,
    Value,
    ValueKind,
    make_deck,
)
from cardgames.games import find_game

# One sign per source: colour and italics alone are not clear to everybody.
SIGNS = {"stated": "", "inferred": "≈", "house": "⌂", "printed": "✓"}
SOURCE_TITLES = {
    "stated": "Stated in the rules",
    "inferred": "Follows from the rules",
    "house": "House values: ours, where the rules give none",
    "printed": "Entered from printed cards",
}


@dataclass(frozen=True, slots=True)
class Cell:
    kind: ValueKind
    value: Value
    source: str

    @property
    def shown(self) -> str:
        if self.kind.type == "flag":
            return "yes" if self.value else "no"
        return format_value(self.value)

    @property
    def sign(self) -> str:
        return SIGNS[self.source]

    @property
    def why(self) -> str:
        return SOURCES[self.source]


def format_value(value: Value) -> str:
    """A value as it is read and typed: several numbers with commas between them."""
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


@dataclass(frozen=True, slots=True)
class CardLine:
    id: str
    name: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class DeckPart:
    """A group of the deck: animals, actions, court."""

    group: CardGroup
    lines: tuple[CardLine, ...]
    count: int

    @property
    def kinds(self) -> tuple[ValueKind, ...]:
        """All but the name, which is the heading of its row."""
        return tuple(kind for kind in self.group.kinds if kind.key != "name")


@dataclass(frozen=True, slots=True)
class DeckTotal:
    label: str
    wanted: int
    counted: int

    @property
    def fits(self) -> bool:
        return self.wanted == self.counted


@dataclass(frozen=True, slots=True)
class ValueOrigin:
    """Which values come from one source, in words: "Actions: copies, text"."""

    key: str
    sign: str
    title: str
    where: tuple[str, ...]
    count: int


@dataclass(frozen=True, slots=True)
class DeckDisplay:
    title: str
    note: str
    parts: tuple[DeckPart, ...]
    sums: tuple[DeckTotal, ...]
    origins: tuple[ValueOrigin, ...]
    warnings: tuple[str, ...]


def build_deck_display(schema: DeckSchema, deck: Deck) -> DeckDisplay:
    parts = tuple(_part(group, deck) for group in schema.groups)
    sums = tuple(DeckTotal(total.label, total.value, deck.count(total.groups)) for total in schema.totals)
    origins = tuple(origin for key in SOURCE_TITLES if (origin := _origin(schema, deck, key)) is not None)
    return DeckDisplay(deck.title, deck.note, parts, sums, origins, tuple(schema.warnings(deck)))


def _part(group: CardGroup, deck: Deck) -> DeckPart:
    rows = deck.group(group.key)
    return DeckPart(group, tuple(_line(group, row) for row in rows), sum(row.copies for row in rows))


def _line(group: CardGroup, row: CardRow) -> CardLine:
    cells = tuple(Cell(kind, row.values[kind.key], row.sources[kind.key]) for kind in group.kinds)
    return CardLine(row.id, str(row.values["name"]), cells)


def _origin(schema: DeckSchema, deck: Deck, source: str) -> ValueOrigin | None:
    values = deck.of_source(source)
    if not values:
        return None
    where = []
    for group in schema.groups:
        rows = deck.group(group.key)
        labels = []
        for kind in group.kinds:
            held = [row for row in rows if row.sources[kind.key] == source]
            if held:
                # "Cost" becomes "cost", but a term such as "Move and Cover" keeps its capitals.
                label = kind.label if any(word.istitle() for word in kind.label.split()[1:]) else kind.label.lower()
                labels.append(label if len(held) == len(rows) else f"{label} ({len(held)} of {len(rows)} cards)")
        if labels:
            where.append(f"{group.label}: {', '.join(labels)}")
    return ValueOrigin(source, SIGNS[source], SOURCE_TITLES[source], tuple(where), len(values))


def field_name(row: str, kind: ValueKind) -> str:
    """The form field of a value. Ids contain no dot."""
    return f"{row}.{kind.key}"


def read_card_values(schema: DeckSchema, deck: Deck, form: Any) -> dict[str, dict[str, Value]]:
    """Card values from a form, by row. Missing ones stay; an invalid number stays as typed and is refused later."""
    changes: dict[str, dict[str, Value]] = {}
    for group in schema.groups:
        for row in deck.group(group.key):
            if field_name(row.id, group.kinds[0]) not in form:
                continue
            changes[row.id] = {
                kind.key: _parse_value(kind, form.get(field_name(row.id, kind), "")) for kind in group.kinds
            }
    return changes


def _parse_value(kind: ValueKind, text: str) -> Value:
    if kind.type == "flag":
        return text == "on"
    text = text.strip()
    if kind.type == "number":
        bare = text.removeprefix("-")
        return int(text) if bare.isascii() and bare.isdigit() and len(bare) < 9 else text
    if kind.type == NUMBERS:
        parts = [part.strip() for part in text.split(",") if part.strip()]
        if all(part.isascii() and part.isdigit() and len(part) < 9 for part in parts):
            return tuple(map(int, parts))
    return text


def add_new_cards(schema: DeckSchema, deck: Deck, form: Any) -> Deck:
    """Adds a card from each blank row of the form that has a name."""
    data = deck.as_json()
    before = len(data["cards"])
    for group in schema.groups:
        if group.keys or not str(form.get(f"new-{group.key}.name", "")).strip():
            continue
        values = {kind.key: _parse_value(kind, form.get(f"new-{group.key}.{kind.key}", "")) for kind in group.kinds}
        taken = {row["id"] for row in data["cards"]}
        number = next(number for number in range(1, 1000) if f"own-{group.key}-{number}" not in taken)
        name = f"own-{group.key}-{number}"
        data["cards"].append({"id": name, "group": group.key, "values": values, "sources": {"printed": list(values)}})
    return deck if len(data["cards"]) == before else make_deck(schema, data)


def deck_page_context(deck: Deck) -> dict[str, object]:
    """What the page of a deck shows, be it a house deck or a copy."""
    pack = deck_pictures_of(deck)
    return {"deck": build_deck_display(find_game(deck.game).schema, deck), "pack": pack, "faces": list(pack.pictures)}
