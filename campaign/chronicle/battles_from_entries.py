"""Battles read from the chronicle: who fought whom for what, the outcome, and who beat whom how often."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from campaign.chronicle.effects import BattleClosed, LoyaltyChanged, TerritoryTaken, VpChanged
from campaign.chronicle.entries_and_fold import ChronicleEntry

# Land that came by arms, and not as the rest of a fallen kingdom.
BY_ARMS = ("conquered", "retaken_lands", "retaken_border", "castle_taken")
RETAKEN = ("retaken_lands", "retaken_border")


@dataclass(frozen=True, slots=True)
class BattleRecord:
    entry: int
    played_on: str
    attacker: str
    defender: str
    target: str
    outcome: str  # attacker, defender or draw
    scenario: str | None
    earned: dict[str, int]  # VP by kingdom
    removed: dict[str, int]  # units each side removed, where the table counted them
    taken: tuple[TerritoryTaken, ...]  # the effects by which land changed hands

    @property
    def winner(self) -> str | None:
        return {"attacker": self.attacker, "defender": self.defender}.get(self.outcome)

    @property
    def loser(self) -> str | None:
        return {"attacker": self.defender, "defender": self.attacker}.get(self.outcome)


def is_battle(entry: ChronicleEntry) -> bool:
    """Whatever kind of act brought it in: an entry that says who attacked what, and how it ended."""
    return {"attacker", "target", "outcome"} <= entry.body.keys()


def read_battle(entry: ChronicleEntry) -> BattleRecord:
    body = entry.body
    attacker = body["attacker"]
    earned: Counter[str] = Counter()
    for effect in entry.effects:
        if isinstance(effect, VpChanged) and effect.by > 0:
            earned[effect.kingdom] += effect.by
    report = body.get("report") or {}
    defender = _find_defender(entry)
    return BattleRecord(
        entry=entry.number,
        played_on=entry.played_on,
        attacker=attacker,
        defender=defender,
        target=body["target"],
        outcome=body["outcome"],
        scenario=body.get("scenario") or report.get("scenario"),
        earned=dict(earned),
        removed=_count_removed_units(report, attacker, defender) or dict(body.get("removed") or {}),
        taken=tuple(effect for effect in entry.effects if isinstance(effect, TerritoryTaken)),
    )


def list_battles(entries: Iterable[ChronicleEntry]) -> list[BattleRecord]:
    return [read_battle(entry) for entry in entries if is_battle(entry)]


def _find_defender(entry: ChronicleEntry) -> str:
    """As recorded; in older entries from the body, or from changes in loyalty and land."""
    body = entry.body
    for effect in entry.effects:
        if isinstance(effect, BattleClosed) and effect.defender:
            return effect.defender
    if body.get("defender"):
        return str(body["defender"])
    for effect in entry.effects:
        if isinstance(effect, LoyaltyChanged) and effect.kingdom != body["attacker"]:
            return effect.kingdom
    for effect in entry.effects:
        if isinstance(effect, TerritoryTaken) and effect.was and effect.was != body["attacker"]:
            return effect.was
    return str(body["target"]).rpartition(".")[0]


def _count_removed_units(report: dict[str, Any], attacker: str, defender: str) -> dict[str, int]:
    """What one side lost, the other removed."""
    if "a" not in report or "b" not in report:
        return {}
    side_a = report.get("side_a", attacker)
    side_b = defender if side_a == attacker else attacker
    return {side_a: report["b"].get("removed", 0), side_b: report["a"].get("removed", 0)}


@dataclass(slots=True)
class HeadToHeadCounts:
    """Battles won by one over another, and drawn between them."""

    won: Counter[tuple[str, str]] = field(default_factory=Counter)
    drawn: Counter[tuple[str, str]] = field(default_factory=Counter)


def count_head_to_head(battles: Iterable[BattleRecord]) -> HeadToHeadCounts:
    counts = HeadToHeadCounts()
    for battle in battles:
        if battle.winner and battle.loser:
            counts.won[battle.winner, battle.loser] += 1
        else:
            counts.drawn[battle.attacker, battle.defender] += 1
    return counts


def count_by_scenario(battles: Iterable[BattleRecord]) -> dict[str | None, Counter[str]]:
    """Outcomes by scenario; None collects battles without a scenario."""
    outcomes: dict[str | None, Counter[str]] = {}
    for battle in battles:
        outcomes.setdefault(battle.scenario, Counter())[battle.outcome] += 1
    return outcomes
