"""Battles counted: who beat whom how often, and outcomes by scenario."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from campaign.chronicle.battle_records import BattleRecord


@dataclass(slots=True)
class HeadToHeadCounts:
    """Battles won by one over another, and drawn between them."""

    won: Counter[tuple[str, str]] = field(default_factory=Counter)
    drawn: Counter[tuple[str, str]] = field(default_factory=Counter)


def count_head_to_head(battles: Iterable[BattleRecord]) -> HeadToHeadCounts:
    found = HeadToHeadCounts()
    for battle in battles:
        if battle.winner and battle.loser:
            found.won[battle.winner, battle.loser] += 1
        else:
            found.drawn[battle.attacker, battle.defender] += 1
    return found


def count_by_scenario(battles: Iterable[BattleRecord]) -> dict[str | None, Counter[str]]:
    """Outcomes by scenario; None collects battles without a scenario."""
    found: dict[str | None, Counter[str]] = {}
    for battle in battles:
        found.setdefault(battle.scenario, Counter())[battle.outcome] += 1
    return found
