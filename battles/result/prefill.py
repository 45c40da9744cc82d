"""The result form and the units on it as the tracker fills them in."""

from battles.entries import DRAWN, Counts, DraftArmiesReport, Fallen, SubmitReport, UnitsOfSides
from battles.models import Battle
from battles.result.core.report import BY_NOBODY, FieldedUnit
from battles.tracker.core.live_score import battle_verdict, build_report, verdict_if_stopped
from battles.tracker.core.logged_steps import active_steps, read_feats
from battles.tracker.core.state import BattleTerms, TrackerState
from battles.tracker.selectors import load_snapshot, steps_of, terms_of
from refusal import Refusal
from rulebook.campaign.battle_scoring import score_report
from rulebook.data.scenarios import SIDES, opposite_side


def tracked_answers(battle: Battle) -> SubmitReport | None:
    """The result form as the tracker fills it in, or None if the tracker was not used."""
    tracker = load_snapshot(battle).tracker
    if not tracker.is_set_up or tuple(tracker.sides) != SIDES or not battle.scenario:
        return None
    keys = _unit_keys(tracker)

    def gone(how: str, side: str) -> tuple[str, ...]:
        return tuple(keys[unit.id] for unit in tracker.units(side) if unit.gone is not None and unit.gone.how == how)

    terms = terms_of(battle)
    report = build_report(tracker, terms)
    return SubmitReport(
        ending=_ending(tracker, terms),
        removed=UnitsOfSides(*(gone("removed", side) for side in SIDES)),
        escaped=gone("escaped", "A"),
        crossings=Counts(*(report.crossings.get(side, 0) for side in SIDES)),
        mounds=tuple(Counts(*(held.get(side, 0) for side in SIDES)) for held in report.mounds),
        ablaze=report.ablaze,
        spent=Counts(*(tracker.vp_spent(side) for side in SIDES)),
    )


def tracked_armies_answers(battle: Battle) -> DraftArmiesReport | None:
    """The form for more than two armies as the tracker fills it in: who fell to whom, who yielded, the winner."""
    tracker = load_snapshot(battle).tracker
    if not tracker.is_set_up or len(tracker.sides) < 3:
        return None
    keys = _unit_keys(tracker)
    kills = read_feats(active_steps(steps_of(battle))).kills
    slain = {(kill.victim.side, kill.victim.origin, kill.victim.number): kill.slayer.side for kill in kills}
    fallen = []
    for unit in tracker.units():
        if unit.gone is not None:
            slot = unit.mustered.slot
            by = slain.get((unit.side, slot.origin, slot.number), BY_NOBODY)
            fallen.append(Fallen(unit.side, keys[unit.id], by))
    yielded = tuple(side for side in tracker.sides if tracker.cells.get(f"yielded/{side}"))
    verdict = battle_verdict(tracker, terms_of(battle))
    return DraftArmiesReport((verdict.winner or DRAWN) if verdict.over else "", tuple(fallen), yielded)


def tracked_units(battle: Battle) -> dict[str, tuple[FieldedUnit, ...]] | None:
    """The units set up in the tracker, for battles without a muster."""
    tracker = load_snapshot(battle).tracker
    if not tracker.is_set_up:
        return None
    keys = _unit_keys(tracker)
    units: dict[str, tuple[FieldedUnit, ...]] = {}
    for side in tracker.sides:
        units[side] = tuple(
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
    return units


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
        score = score_report(build_report(tracker, terms, stopped=False), terms.options)
    except Refusal:
        return ""
    loser = opposite_side(score.winner) if score.winner else ""
    if score.how in ("destroyed", "routed"):
        return f"{score.how}-{loser}" if loser else "draw"
    for track in terms.row.tracks:
        for ending in track.endings(terms.row.rounds, terms.options):
            if ending.winner in ("", score.winner) and not (ending.gone and tracker.units_here(ending.gone)):
                return ending.key
    if not loser:
        return "draw"
    return f"{'routed' if tracker.units_here(loser) else 'destroyed'}-{loser}"
