"""Sentences from data. Events and asks are keys with plain values; here they meet the names of people and cards.

In a line ``{seat}`` is a person, ``{seat's}`` the possessive, ``{card}`` a card's name, ``{cards}`` a list of them, and
``{n|card|cards}`` a number with the right form of the word. The reader is called "you".
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from text import join_list

SEATS = frozenset({"seat", "to", "of", "by", "other"})
CARDS = frozenset({"card", "cards", "other_card", "first", "second"})
_FIELD = re.compile(r"\{(\w+)(?:('s)|\|([^|}]*)\|([^}]*))?\}")

_START = re.compile(r"^[a-z]|(?<=\. )[a-z]")


@dataclass(frozen=True, slots=True)
class EventSentence:
    """One kind of event as a sentence, and as the acting seat itself reads it.

    ``private`` is for those the event told more: it may use the private values too. A ``minor`` event, such as drawing
    a card, is left out where there is room for the main things only.
    """

    text: str
    you: str = ""
    private: str = ""
    minor: bool = False


def distinct_labels(labels: Sequence[str]) -> list[str]:
    """The labels of choices; those of like cards are numbered, so that no two read the same."""
    met: dict[str, int] = {}
    out = []
    for label in labels:
        met[label] = met.get(label, 0) + 1
        out.append(f"{label} ({met[label]} of {labels.count(label)})" if labels.count(label) > 1 else label)
    return out


class SentenceBuilder:
    """The names at one table as one reader says them."""

    __slots__ = ("cards", "labels", "names", "reader")

    def __init__(
        self,
        names: Sequence[str],
        cards: Mapping[str, str],
        reader: int | None = None,
        labels: Mapping[str, str] | None = None,
    ) -> None:
        self.names = names
        self.cards = cards
        self.reader = reader
        self.labels = labels or {}

    def who(self, seat: int) -> str:
        return "you" if seat == self.reader else self.names[seat]

    def whose(self, seat: int) -> str:
        return "your" if seat == self.reader else f"{self.names[seat]}'s"

    def card(self, face: str) -> str:
        return self.cards.get(face, face)

    def fill(self, text: str, values: Mapping[str, Any]) -> str:
        def put(match: re.Match[str]) -> str:
            name, possessive, one, many = match.groups()
            value = values[name]
            if one is not None:
                return f"{value} {one if value == 1 else many}"
            if name in SEATS and isinstance(value, int):
                if possessive and name != "seat" and value == values.get("seat"):
                    return "your own" if value == self.reader else "their own"
                return self.whose(value) if possessive else self.who(value)
            if name in CARDS:
                return join_list([self.card(face) for face in value]) if isinstance(value, list) else self.card(value)
            if isinstance(value, list):
                return join_list([self.who(item) if isinstance(item, int) else str(item) for item in value])
            return self.labels.get(value, value) if isinstance(value, str) else str(value)

        return _START.sub(lambda match: match.group().upper(), _FIELD.sub(put, text))

    def event(
        self, lines: Mapping[str, EventSentence], key: str, values: Mapping[str, Any], is_private: bool = False
    ) -> str:
        """The sentence of an event; ``is_private`` when this reader was told more than the others."""
        line = lines[key]
        if is_private and line.private:
            return self.fill(line.private, values)
        if line.you and values.get("seat") == self.reader and self.reader is not None:
            return self.fill(line.you, values)
        return self.fill(line.text, values)
