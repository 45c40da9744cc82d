"""The solo opponent: the distances the tracker needs, and what the next unit does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from battles.tracker.core.state import TrackedUnit, TrackerState
from battles.tracker.core.step_draft import StepDraft, step_kind
from refusal import Refusal
from rulebook.basics.input_checks import check_d10
from rulebook.battle.dice_pools import shooting_pools
from rulebook.data.heroes import HERO_REACH
from rulebook.solo_opponent import Decision, SeenUnit, SoloUnit, decide_turn

# The attack that carries out each action.
LEADS_TO = {"shoot": "shoot", "charge": "charge", "attack": "strike", "rally": "rally"}


def units_needing_distances(tracker: TrackerState) -> tuple[TrackedUnit, ...]:
    """Units whose nearest enemy the players must enter: still to act, not fleeing, not in melee."""
    if tracker.solo is None:
        return ()
    return tuple(
        unit
        for unit in tracker.units_here(tracker.solo)
        if not unit.acted and not unit.fleeing and not tracker.contacts(unit.id)
    )


def remembered_distances(tracker: TrackerState, unit: str) -> dict[str, Any]:
    """The distances entered for this unit last time."""
    return dict(tracker.cells.get(f"seen/{unit}") or {})


def solo_units(tracker: TrackerState, distances: Mapping[str, Mapping[str, Any]]) -> tuple[SoloUnit, ...]:
    if tracker.solo is None:
        raise Refusal("This battle has no solo opponent.", status=409)
    found = []
    for unit in tracker.units_here(tracker.solo):
        engaged = tracker.contacts(unit.id)
        seen = distances.get(unit.id) or {}
        nearest: tuple[SeenUnit, ...] = ()
        enemy = None
        if seen.get("enemy"):
            enemy = tracker.unit(seen["enemy"])
            if enemy.side == unit.side or not enemy.here:
                raise Refusal(f"{tracker.full_name(enemy.id)} is not an enemy in this battle.", field="enemy")
            nearest = (SeenUnit(tracker.full_name(enemy.id), float(seen.get("inches") or 0)),)
        sees = bool(seen.get("sees", True)) and bool(nearest)
        shooter = bool(shooting_pools(unit.now)) and not unit.row.siege_only
        open_target = enemy is not None and not tracker.contacts(enemy.id)
        close = bool(nearest) and nearest[0].inches <= unit.row.move and bool(seen.get("reach", True))
        friends: tuple[SeenUnit, ...] = ()
        if seen.get("friend"):
            friend = tracker.unit(seen["friend"])
            friends = (SeenUnit(tracker.full_name(friend.id), min(float(seen.get("friend_inches") or 0), HERO_REACH)),)
        found.append(
            SoloUnit(
                tracker.full_name(unit.id),
                unit.now.key,
                unit.now.living_hero,
                activated=unit.acted,
                fleeing=unit.fleeing,
                engaged=bool(engaged) and not unit.fleeing,
                can_shoot=shooter,
                fixed=unit.fixed,
                targets=nearest if sees and shooter and open_target and not engaged else (),
                chargeable=nearest if close and not engaged else (),
                enemies=nearest,
                visible=nearest if sees else (),
                friends=friends,
            )
        )
    return tuple(found)


@step_kind("solo")
def decide_solo_turn(draft: StepDraft, body: Mapping[str, Any]) -> None:
    """One roll for the solo opponent: which unit acts, what it does, and why. Ties need a roll-off."""
    draft.require_begun()
    tracker = draft.before
    roll = check_d10(body.get("roll"), "solo roll")
    distances = body.get("seen") or {}
    known = {
        unit.id: remembered_distances(tracker, unit.id) | dict(distances.get(unit.id) or {})
        for unit in units_needing_distances(tracker)
    }
    found = decide_turn(
        solo_units(tracker, known),
        roll,
        unit=_full_name(tracker, body.get("unit")),
        target=_full_name(tracker, body.get("at")),
    )
    by_name = {tracker.full_name(key): key for key in tracker.unit_ids()}
    for key, seen in known.items():
        if seen:
            draft.write(f"seen/{key}", seen)
    draft.write("solo_now", _decision_cell(tracker, found, by_name, roll))
    for reason in found.reasons:
        draft.say(reason)


def _full_name(tracker: TrackerState, key: object) -> str | None:
    return tracker.full_name(tracker.unit(key).id) if key else None


def _decision_cell(tracker: TrackerState, found: Decision, by_name: Mapping[str, str], roll: int) -> dict[str, Any]:
    unit = by_name.get(found.unit or "")
    target = by_name.get(found.target or "")
    if found.does is not None and found.does.key == "attack" and unit:
        target = next(iter(tracker.contacts(unit)), None)
    cell: dict[str, Any] = {
        "round": tracker.round,
        "roll": roll,
        "row": found.row.name if found.row else "",
        "unit": unit,
        "does": found.does.key if found.does else None,
        "target": target,
        "tied": [by_name[name] for name in found.tied],
        "tie": found.tie,
        "reasons": list(found.reasons),
        "rules": list(found.rules),
    }
    if found.hero is not None:
        cell["hero"] = {
            "hero": found.hero.hero,
            "on": [by_name[name] for name in found.hero.on],
            "text": found.hero.text,
        }
    return cell


def pending_decision(tracker: TrackerState) -> dict[str, Any] | None:
    """The decision that is not carried out yet."""
    cell = tracker.cells.get("solo_now")
    if not cell or cell["round"] != tracker.round:
        return None
    unit = cell.get("unit")
    if unit and (tracker.unit(unit).acted or not tracker.unit(unit).here):
        return None
    return dict(cell)
