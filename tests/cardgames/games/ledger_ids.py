"""The numbers of the ledgers: rules, rulings, edge cases and invariants."""

from __future__ import annotations

import re
from pathlib import Path

from cardgames import games
from cardgames.games import HOWTO


def rules_of(game: str) -> dict[str, str]:
    """The rules of a game by number, from ``rules.md`` beside its code."""
    text = (Path(games.__file__).parent / game / "rules.md").read_text(encoding="utf-8")
    return dict(re.findall(r"^- (\w+): (.+)$", text, re.MULTILINE))


def numbers_of(game: str) -> tuple[str, ...]:
    return (*rules_of(game), *dict(HOWTO[game].rulings))


IDS = (
    *numbers_of("menagerie"),
    *(f"GE-{number}" for number in range(1, 20)),
    *(f"GI-{number}" for number in range(1, 12)),
    *numbers_of("monarchs"),
    *(f"ME-{number}" for number in range(1, 18)),
    *(f"MI-{number}" for number in range(1, 11)),
    *numbers_of("moods"),
    *(f"DE-{number}" for number in range(1, 17)),
    *(f"DI-{number}" for number in range(1, 11)),
    *numbers_of("majesty"),
    *(f"YE-{number}" for number in range(1, 25)),
    *(f"YI-{number}" for number in range(1, 13)),
)
