"""The numbers of both ledgers: rules, rulings, edge cases and invariants."""

from __future__ import annotations

from cardgames.games.menagerie import rule_list as menagerie
from cardgames.games.monarchs import rule_list as monarchs

IDS = (
    *menagerie.RULES,
    *menagerie.RULINGS,
    *(f"GE-{number}" for number in range(1, 20)),
    *(f"GI-{number}" for number in range(1, 12)),
    *monarchs.RULES,
    *monarchs.RULINGS,
    *(f"ME-{number}" for number in range(1, 18)),
    *(f"MI-{number}" for number in range(1, 11)),
)
