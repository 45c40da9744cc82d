"""Agreements besides the rules: dice, confirming, correcting, free text. The first choice is the default."""

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

    def format_value(self, value: object) -> str:
        return dict(self.choices).get(str(value), str(value))


# Only choices that the site acts on are offered.
TERMS = (
    Term(
        "dice",
        "Whose dice",
        (
            ("typed", "Our own dice, typed in"),
            ("service", "Rolled by the site"),
            ("sealed", "Sealed: from a secret word entered by each captain"),
        ),
    ),
    Term(
        "confirm",
        "Who confirms a result",
        (("one", "One report is enough"), ("both", "Both sides"), ("master", "The game master")),
    ),
    Term(
        "stands",
        "Unconfirmed reports",
        (("on", "Become final after 7 days unless someone objects"), ("off", "Wait until someone confirms them")),
    ),
    Term(
        "correct",
        "Who can correct the chronicle",
        (("master", "The game master"), ("touched", "Anyone, if the affected players agree")),
    ),
    Term(
        "muster_sight",
        "Who can see the other side's muster before the battle",
        (
            ("open", "Everyone, as it is rolled"),
            ("after", "Both sides, once both are done"),
            ("own", "Only its own side"),
        ),
    ),
)
TERM = {term.key: term for term in TERMS}

# Agreements in the players' own words.
FREE_TERMS = {"house_rules": "House rules in your own words", "victory_words": "What wins the war"}


def get_term(terms: Mapping[str, object], key: str) -> str:
    """The agreed value, or the default."""
    return str(terms.get(key) or TERM[key].default)


def term_title(key: str) -> str:
    return TERM[key].title if key in TERM else FREE_TERMS.get(key, key)


def describe_term_value(key: str, value: object) -> str:
    if key in TERM:
        return TERM[key].format_value(TERM[key].default if value is None else value)
    return str(value or "none")
