"""What a fight comes to: losses, flight, walls and fires written onto the table, and told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from battles.tracker.course import Course
from battles.tracker.draft import Draft
from battles.tracker.table import Standing
from battles.tracker.tokens import WHY
from rulebook.bombardment import Bombarded
from rulebook.burning import Torched
from rulebook.combat import AttackResult, Exchange
from rulebook.flight import Tested, way_of_flight
from rulebook.script import Step as Told
from rulebook.spells import Cast


def settle(draft: Draft, key: str, fight: Mapping[str, Any], done: Course) -> None:
    draft.put(f"fight/{key}", None)
    how, result = fight["how"], done.result
    # What the dice were about was fixed when the fight began; it rests on the fight alone.
    attacker = draft.table.unit(fight["attacker"], ())
    target = draft.table.unit(fight["target"], ()) if fight.get("target") else None
    if how not in ("cast", "nerve"):
        draft.acted(attacker)
    if isinstance(result, AttackResult) and target is not None:
        _tell(draft, result.steps, attacker, target)
        _struck(draft, target, result)
    elif isinstance(result, Exchange) and target is not None:
        _tell(draft, result.attack.steps, attacker, target)
        _struck(draft, target, result.attack)
        if result.battle_back is not None:
            draft.say(draft.does(target, "battles", "battle") + " back.")
            _tell(draft, result.battle_back.steps, target, attacker)
            _struck(draft, attacker, result.battle_back)
    elif isinstance(result, Cast) and target is not None:
        _cast(draft, attacker, target, result)
    elif isinstance(result, Tested):
        _tell(draft, result.steps, attacker, attacker)
        _tested(draft, attacker, result)
    elif isinstance(result, Torched):
        _tell(draft, result.steps, attacker, attacker)
        draft.put(f"building/{fight['building']}", result.building.wounds)
        state = "is ablaze" if result.ablaze else f"has {result.building.wounds} of 2 wounds"
        draft.say(f"Building {fight['building']} {state}.")
    elif isinstance(result, Bombarded):
        _bombarded(draft, attacker, result)


def _tell(draft: Draft, steps: Sequence[Told], attacker: Standing, target: Standing) -> None:
    names = {"attacker": draft.called(attacker.id), "target": draft.called(target.id)}
    for told in steps:
        draft.say(told.text(names[told.side]))


def _struck(draft: Draft, unit: Standing, result: AttackResult) -> None:
    if result.target is None:
        why = {"scatter": "scattered"}.get(result.outcome, "charged down" if not result.throws else "lost")
        draft.gone(unit, "removed", WHY[why])
        draft.say(f"{draft.called(unit.id)}: removed, {WHY[why]}.")
        return
    draft.left(unit, result.target)
    if result.target.fleeing and not unit.fleeing:
        _runs(draft, unit)


def _runs(draft: Draft, unit: Standing) -> None:
    side = ("attacker" if unit.side == "A" else "defender") if draft.terms.siege else "a" if unit.side == "A" else "b"
    draft.say(draft.does(unit, "flees", "flee") + f". {way_of_flight(draft.terms.scenario, side).text}")


def _tested(draft: Draft, unit: Standing, result: Tested) -> None:
    if result.after is None:
        draft.gone(unit, "removed", WHY["scattered"])
        draft.say(f"{draft.called(unit.id)}: removed, {WHY['scattered']}.")
        return
    draft.left(unit, result.after)
    if result.outcome == "flee":
        _runs(draft, unit)
    elif unit.fleeing:
        draft.say(f"{draft.called(unit.id)}: rallied, and free to act next round.")


def _cast(draft: Draft, wizard: Standing, target: Standing, result: Cast) -> None:
    draft.put(f"{wizard.id}/power", draft.round)
    draft.say(f"The spell is {result.spell.name}.")
    _tell(draft, result.steps, wizard, target)
    if not result.works:
        draft.say(result.works.reason)
    if result.loses_activation:
        draft.put(f"{target.id}/acted", draft.round)
        draft.say(f"{draft.called(target.id)}: the activation of this round is lost.")
    if result.attack is not None:
        _struck(draft, target, result.attack)


def _bombarded(draft: Draft, gun: Standing, result: Bombarded) -> None:
    """The hits go onto what the wall has taken by now; whoever stands there when it comes down is buried."""
    state = draft.before.castle()[result.piece]
    wall, hits = state.piece, state.piece.kind.hits or 0
    for told in result.steps:
        draft.say(told.text(draft.called(gun.id) if told.side == "attacker" else f"The {wall.name}"))
    had = draft.look(f"castle/{wall.key}")
    damage = min(hits, had["damage"] + result.damage)
    if damage == had["damage"]:
        return
    levelled = damage == hits
    draft.put(f"castle/{wall.key}", {"damage": damage, "vat": had["vat"] and not levelled})
    if not levelled:
        draft.say(f"The {wall.name} is hit: {damage} of {hits}.")
        return
    draft.say(f"The {wall.name} is levelled. The wall is breached.")
    for occupant in state.occupants:
        unit = draft.table.unit(occupant.name, ("at", "gone"))
        draft.gone(unit, "removed", WHY["buried"])
        draft.say(f"{draft.called(unit.id)}: removed, {WHY['buried']}.")
