"""Reads a tracker: its steps from the log, and the state they fold to, cached on the battle."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.db.models import QuerySet

from battles.models import Battle
from battles.tracker.core import logged_steps
from battles.tracker.core.logged_steps import UNDO, LoggedStep, active_steps, apply_writes, fold_steps
from battles.tracker.core.state import BattleTerms, Cells, TrackedUnit, TrackerState
from battles.tracker.core.steps.tracker_step import RolledGroup, step_kinds
from dataclass_json import write
from log.models import Entry
from prepared_queries import prepared_query
from refusal import Refusal
from rulebook.data.house_rules import Options

# The tracker's acts in a battle's log start with this; other acts there are not steps.
PREFIX = "table_"
STEP_ACTS = tuple(f"{PREFIX}{kind}" for kind in (*step_kinds(), UNDO))
RECENT_STEPS = 20
# Steps after which the dice of the fight stay in sight.
FIGHT_STEPS = ("dice", "rerolled", "settled", "morale_holds")


@dataclass(frozen=True, slots=True)
class RecentStep:
    """A step with sentences, as page and API list it."""

    api_name = "TrackerStep"

    number: int
    kind: str
    said: tuple[str, ...]
    round: int = 0


@dataclass(slots=True)
class TrackerSnapshot:
    """The current state and the latest steps."""

    cells: Cells = field(default_factory=dict)
    recent: tuple[RecentStep, ...] = ()  # newest last
    dice: tuple[RolledGroup, ...] = ()  # of the latest roll, from its first die to its last
    at: int = 0  # length of the log it was read at
    last_tap: int = 0  # the step that Undo takes back, with all that its tap rolled

    _tracker: TrackerState | None = None

    @property
    def tracker(self) -> TrackerState:
        """One state for the whole request: it remembers the units it has read."""
        if self._tracker is None:
            self._tracker = TrackerState(self.cells, frozen=True)
        return self._tracker

    @classmethod
    def from_json(cls, stored: object) -> "TrackerSnapshot | None":
        if not isinstance(stored, dict) or "cells" not in stored:
            return None
        recent = tuple(
            RecentStep(row["number"], row["kind"], tuple(row["said"]), row.get("round", 0)) for row in stored["recent"]
        )
        dice = tuple(logged_steps.read_group(group) for group in stored.get("dice", ()))
        last_tap = stored.get("last_tap") or (recent[-1].number if recent else 0)
        return cls(dict(stored["cells"]), recent, dice, int(stored["at"]), last_tap)

    def to_json(self) -> Cells:
        recent = [
            {"number": row.number, "kind": row.kind, "said": list(row.said), "round": row.round} for row in self.recent
        ]
        kept = {"at": self.at, "cells": self.cells, "recent": recent, "dice": write(self.dice)}
        return kept | {"last_tap": self.last_tap}


def find_unit(snapshot: TrackerSnapshot, key: str) -> TrackedUnit:
    if not snapshot.tracker.is_set_up or key not in snapshot.tracker.unit_ids():
        raise Refusal("There is no such unit in this battle.", status=404)
    return snapshot.tracker.unit(key)


def terms_of(battle: Battle) -> BattleTerms:
    scenario = "siege" if battle.siege else battle.scenario or "pitched_battle"
    return BattleTerms(scenario, Options.from_differences(battle.options))


def steps_of(battle: Battle) -> list[LoggedStep]:
    """Every step ever taken, including undone ones."""
    return [
        logged_steps.read_entry(number, act.removeprefix(PREFIX), body, effects)
        for number, act, body, effects in _step_rows(battle.log_id)
    ]


@prepared_query
def _step_rows(log_id: int) -> QuerySet[Entry]:
    rows = Entry.objects.filter(log=log_id, act__in=STEP_ACTS).order_by("number")
    return rows.values_list("number", "act", "body", "effects")


def steps_of_each(battles: Sequence[Battle]) -> dict[int, list[LoggedStep]]:
    """The same for several battles, by their ids, in one query."""
    ids = {battle.log_id: battle.pk for battle in battles}
    steps: dict[int, list[LoggedStep]] = {}
    rows = Entry.objects.filter(log__in=ids, act__in=STEP_ACTS).order_by("number")
    for log, number, act, body, effects in rows.values_list("log_id", "number", "act", "body", "effects"):
        steps.setdefault(ids[log], []).append(logged_steps.read_entry(number, act.removeprefix(PREFIX), body, effects))
    return steps


def load_snapshot(battle: Battle) -> TrackerSnapshot:
    """The cached state if it is current, else rebuilt from the log. Writes nothing."""
    snapshot = TrackerSnapshot.from_json(battle.snapshot)
    if snapshot is not None:
        if snapshot.at == battle.log.length:
            return snapshot
        # Other entries, such as reports, do not change the tracker.
        if not Entry.objects.filter(log=battle.log_id, number__gt=snapshot.at, act__in=STEP_ACTS).exists():
            return snapshot
    return rebuild_snapshot(battle)


def rebuild_snapshot(battle: Battle) -> TrackerSnapshot:
    steps = steps_of(battle)
    counts = active_steps(steps)
    recent = [recent_step(step) for step in counts if step.sentences][-RECENT_STEPS:]
    dice: tuple[RolledGroup, ...] = ()
    for step in counts:
        dice = _latest_dice(dice, step)
    last_tap = counts[-1].tap if counts else 0
    return TrackerSnapshot(fold_steps(counts), tuple(recent), dice, battle.log.length, last_tap)


def _latest_dice(before: tuple[RolledGroup, ...], step: LoggedStep) -> tuple[RolledGroup, ...]:
    """The dice in sight: those of one fight stay until another thing is rolled or done."""
    if step.kind in FIGHT_STEPS:
        return before + step.dice
    return step.dice


def snapshot_after(before: TrackerSnapshot, step: LoggedStep, length: int) -> TrackerSnapshot:
    """The cache after one more step."""
    cells = dict(before.cells)
    apply_writes(cells, step.writes)
    recent = (*before.recent, recent_step(step))[-RECENT_STEPS:] if step.sentences else before.recent
    return TrackerSnapshot(cells, recent, _latest_dice(before.dice, step), length, step.tap)


def recent_step(step: LoggedStep) -> RecentStep:
    return RecentStep(step.number, step.kind, step.sentences, step.round)


def find_problems(battle: Battle) -> list[str]:
    """Differences between the cache and the log."""
    had = battle.snapshot
    if not isinstance(had, dict) or had.get("at") != battle.log.length:
        return []
    fresh = rebuild_snapshot(battle)
    return [] if had["cells"] == fresh.cells else ["the cached state differs from the log"]
