"""Turn a unit-by-unit report into the totals of the short form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from campaign.chronicle import codec
from campaign.chronicle.acts.war import ReportResult
from campaign.chronicle.battle_records import read_battle
from campaign.chronicle.entries_and_fold import ChronicleEntry
from campaign.chronicle.state import State
from refusal import Refusal


def with_totals(act: ReportResult, state: State) -> ReportResult:
    """The result with total points and units; unchanged if it has no unit report."""
    if act.report is None:
        return act
    try:
        effects = act.decide(state, state.rules())
    except Refusal:
        return act
    battle = read_battle(ChronicleEntry(0, act.key, codec.write_sent(act), effects, ""))
    return replace(act, points=battle.earned, removed=battle.removed, scenario=battle.scenario)


def merge_correction(before: ReportResult, typed: ReportResult, state: State) -> ReportResult:
    """The result with the typed values. The unit report stays only if it still agrees with them."""
    if _totals(with_totals(before, state)) == _totals(typed):
        return replace(before, defender=typed.defender, spent=typed.spent, houses_lost=typed.houses_lost)
    return replace(typed, as_agreed=before.as_agreed, others=before.others)


def _totals(act: ReportResult) -> tuple[str, str, dict[str, int], dict[str, int]]:
    """What the short form asks. A count of 0 is the same as none."""
    return act.outcome, act.scenario or "", _without_zero(act.points), _without_zero(act.removed)


def _without_zero(counts: Mapping[str, int]) -> dict[str, int]:
    return {key: count for key, count in counts.items() if count}
