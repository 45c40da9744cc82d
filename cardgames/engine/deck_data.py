"""Decks are data: rows with values, and for every value where it comes from.

The rule texts leave many card values out. A house deck fills them and says so; a group may copy it and enter what its
printed cards say. Totals that do not fit the rules only bring a warning: the group's cards count. Nonsense is refused.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TypedDict, TypeVar

from cardgames.engine.cards import Face
from refusal import Refusal

SCHEMA = "mice-at-arms.deck/1"
SOURCES = {
    "stated": "stated by the rules",
    "inferred": "follows from the rules",
    "house": "our own value, because the rules leave it out",
    "printed": "entered from printed cards",
}
MAX_FILE = 300_000
MAX_ROWS = 300
MAX_NUMBERS = 20

Value = str | int | bool | tuple[int, ...]
NUMBERS = "numbers"
AnyFace = TypeVar("AnyFace", bound=Face)


class CardJson(TypedDict):
    id: str
    group: str
    values: Mapping[str, Value | list[int]]
    sources: Mapping[str, list[str]]


class DeckJson(TypedDict):
    """A deck as it is stored and shared."""

    schema: str
    game: str
    id: str
    title: str
    note: str
    cards: list[CardJson]


@dataclass(frozen=True, slots=True)
class ValueKind:
    """What one value of a row may be: a number in a range, a short text, a yes or no, one of a list, or some numbers.

    With ``per_copy`` there is one number for each copy, or none at all.
    """

    key: str
    label: str
    type: str = "number"
    low: int = 0
    high: int = 20
    picks: tuple[str, ...] = ()
    per_copy: bool = False

    def problem(self, value: object) -> str | None:
        if self.type == "number":
            if type(value) is not int:
                return "must be a whole number"
            if not self.low <= value <= self.high:
                return f"must be from {self.low} to {self.high}"
        elif self.type == NUMBERS:
            if not isinstance(value, list | tuple) or not all(type(number) is int for number in value):
                return "must be whole numbers"
            if len(value) > MAX_NUMBERS or not all(self.low <= number <= self.high for number in value):
                return f"must be at most {MAX_NUMBERS} numbers from {self.low} to {self.high}"
        elif self.type == "flag":
            if type(value) is not bool:
                return "must be yes or no"
        elif self.type == "pick":
            if value not in self.picks:
                return f"must be one of {', '.join(self.picks)}"
        elif type(value) is not str or not self.low <= len(value.strip()) <= self.high or not value.isprintable():
            return f"must be a text of {self.low} to {self.high} characters on one line"
        return None


NAME = ValueKind("name", "Name", "text", 1, 40)
COPIES = ValueKind("copies", "Copies", "number", 0, 20)


@dataclass(frozen=True, slots=True)
class CardGroup:
    """A group of rows: animals, actions, court. With ``keys`` the rows are exactly these, because rules name them.

    What a card does is code, found by its id. ``effects`` are the ids that have such code; other cards may be in the
    deck too, and the deck says that they have no effect here.
    """

    key: str
    label: str
    kinds: tuple[ValueKind, ...]
    keys: tuple[str, ...] = ()
    effects: frozenset[str] = frozenset()

    def kind(self, key: str) -> ValueKind | None:
        return next((kind for kind in self.kinds if kind.key == key), None)


@dataclass(frozen=True, slots=True)
class DeckTotal:
    """How many cards the rules say a group has in all."""

    groups: tuple[str, ...]
    label: str
    value: int
    source: str = "stated"


@dataclass(frozen=True, slots=True)
class CardRow:
    """One row of a deck: a card that comes in ``copies``."""

    id: str
    group: str
    values: Mapping[str, Value]
    sources: Mapping[str, str]

    @property
    def copies(self) -> int:
        return self.number("copies", 1)

    def number(self, key: str, default: int = 0) -> int:
        """A value that is a single number."""
        value = self.values.get(key, default)
        return value if isinstance(value, int) else default


@dataclass(frozen=True)
class Deck:
    """A checked deck. Two decks with the same text are the same deck, which is what the caches go by."""

    game: str
    id: str
    title: str
    note: str
    rows: tuple[CardRow, ...]
    text: str = field(repr=False)

    def __hash__(self) -> int:
        return hash(self.text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Deck) and other.text == self.text

    def group(self, key: str) -> tuple[CardRow, ...]:
        return tuple(row for row in self.rows if row.group == key)

    def row(self, id: str) -> CardRow:
        return next(row for row in self.rows if row.id == id)

    def repeat(self, faces: Iterable[AnyFace]) -> tuple[AnyFace, ...]:
        """One face for each card: as often as the deck says, and none that it does not count."""
        copies = {row.id: row.copies for row in self.rows}
        return tuple(face for face in faces for _ in range(copies.get(face.id, 0)))

    def count(self, groups: Sequence[str]) -> int:
        return sum(row.copies for row in self.rows if row.group in groups)

    def as_json(self) -> DeckJson:
        data: DeckJson = json.loads(self.text)
        return data

    def of_source(self, source: str) -> list[tuple[CardRow, str]]:
        """All values of one origin, for the page that says plainly which are ours."""
        return [(row, key) for row in self.rows for key, where in row.sources.items() if where == source]


@dataclass(frozen=True)
class DeckSchema:
    """What a deck of one game must look like. ``checks`` add refusals, ``doubts`` add warnings."""

    game: str
    groups: tuple[CardGroup, ...]
    totals: tuple[DeckTotal, ...] = ()
    checks: tuple[Callable[[Deck], list[str]], ...] = ()
    doubts: tuple[Callable[[Deck], list[str]], ...] = ()

    def __hash__(self) -> int:
        return hash(self.game)

    def group(self, key: object) -> CardGroup | None:
        return next((group for group in self.groups if group.key == key), None)

    def warnings(self, deck: Deck) -> list[str]:
        """Warnings where totals do not match the rules. The deck is still accepted."""
        out = []
        for total in self.totals:
            count = deck.count(total.groups)
            if count != total.value:
                out.append(f"The rules call for {total.value} {total.label}; this deck has {count}.")
        return [*out, *self.without_effect(deck), *(line for doubt in self.doubts for line in doubt(deck))]

    def without_effect(self, deck: Deck) -> list[str]:
        """Cards of the deck that the site can deal but that do nothing, because it does not know what they say."""
        return [
            f"“{row.values.get('name', row.id)}” has no effect here. It is used and discarded."
            for group in self.groups
            if group.effects
            for row in deck.group(group.key)
            if row.copies and row.id not in group.effects
        ]


@lru_cache(maxsize=64)
def read_deck(schema: DeckSchema, text: str) -> Deck:
    """The deck in this text, or a refusal that says what is wrong with it."""
    if len(text) > MAX_FILE:
        raise Refusal("This file is too large for a deck.")
    try:
        data = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise Refusal("This file is not a deck: it cannot be read as JSON.") from None
    problems = _problems(schema, data)
    if problems:
        raise Refusal(" ".join(problems[:3]))
    deck = _build(data)
    problems = [line for check in schema.checks for line in check(deck)]
    if problems:
        raise Refusal(" ".join(problems[:3]))
    return deck


def make_deck(schema: DeckSchema, data: object) -> Deck:
    """The same from plain data."""
    try:
        return read_deck(schema, json.dumps(data, sort_keys=True, ensure_ascii=False))
    except (TypeError, ValueError) as error:
        if isinstance(error, Refusal):
            raise
        raise Refusal("This is not a deck: it contains values JSON does not allow.") from None


def edit_deck(
    schema: DeckSchema,
    deck: Deck,
    changes: Mapping[str, Mapping[str, Value]],
    *,
    id: str | None = None,
    title: str | None = None,
    source: str = "printed",
) -> Deck:
    """A copy with other values; whatever really changed is marked as entered from printed cards."""
    rows = []
    unknown = set(changes) - {row.id for row in deck.rows}
    if unknown:
        raise Refusal(f"This deck has no card {sorted(unknown)[0]!r}.")
    for row in deck.rows:
        new = {key: value for key, value in changes.get(row.id, {}).items() if row.values.get(key) != value}
        sources = {**row.sources, **dict.fromkeys(new, source)}
        rows.append(replace(row, values={**row.values, **new}, sources=sources))
    return make_deck(schema, _plain(deck.game, id or deck.id, title or deck.title, deck.note, rows))


def _plain(game: str, id: str, title: str, note: str, rows: Iterable[CardRow]) -> DeckJson:
    cards: list[CardJson] = []
    for row in rows:
        origin: dict[str, list[str]] = {}
        for key, where in row.sources.items():
            origin.setdefault(where, []).append(key)
        cards.append({"id": row.id, "group": row.group, "values": dict(row.values), "sources": origin})
    return {"schema": SCHEMA, "game": game, "id": id, "title": title, "note": note, "cards": cards}


def _no_constant(name: str) -> object:
    raise ValueError(name)


def _problems(schema: DeckSchema, data: object) -> list[str]:
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        return [f"This file is not a deck: it does not say {SCHEMA}."]
    if data.get("game") != schema.game:
        return [f"This deck is for another game, not for {schema.game}."]
    out = []
    for key, most in (("id", 80), ("title", 120), ("note", 1000)):
        text = data.get(key)
        if not isinstance(text, str) or len(text) > most or not text.isprintable():
            out.append(f"The deck's {key} must be a text of at most {most} characters.")
    extra = set(data) - {"schema", "game", "id", "title", "note", "cards"}
    if extra:
        out.append(f"A deck has no part called {sorted(map(str, extra))[0]!r}.")
    cards = data.get("cards")
    if not isinstance(cards, list) or not 1 <= len(cards) <= MAX_ROWS:
        return [*out, f"A deck has 1 to {MAX_ROWS} rows of cards."]
    seen: set[str] = set()
    for row in cards:
        out += _row_problems(schema, row, seen)
    for group in schema.groups:
        for key in group.keys:
            if key not in seen:
                out.append(f"The deck lacks the card {key!r}, which the rules need.")
    return out


def _row_problems(schema: DeckSchema, row: object, seen: set[str]) -> list[str]:
    if not isinstance(row, dict) or set(row) != {"id", "group", "values", "sources"}:
        return ["Each card needs an id, a group, its values and their sources."]
    name, group = row["id"], schema.group(row["group"])
    if not isinstance(name, str) or not 1 <= len(name) <= 60 or not name.replace("-", "").isalnum():
        return ["A card's id is made of letters, digits and hyphens."]
    if name in seen:
        return [f"The card {name!r} is in the deck twice. Give it more copies instead."]
    seen.add(name)
    if group is None or (group.keys and name not in group.keys):
        return [f"The card {name!r} does not belong to any group of this game."]
    values, sources = row["values"], row["sources"]
    if not isinstance(values, dict) or set(values) != {kind.key for kind in group.kinds}:
        wanted = ", ".join(kind.key for kind in group.kinds)
        return [f"The card {name!r} needs exactly these values: {wanted}."]
    out = []
    for kind in group.kinds:
        wrong = kind.problem(values[kind.key])
        if not wrong and kind.per_copy and len(values[kind.key]) not in (0, values.get("copies", 1)):
            wrong = "must be one number for each copy, or none"
        if wrong:
            out.append(f"{kind.label} of {name!r} {wrong}.")
    listed = []
    if isinstance(sources, dict):
        for where, keys in sources.items():
            if where not in SOURCES or not isinstance(keys, list):
                out.append(f"A value of {name!r} has an unknown source.")
            else:
                listed += keys
    if not isinstance(sources, dict) or sorted(map(str, listed)) != sorted(values):
        out.append(f"Each value of {name!r} needs one source.")
    return out


def _build(data: DeckJson) -> Deck:
    rows = []
    for row in data["cards"]:
        sources = {key: where for where, keys in row["sources"].items() for key in keys}
        values = {key: tuple(value) if isinstance(value, list) else value for key, value in row["values"].items()}
        rows.append(CardRow(row["id"], row["group"], values, sources))
    text = json.dumps(data, sort_keys=True, ensure_ascii=False)
    return Deck(data["game"], data["id"], data["title"], data["note"], tuple(rows), text)
