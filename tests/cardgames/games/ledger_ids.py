"""The numbers of the ledgers: rules, rulings, edge cases and invariants."""

from __future__ import annotations

from cardgames.games.majesty import how_to_play as majesty
from cardgames.games.menagerie import how_to_play as menagerie
from cardgames.games.monarchs import how_to_play as monarchs
from cardgames.games.moods import how_to_play as moods

IDS = (
    *menagerie.RULES,
    *menagerie.RULINGS,
    *(f"GE-{number}" for number in range(1, 20)),
    *(f"GI-{number}" for number in range(1, 12)),
    *monarchs.RULES,
    *monarchs.RULINGS,
    *(f"ME-{number}" for number in range(1, 18)),
    *(f"MI-{number}" for number in range(1, 11)),
    *moods.RULES,
    *moods.RULINGS,
    *(f"DE-{number}" for number in range(1, 17)),
    *(f"DI-{number}" for number in range(1, 11)),
    *majesty.RULES,
    *majesty.RULINGS,
    *(f"YE-{number}" for number in range(1, 25)),
    *(f"YI-{number}" for number in range(1, 13)),
)
