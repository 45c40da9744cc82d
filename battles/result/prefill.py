"""What the tracker knows, for the result form and the battle's page: prefilled answers, rounds and luck."""

from __future__ import annotations

import re
from collections.abc import Mapping

from battles.models import Battle
from battles.result.core.fielded_units import FieldedUnit
from battles.result.form_values import FormValues, MultiArmyValues
from battles.tracker.core.dice_luck import Luck, measure_luck
from battles.tracker.core.live_score import battle_verdict, build_report, verdict_if_stopped
from battles.tracker.core.state import BattleTerms, TrackerState
from battles.tracker.core.steps.log import LoggedStep, active_steps
from battles.tracker.selectors import load_snapshot, terms_of
from refusal import Refusal
from rulebook.campaign.scoring import score_report
from rulebook.data.scenarios import opposite_side

MAX_SENTENCES = 120  # sentences in a story; the tracker's page has the whole log
# Steps that only move a token or open a fight.
STEPS_WITHOUT_STORY = frozenset(
    ("token", "did", "moved", "stands_at", "contact", "set", "held", "crossings", "solo", "fight", "laid")
)
DICE_PHRASES = (" to hit: ", " to save: ", "Initiative: ", " is over. ")


def story_rounds(
    steps: list[LoggedStep], names: Mapping[str, str] | None = None
) -> tuple[tuple[int, tuple[str, ...]], ...]:
    """The sentences of the tracker, round by round. ``names``: what the sides are called today, by letter."""
    rounds: dict[int, list[str]] = {}
    sentences = 0
    counts = active_steps(steps)
    for step in counts:
        # A charge on a unit in flight removes it without dice, in the step that opens the fight (FLEE-06).
        opens_only = step.kind in STEPS_WITHOUT_STORY and not (step.kind == "fight" and _removes_unit(step))
        if opens_only or sentences >= MAX_SENTENCES:
            continue
        # Leave out dice rolls: the tracker's history has them.
        words = [sentence for sentence in step.sentences if not any(part in sentence for part in DICE_PHRASES)]
        rounds.setdefault(step.round, []).extend(words)
        sentences += len(words)
    renamed = _renamed_sides(counts, names or {})
    return tuple(
        (at, tuple(_with_new_names(sentence, renamed) for sentence in sentences_of))
        for at, sentences_of in sorted(rounds.items())
        if sentences_of
    )


def _removes_unit(step: LoggedStep) -> bool:
    return any(cell.endswith("/gone") and value for cell, value in step.writes.items())


def _renamed_sides(steps: list[LoggedStep], names: Mapping[str, str]) -> dict[str, str]:
    """New names by old ones: kingdoms can be renamed, the tracker's sentences stay as they were written."""
    found = {}
    for step in steps:
        for letter, name in names.items():
            was = (step.writes.get(f"side/{letter}") or {}).get("name")
            if was and was != name:
                found[was] = name
    return found


def _with_new_names(sentence: str, renamed: Mapping[str, str]) -> str:
    if not renamed:
        return sentence
    # All at once, so that two kingdoms may swap their names.
    either = "|".join(re.escape(name) for name in sorted(renamed, key=len, reverse=True))
    return re.sub(rf"(?<!\w)(?:{either})(?!\w)", lambda found: renamed[found[0]], sentence)


def luck_of(steps: list[LoggedStep]) -> tuple[Luck, ...]:
    return measure_luck(active_steps(steps))


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
    """The form for more than two armies as the tracker fills it in: losses, who yielded, the winner."""
    tracker = load_snapshot(battle).tracker
    if not tracker.is_set_up or len(tracker.sides) < 3:
        return {}
    lost = {side: sum(unit.gone is not None for unit in tracker.units(side)) for side in tracker.sides}
    yielded = [side for side in tracker.sides if tracker.cells.get(f"yielded/{side}")]
    found = battle_verdict(tracker, terms_of(battle))
    return {"lost": lost, "yielded": yielded, "winner": (found.winner or "draw") if found.over else ""}


def tracked_units(battle: Battle) -> dict[str, tuple[FieldedUnit, ...]] | None:
    """The units set up in the tracker, for battles without a muster."""
    tracker = load_snapshot(battle).tracker
    if not tracker.is_set_up or tuple(tracker.sides) != ("A", "B"):
        return None
    keys = _unit_keys(tracker)
    found: dict[str, tuple[FieldedUnit, ...]] = {}
    for side in "AB":
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
    if found.how == "held out":
        return "held_out"
    goals = {"secure_the_crossing": "counted", "break_free": "over", "chevauchee": "ablaze", "siege": "castle"}
    if terms.scenario == "take_the_fortress":
        return f"fortress-{found.winner}"
    if terms.scenario == "last_stand":
        return "routed-A" if terms.options.rout_ends_battle else "not_held"
    return goals.get(terms.scenario, "draw" if found.winner is None else "")
