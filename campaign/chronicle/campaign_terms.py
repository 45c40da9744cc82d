"""What a table agrees beside the rules of play: whose dice, who confirms, who corrects, and rules in its own words. The
first choice is the default.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Term:
    key: str
    title: str
    choices: tuple[tuple[str, str], ...]  # the value, and how a page says it

    @property
    def default(self) -> str:
        return self.choices[0][0]

    @property
    def values(self) -> tuple[str, ...]:
        return tuple(value for value, _ in self.choices)

    def said(self, value: object) -> str:
        return dict(self.choices).get(str(value), str(value))


# Only what the site acts on is offered: a choice that changes nothing would be a lie.
TERMS = (
    Term("dice", "Whose dice", (
        ("typed", "Our own, typed in"),
        ("service", "Rolled by the service"),
        ("sealed", "Sealed: drawn from a word of each captain"),
    )),
    Term("confirm", "Who confirms a result", (
        ("one", "One report is enough"),
        ("both", "Both sides"),
        ("master", "The game master"),
    )),
    Term("stands", "A report that waits", (
        ("on", "Stands after 7 days without objection"),
        ("off", "Waits until somebody confirms it"),
    )),
    Term("correct", "Who may correct the chronicle", (
        ("master", "The game master"),
        ("touched", "Anyone, with the consent of those it touches"),
    )),
    Term("muster_sight", "Who may see the other's muster before the battle", (
        ("open", "Everyone, as it is rolled"),
        ("after", "Both sides, once both are done"),
        ("own", "Nobody but its own side"),
    )),
)  # fmt: skip
TERM = {term.key: term for term in TERMS}

# What is agreed in words of the table's own.
FREE_TERMS = {"house_rules": "House rules in words", "victory_words": "What wins the war"}


def term_of(terms: Mapping[str, object], key: str) -> str:
    """What holds at this table."""
    return str(terms.get(key) or TERM[key].default)


def term_title(key: str) -> str:
    return TERM[key].title if key in TERM else FREE_TERMS.get(key, key)


def term_said(key: str, value: object) -> str:
    if key in TERM:
        return TERM[key].said(TERM[key].default if value is None else value)
    return str(value or "nothing written")
