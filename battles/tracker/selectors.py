"""Reads a tracker: its steps from the log, and the state they fold to, cached on the battle."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from battles.models import Battle
from battles.tracker.core.all_steps import step_kinds
from battles.tracker.core.live_score import build_report
from battles.tracker.core.state import BattleTerms, Cells, TrackerState
from battles.tracker.core.step_log import UNDO, Step, active_steps, apply_writes, fold_steps, step_from_entry
from log.models import Entry
from rulebook.campaign.scoring import Report
from rulebook.data.house_rules import Options

# The tracker's acts in a battle's log start with this; other acts there are not steps.
PREFIX = "table_"
STEP_ACTS = tuple(f"{PREFIX}{kind}" for kind in (*step_kinds(), UNDO))
RECENT_STEPS = 20


@dataclass(slots=True)
class TrackerSnapshot:
    """The current state and the latest steps."""

    cells: Cells = field(default_factory=dict)
    recent: list[dict[str, Any]] = field(default_factory=list)  # newest last
    at: int = 0  # length of the log it was read at

    @property
    def tracker(self) -> TrackerState:
        return TrackerState(self.cells)

    def to_json(self) -> dict[str, Any]:
        return {"at": self.at, "cells": self.cells, "recent": self.recent}


def terms_of(battle: Battle) -> BattleTerms:
    scenario = "siege" if battle.siege else battle.scenario or "pitched_battle"
    return BattleTerms(scenario, Options.from_differences(battle.options))


def steps_of(battle: Battle) -> list[Step]:
    """Every step ever taken, including undone ones."""
    rows = Entry.objects.filter(log=battle.log_id, act__in=STEP_ACTS).order_by("number")
    return [
        step_from_entry(number, act.removeprefix(PREFIX), body, effects)
        for number, act, body, effects in rows.values_list("number", "act", "body", "effects")
    ]


def load_snapshot(battle: Battle) -> TrackerSnapshot:
    """The cached state if it is current, else rebuilt from the log. Writes nothing."""
    had = battle.snapshot if isinstance(battle.snapshot, dict) and "cells" in battle.snapshot else None
    if had is not None:
        snapshot = TrackerSnapshot(dict(had["cells"]), list(had["recent"]), int(had["at"]))
        if snapshot.at == battle.log.length:
            return snapshot
        # Other entries, such as reports, do not change the tracker.
        if not Entry.objects.filter(log=battle.log_id, number__gt=snapshot.at, act__in=STEP_ACTS).exists():
            return snapshot
    return rebuild_snapshot(battle)


def rebuild_snapshot(battle: Battle) -> TrackerSnapshot:
    steps = steps_of(battle)
    counts = active_steps(steps)
    recent = [step_summary(step) for step in counts if step.sentences][-RECENT_STEPS:]
    return TrackerSnapshot(fold_steps(counts), recent, battle.log.length)


def snapshot_after(before: TrackerSnapshot, step: Step, length: int) -> TrackerSnapshot:
    """The cache after one more step."""
    cells = dict(before.cells)
    apply_writes(cells, step.writes)
    recent = [*before.recent, step_summary(step)][-RECENT_STEPS:] if step.sentences else before.recent
    return TrackerSnapshot(cells, recent, length)


def step_summary(step: Step) -> dict[str, Any]:
    return {"number": step.number, "kind": step.kind, "said": list(step.sentences), "round": step.body.get("round", 0)}


def tracked_report(battle: Battle) -> Report | None:
    """The report as tracked, or None if nothing was tracked."""
    tracker = load_snapshot(battle).tracker
    if not tracker.is_set_up or tuple(tracker.sides) != ("A", "B"):
        return None
    return build_report(tracker, terms_of(battle))


def find_problems(battle: Battle) -> list[str]:
    """Differences between the cache and the log."""
    had = battle.snapshot
    if not isinstance(had, dict) or had.get("at") != battle.log.length:
        return []
    fresh = rebuild_snapshot(battle)
    return [] if had["cells"] == fresh.cells else ["the cached state differs from the log"]
