"""Reading a battle's table: its steps from the log, and the state they fold to, kept beside the battle as a cache."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from battles.models import Battle
from battles.tracker.goals import report
from battles.tracker.lines import TAKE_BACK, Step, counting, fold, lay, step_of
from battles.tracker.steps import kinds
from battles.tracker.table import Cells, Table, Terms
from log.models import Entry
from rulebook.options import Options
from rulebook.scoring import Report

# Acts of the tracker in a battle's log begin with this, so that others who write there are never mistaken for a step.
PREFIX = "table_"
ACTS = tuple(f"{PREFIX}{kind}" for kind in (*kinds(), TAKE_BACK))
RECENT = 20


@dataclass(slots=True)
class Kept:
    """The table now, and the last things that happened on it."""

    cells: Cells = field(default_factory=dict)
    recent: list[dict[str, Any]] = field(default_factory=list)  # newest last
    at: int = 0  # length of the log it was read at

    @property
    def table(self) -> Table:
        return Table(self.cells)

    def to_json(self) -> dict[str, Any]:
        return {"at": self.at, "cells": self.cells, "recent": self.recent}


def terms_of(battle: Battle) -> Terms:
    scenario = "siege" if battle.siege else battle.scenario or "pitched_battle"
    return Terms(scenario, Options.from_differences(battle.options))


def steps_of(battle: Battle) -> list[Step]:
    """Every step ever taken at this table, those taken back included."""
    rows = Entry.objects.filter(log=battle.log_id, act__in=ACTS).order_by("number")
    return [
        step_of(number, act.removeprefix(PREFIX), body, effects)
        for number, act, body, effects in rows.values_list("number", "act", "body", "effects")
    ]


def kept(battle: Battle) -> Kept:
    """The table from the cache where it is the newest; else from the log (reading writes nothing)."""
    had = battle.snapshot if isinstance(battle.snapshot, dict) and "cells" in battle.snapshot else None
    if had is not None:
        told = Kept(dict(had["cells"]), list(had["recent"]), int(had["at"]))
        if told.at == battle.log.length:
            return told
        # Others write into this log too: a report, a stage. Only steps matter here.
        if not Entry.objects.filter(log=battle.log_id, number__gt=told.at, act__in=ACTS).exists():
            return told
    return folded(battle)


def folded(battle: Battle) -> Kept:
    steps = steps_of(battle)
    counts = counting(steps)
    recent = [told(step) for step in counts if step.said][-RECENT:]
    return Kept(fold(counts), recent, battle.log.length)


def carried(before: Kept, step: Step, length: int) -> Kept:
    """The cache after one more step."""
    cells = dict(before.cells)
    lay(cells, step.writes)
    recent = [*before.recent, told(step)][-RECENT:] if step.said else before.recent
    return Kept(cells, recent, length)


def told(step: Step) -> dict[str, Any]:
    return {"number": step.number, "kind": step.kind, "said": list(step.said), "round": step.body.get("round", 0)}


def report_of(battle: Battle) -> Report | None:
    """What the tracker would fill into the result form, or None where nothing was tracked."""
    table = kept(battle).table
    if not table.laid or tuple(table.sides) != ("A", "B"):
        return None
    return report(table, terms_of(battle))


def problems(battle: Battle) -> list[str]:
    """What is wrong with the cache: nothing, if it equals the log."""
    had = battle.snapshot
    if not isinstance(had, dict) or had.get("at") != battle.log.length:
        return []
    fresh = folded(battle)
    return [] if had["cells"] == fresh.cells else ["the kept table is not what its steps fold to"]
