"""Write the outcome of a fight: losses, flight, damage to walls and buildings."""

from __future__ import annotations

from collections.abc import Sequence

from battles.tracker.core.fight import Fight
from battles.tracker.core.fight_progress import FightProgress
from battles.tracker.core.state import TrackedUnit
from battles.tracker.core.steps.step_reads_and_writes import StepDraft
from battles.tracker.core.steps.units import REMOVAL_REASONS, RemovalReason
from rulebook.battle.combat import BUILDING_WOUNDS, AttackResult, BuildingAttackResult, Exchange
from rulebook.battle.dice import ScriptStep
from rulebook.battle.hero_powers import CastResult
from rulebook.battle.morale import MoraleTestResult, flight_direction
from rulebook.siege.assault import BombardmentResult


def write_outcome(draft: StepDraft, key: str, fight: Fight, done: FightProgress) -> None:
    draft.write(f"fight/{key}", None)
    how, result = fight.how, done.result
    # The situation was fixed when the fight began, so the outcome depends on the fight alone.
    attacker = draft.tracker.unit(fight.attacker, ())
    target = draft.tracker.unit(fight.target, ()) if fight.target else None
    if how not in ("cast", "nerve"):
        draft.mark_acted(attacker)
    if isinstance(result, AttackResult) and target is not None:
        _say_dice_steps(draft, result.steps, attacker, target)
        _write_attack(draft, target, result)
    elif isinstance(result, Exchange) and target is not None:
        _say_dice_steps(draft, result.attack.steps, attacker, target)
        _write_attack(draft, target, result.attack)
        if result.battle_back is not None:
            draft.say(draft.with_verb(target, "battles", "battle") + " back.")
            _say_dice_steps(draft, result.battle_back.steps, target, attacker)
            _write_attack(draft, attacker, result.battle_back)
    elif isinstance(result, CastResult) and target is not None:
        _write_spell(draft, attacker, target, result)
    elif isinstance(result, MoraleTestResult):
        _say_dice_steps(draft, result.steps, attacker, attacker)
        _write_morale(draft, attacker, result)
    elif isinstance(result, BuildingAttackResult):
        _say_dice_steps(draft, result.steps, attacker, attacker)
        draft.write(f"building/{fight.building}", result.building.wounds)
        state = "is ablaze" if result.ablaze else f"has {result.building.wounds} of {BUILDING_WOUNDS} wounds"
        draft.say(f"Building {fight.building} {state}.")
    elif isinstance(result, BombardmentResult):
        _write_bombardment(draft, attacker, result)


def _say_dice_steps(draft: StepDraft, steps: Sequence[ScriptStep], attacker: TrackedUnit, target: TrackedUnit) -> None:
    names = {"attacker": draft.full_name(attacker.id), "target": draft.full_name(target.id)}
    for step in steps:
        draft.say(step.text(names[step.side]))


def _write_attack(draft: StepDraft, unit: TrackedUnit, result: AttackResult) -> None:
    if result.target is None:
        why: RemovalReason = "lost"
        if result.outcome == "scatter":
            why = "scattered"
        elif not result.throws:
            why = "charged down"
        draft.remove(unit, "removed", REMOVAL_REASONS[why])
        draft.say(f"{draft.full_name(unit.id)}: removed, {REMOVAL_REASONS[why]}.")
        return
    draft.write_strength(unit, result.target)
    if result.target.fleeing and not unit.fleeing:
        _say_flight(draft, unit)
    elif result.rallied:
        # The flee token becomes an activation mark (FLEE-03, R-51).
        draft.write(f"{unit.id}/acted", draft.round)
        draft.say(f"{draft.full_name(unit.id)}: rallied; can act next round.")


def _say_flight(draft: StepDraft, unit: TrackedUnit) -> None:
    direction = flight_direction(draft.terms.scenario, unit.side)
    draft.say(draft.with_verb(unit, "flees", "flee") + f". {direction.text}")


def _write_morale(draft: StepDraft, unit: TrackedUnit, result: MoraleTestResult) -> None:
    if result.after is None:
        draft.remove(unit, "removed", REMOVAL_REASONS["scattered"])
        draft.say(f"{draft.full_name(unit.id)}: removed, {REMOVAL_REASONS['scattered']}.")
        return
    draft.write_strength(unit, result.after)
    if result.outcome == "flee":
        _say_flight(draft, unit)
    elif unit.fleeing:
        draft.say(f"{draft.full_name(unit.id)}: rallied; can act next round.")


def _write_spell(draft: StepDraft, wizard: TrackedUnit, target: TrackedUnit, result: CastResult) -> None:
    draft.write(f"{wizard.id}/power", draft.round)
    draft.say(f"The spell is {result.spell.name}.")
    _say_dice_steps(draft, result.steps, wizard, target)
    if not result.works:
        draft.say(result.works.reason)
    if result.loses_activation:
        draft.write(f"{target.id}/acted", draft.round)
        draft.say(f"{draft.full_name(target.id)}: loses its activation this round.")
    if result.attack is not None:
        _write_attack(draft, target, result.attack)


def _write_bombardment(draft: StepDraft, gun: TrackedUnit, result: BombardmentResult) -> None:
    """Add the hits to the wall's damage. If the wall falls, its occupants are buried."""
    state = draft.before.castle()[result.piece]
    wall, hits = state.piece, state.piece.kind.hits or 0
    for step in result.steps:
        draft.say(step.text(draft.full_name(gun.id) if step.side == "attacker" else f"The {wall.name}"))
    had = draft.read(f"castle/{wall.key}")
    damage = min(hits, had["damage"] + result.damage)
    if damage == had["damage"]:
        return
    levelled = damage == hits
    draft.write(f"castle/{wall.key}", {"damage": damage, "vat": had["vat"] and not levelled})
    if not levelled:
        draft.say(f"The {wall.name} has taken {damage} of {hits} hits.")
        return
    draft.say(f"The {wall.name} is levelled. The wall is breached.")
    for occupant in state.occupants:
        unit = draft.tracker.unit(occupant.name, ("at", "gone"))
        draft.remove(unit, "removed", REMOVAL_REASONS["buried"])
        draft.say(f"{draft.full_name(unit.id)}: removed, {REMOVAL_REASONS['buried']}.")
