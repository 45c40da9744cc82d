"""The result form and the units on it as the tracker fills them in."""

from __future__ import annotations

from battles.models import Battle
from battles.result.core.fielded_units import FieldedUnit
from battles.result.core.multi_army_report import BY_NOBODY
from battles.result.form_value_types import FormValues, MultiArmyValues
from battles.tracker.core.kills_and_luck import read_feats
from battles.tracker.core.live_score import battle_verdict, build_report, verdict_if_stopped
from battles.tracker.core.logged_steps import active_steps
from battles.tracker.core.state import BattleTerms, TrackerState
from battles.tracker.selectors import load_snapshot, steps_of, terms_of
from refusal import Refusal
from rulebook.campaign.battle_scoring import score_report
from rulebook.data.scenarios import opposite_side


def tracked_values(battle: Battle) -> FormValues | None:
    """The result form as the tracker fills it in, or None if the tracker was not used."""
    tracker = load_snapshot(battle).tracker
    if not tracker.is_set_up or tuple(tracker.sides) != ("A", "B") or not battle.scenario:
        return None
    keys = _unit_keys(tracker)
    gone: dict[str, dict[str, list[str]]] = {how: {side: [] for side in "AB"} for how in ("removed", "escaped")}
    for unit in tracker.units():
        if unit.gone is not None:
            gone[unit.gone.how][unit.side].append(keys[unit.id])
    terms = terms_of(battle)
    found = build_report(tracker, terms)
    return {
        "ending": _ending(tracker, terms),
        "removed": {side: tuple(gone["removed"][side]) for side in "AB"},
        "escaped": tuple(gone["escaped"]["A"]),
        "crossings": {side: n for side, n in found.crossings.items() if n},
        "mounds": tuple((held.get("A", 0), held.get("B", 0)) for held in found.mounds),
        "ablaze": found.ablaze,
        "spent": {side: tracker.vp_spent(side) for side in "AB"},
        "silent": {},
    }


def tracked_multi_army_values(battle: Battle) -> MultiArmyValues:
    """The form for more than two armies as the tracker fills it in: who fell to whom, who yielded, the winner."""
    tracker = load_snapshot(battle).tracker
    if not tracker.is_set_up or len(tracker.sides) < 3:
        return {}
    keys = _unit_keys(tracker)
    kills = read_feats(active_steps(steps_of(battle))).kills
    slain = {(kill.victim.side, kill.victim.origin, kill.victim.number): kill.slayer.side for kill in kills}
    fallen: dict[str, dict[str, str]] = {}
    for unit in tracker.units():
        if unit.gone is not None:
            slot = unit.mustered.slot
            by = slain.get((unit.side, slot.origin, slot.number), BY_NOBODY)
            fallen.setdefault(unit.side, {})[keys[unit.id]] = by
    yielded = [side for side in tracker.sides if tracker.cells.get(f"yielded/{side}")]
    found = battle_verdict(tracker, terms_of(battle))
    return {"fallen": fallen, "yielded": yielded, "winner": (found.winner or "draw") if found.over else ""}


def tracked_units(battle: Battle) -> dict[str, tuple[FieldedUnit, ...]] | None:
    """The units set up in the tracker, for battles without a muster."""
    tracker = load_snapshot(battle).tracker
    if not tracker.is_set_up:
        return None
    keys = _unit_keys(tracker)
    found: dict[str, tuple[FieldedUnit, ...]] = {}
    for side in tracker.sides:
        found[side] = tuple(
            FieldedUnit(
                keys[unit.id],
                unit.mustered.slot.origin,
                unit.mustered.slot.number,
                unit.mustered.unit,
                unit.mustered.hero,
                unit.mustered.weapon,
            )
            for unit in tracker.units(side)
        )
    return found


def _unit_keys(tracker: TrackerState) -> dict[str, str]:
    """The slot key of each unit; a second unit of a slot has a number appended."""
    seen: dict[tuple[str, str], int] = {}
    keys = {}
    for unit in tracker.units():
        slot = unit.mustered.slot.key
        seen[unit.side, slot] = seen.get((unit.side, slot), 0) + 1
        nth = seen[unit.side, slot]
        keys[unit.id] = slot if nth == 1 else f"{slot}-{nth}"
    return keys


def _ending(tracker: TrackerState, terms: BattleTerms) -> str:
    for side in "AB":
        if tracker.cells.get(f"yielded/{side}"):
            return f"yielded-{side}"
    if tracker.cells.get("stopped") and verdict_if_stopped(tracker, terms).winner is None:
        return "draw"
    if not battle_verdict(tracker, terms, round_over=True).over:
        return ""
    try:
        found = score_report(build_report(tracker, terms, stopped=False), terms.options)
    except Refusal:
        return ""
    loser = opposite_side(found.winner) if found.winner else ""
    if found.how in ("destroyed", "routed"):
        return f"{found.how}-{loser}" if loser else "draw"
    for track in terms.row.tracks:
        for ending in track.endings(terms.row.rounds, terms.options):
            if ending.winner in ("", found.winner) and not (ending.gone and tracker.units_here(ending.gone)):
                return ending.key
    if not loser:
        return "draw"
    return f"{'routed' if tracker.units_here(loser) else 'destroyed'}-{loser}"
