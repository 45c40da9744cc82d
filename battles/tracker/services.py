"""Every write to a tracker: a step is checked against the current cells and written with the cells it changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import Exists, OuterRef, Q
from django.shortcuts import get_object_or_404

from battles.models import EDIT_PASS, REPORT_PASS, Battle
from battles.tracker.core.all_steps import judge_step
from battles.tracker.core.step_log import UNDO, Step, find_dependent_steps, step_from_entry
from battles.tracker.selectors import (
    PREFIX,
    TrackerSnapshot,
    load_snapshot,
    rebuild_snapshot,
    snapshot_after,
    steps_of,
    terms_of,
)
from campaign.models import Campaign
from log import services as log_services
from people.requester import Who
from refusal import Refusal


def can_step_filter(who: Who) -> Q:
    """Battles this person can track: own campaigns, battles created or fought, and battles with a pass."""
    held = [one.target for one in who.passes if one.kind in (EDIT_PASS, REPORT_PASS)]
    found = Q(pk__in=held)
    if who.person is not None:
        ids = who.person.all_ids()
        fought = Battle.people.through.objects.filter(person__in=ids).values("battle")
        found |= Q(campaign__in=Campaign.objects.of(who)) | Q(made_by__in=ids) | Q(pk__in=fought)
    return found


def visible_battles(who: Who) -> Any:
    """Visible battles, each with ``can_step``: whether this person can change the tracker."""
    mine = Battle.objects.filter(can_step_filter(who), pk=OuterRef("pk"))
    return Battle.objects.visible_to(who).select_related("log", "campaign").annotate(can_step=Exists(mine))


def get_visible_battle(who: Who, code: str) -> Battle:
    found: Battle = get_object_or_404(visible_battles(who), code=code)
    return found


def require_can_step(battle: Battle) -> None:
    if not battle.can_step:  # type: ignore[attr-defined]
        raise Refusal("Only the players of this battle can change the tracker. You can watch.", status=403)
    if battle.is_over:
        raise Refusal("This battle is over. Its tracker can no longer change.", status=409)


class WriteResult:
    """The state after a write, so the response need not load it again."""

    def __init__(self) -> None:
        self.snapshot: TrackerSnapshot | None = None
        self.version = 0


def take_step(
    battle: Battle,
    who: Who,
    *,
    key: str,
    kind: str,
    body: Mapping[str, Any],
    seen: Mapping[str, Any] | None = None,
    written: WriteResult | None = None,
) -> dict[str, Any]:
    """Take one step, once per key. ``seen``: cells that must be unchanged."""
    require_can_step(battle)

    def act(writer: log_services.LogWriter) -> dict[str, Any]:
        fresh = _locked_battle(battle, writer)
        before = load_snapshot(fresh)
        done = judge_step(before.cells, terms_of(fresh), kind, body)
        if done.changes_nothing:
            # Two phones entered the same: accept the second too.
            _note_result(written, before, writer)
            return {"entry": None, "said": ["Nothing changed."]}
        if seen:
            now = {cell: before.cells.get(cell) for cell in seen}
            log_services.refuse_if_changed(
                seen, now, "This unit has changed since you looked. Here is its current state."
            )
        person = who.person.pk if who.person else None
        entry = writer.append(f"{PREFIX}{kind}", actor=person, body=done.body, effects=done.effects)
        after = snapshot_after(before, step_from_entry(entry.number, kind, done.body, done.effects), writer.log.length)
        _save_snapshot(fresh, after, writer, written)
        return {"entry": entry.number, "said": done.body["said"]}

    return log_services.write(battle.log_id, who=who.ref, key=key, body={"kind": kind, **body}, act=act)


def find_steps_to_undo(battle: Battle, number: int) -> list[Step]:
    """The step and every later one that depends on it."""
    steps = steps_of(battle)
    going = set(find_dependent_steps(steps, number))
    return [step for step in steps if step.number in going]


def undo_step(
    battle: Battle, who: Who, *, key: str, number: int, seen: int | None = None, written: WriteResult | None = None
) -> dict[str, Any]:
    """Undo a step with all that depend on it. ``seen``: how many steps the sender agreed to undo."""
    require_can_step(battle)

    def act(writer: log_services.LogWriter) -> dict[str, Any]:
        fresh = _locked_battle(battle, writer)
        steps = steps_of(fresh)
        going = _numbers_to_undo(steps, number)
        if seen is not None and seen != len(going):
            raise Refusal("More has happened since you looked. Check again what will be undone.", status=409)
        person = who.person.pk if who.person else None
        entry = writer.append(f"{PREFIX}{UNDO}", actor=person, body={"steps": list(going)})
        _save_snapshot(fresh, rebuild_snapshot(fresh), writer, written)
        return {"entry": entry.number, "steps": list(going)}

    return log_services.write(battle.log_id, who=who.ref, key=key, body={"take_back": number}, act=act)


def _numbers_to_undo(steps: list[Step], number: int) -> tuple[int, ...]:
    """A step and its dependents; or an undo itself, while it is the latest step."""
    chosen = next((step for step in steps if step.number == number), None)
    if chosen is None:
        raise Refusal("This tracker has no such step.", status=404)
    if chosen.kind == UNDO:
        if steps[-1].number != number:
            raise Refusal("There are newer steps, so this undo cannot be redone.", status=409)
        return (number,)
    return find_dependent_steps(steps, number)


def _locked_battle(battle: Battle, writer: log_services.LogWriter) -> Battle:
    """The battle, read again under the lock of its log."""
    fresh = Battle.objects.only("snapshot", "stage", "scenario", "siege", "options", "log_id").get(pk=battle.pk)
    fresh.log = writer.log
    if fresh.is_over:
        raise Refusal("This battle is over. Its tracker can no longer change.", status=409)
    return fresh


def _save_snapshot(
    battle: Battle, after: TrackerSnapshot, writer: log_services.LogWriter, written: WriteResult | None
) -> None:
    change: dict[str, Any] = {"snapshot": after.to_json()}
    if after.tracker.is_set_up and battle.stage in (Battle.Stage.DECLARED, Battle.Stage.MUSTERED):
        change["stage"] = Battle.Stage.ON_THE_TABLE
    Battle.objects.filter(pk=battle.pk).update(**change)
    _note_result(written, after, writer)


def _note_result(written: WriteResult | None, after: TrackerSnapshot, writer: log_services.LogWriter) -> None:
    if written is not None:
        written.snapshot, written.version = after, writer.log.version + 1
