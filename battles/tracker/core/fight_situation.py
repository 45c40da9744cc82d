"""Build the rulebook's situation for an attack from the tracker's state and the ticks of a form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from battles.tracker.core.state import BattleTerms, TrackedUnit, TrackerState
from refusal import Refusal
from rulebook.basics.input_checks import check_count, check_one_of
from rulebook.battle.attacking_buildings import VILLAGE, Building, BuildingAttack
from rulebook.battle.situations import Casting, Melee, Morale, Rally, Shooting
from rulebook.battle.unit_in_play import KingStatus, Place, UnitInPlay
from rulebook.data.random_events import MESSENGER
from rulebook.siege.bombardment import Bombardment
from rulebook.siege.castle import adjacent_pieces, piece_of

ATTACK_KINDS = ("shoot", "charge", "strike", "cast", "rally", "torch", "bombard", "nerve")
# Singular and plural.
ATTACK_VERBS = {
    "shoot": ("shoots at", "shoot at"),
    "charge": ("charges", "charge"),
    "strike": ("strikes", "strike"),
    "cast": ("casts a spell at", "cast a spell at"),
    "rally": ("tries to rally", "try to rally"),
    "torch": ("sets fire to", "set fire to"),
    "bombard": ("fires at", "fire at"),
    "nerve": ("tests morale", "test morale"),
}
Situation = Shooting | Melee | Casting | Rally | BuildingAttack | Bombardment | Morale

FAR, NEAR = 12.0, 6.0


def attack_verb(how: str, unit: UnitInPlay) -> str:
    return ATTACK_VERBS[how][unit.unit.many]


def prefill_ticks(
    tracker: TrackerState, terms: BattleTerms, how: str, attacker: TrackedUnit, target: TrackedUnit | None
) -> dict[str, Any]:
    """The ticks the tracker can fill in by itself."""
    ticks: dict[str, Any] = {
        "at": attacker.at.get("terrain", "clear"),
        "extra_tall": bool(attacker.at.get("extra_tall")),
    }
    if how in ("shoot", "bombard"):
        ticks["still"] = not attacker.moved
    if target is not None:
        ticks["target_at"] = target.at.get("terrain", "clear")
        ticks["target_extra_tall"] = bool(target.at.get("extra_tall"))
        ticks["target_flanked"] = len([one for one in tracker.contacts(target.id) if one != attacker.id])
        ticks["flanked"] = len([one for one in tracker.contacts(attacker.id) if one != target.id])
    return ticks


def king_whereabouts(tracker: TrackerState, unit: TrackedUnit, near: bool) -> KingStatus | None:
    """Where the unit's King is. Only the players know whether he is near."""
    if unit.now.key == "king":
        return None
    king = tracker.king(unit.side)
    if king is None:
        return None
    if not king.here:
        return "gone"
    if king.fleeing:
        return "fleeing"
    return "near" if near else None


def _place(
    tracker: TrackerState, unit: TrackedUnit, ticks: Mapping[str, Any], mine: bool, fighting: str | None
) -> Place:
    prefix = "" if mine else "target_"
    place = tracker.place_of(unit, fighting)
    if place.piece is None and not unit.at.get("castle"):
        terrain = str(ticks.get(f"{prefix}at") or place.terrain)
        tall = bool(ticks.get(f"{prefix}extra_tall", place.extra_tall)) and terrain == "mound"
        place = Place(terrain, extra_tall=tall)
    flanked = ticks.get(f"{prefix}flanked")
    return replace(
        place,
        flanked=place.flanked if flanked is None else check_count(int(flanked), "number of flanking units", most=20),
        king=ticks.get(f"{prefix}king") or king_whereabouts(tracker, unit, bool(ticks.get(f"{prefix}king_near"))),
        bearers=1 if ticks.get(f"{prefix}bearer") else 0,
    )


def build_situation(
    tracker: TrackerState,
    terms: BattleTerms,
    how: str,
    attacker: TrackedUnit,
    target: TrackedUnit | None,
    given: Mapping[str, Any],
) -> Situation:
    """The situation as the rulebook sees it. Refuses what is impossible."""
    check_one_of(how, ATTACK_KINDS, "attack")
    if tracker.event == MESSENGER and how != "nerve" and not _has_acted(tracker, attacker.side):
        # The first unit of its army to act gets the Messenger (EVENT-09).
        attacker = replace(attacker, now=replace(attacker.now, first_activated=True))
    ticks = {**prefill_ticks(tracker, terms, how, attacker, target), **(given.get("ticks") or {})}
    event = tracker.event
    at = _place(tracker, attacker, ticks, True, target.id if target else None)
    if how == "rally":
        return Rally(attacker.now, replace(at, flanked=0), event)
    if how == "nerve":
        return Morale(attacker.now, None, replace(at, flanked=0), 0, event)
    distance = float(ticks["inches"]) if ticks.get("inches") not in (None, "") else FAR if ticks.get("far") else NEAR
    if how == "torch":
        number = check_count(given.get("building"), "building", least=1, most=VILLAGE)
        wounds = int(tracker.get(f"building/{number}", 0))
        return BuildingAttack(attacker.now, Building(f"Building {number}", wounds), at, True, event)
    if how == "bombard":
        if not tracker.has_castle:
            raise Refusal("There is no castle in this battle.", field="piece")
        piece = piece_of(given.get("piece")).key
        moved = not ticks["still"]
        engaged = bool(tracker.contacts(attacker.id))
        return Bombardment(attacker.now, piece, distance, replace(at, flanked=0), moved, engaged, event)
    if target is None:
        raise Refusal("Choose a target.", field="target")
    if target.side == attacker.side:
        raise Refusal("The target is a friendly unit. Choose an enemy.", field="target")
    there = _place(tracker, target, ticks, False, attacker.id)
    adjacent = at.on_wall and there.on_wall and _are_adjacent(attacker, target)
    if how == "shoot":
        if at.flanked == 0 and there.flanked == 0 and tracker.contacts(attacker.id):
            raise Refusal("The unit is in melee and cannot shoot.", field="target")
        return Shooting(attacker.now, target.now, distance, at, there, not ticks["still"], adjacent, event)
    if how == "cast":
        engaged, target_engaged = bool(tracker.contacts(attacker.id)), bool(tracker.contacts(target.id))
        return Casting(
            attacker.now,
            target.now,
            at,
            there,
            engaged or bool(at.flanked),
            target_engaged or bool(there.flanked),
            target.acted,
            event,
        )
    return Melee(attacker.now, target.now, at, there, how == "charge", False, adjacent, event)


def _has_acted(tracker: TrackerState, side: str) -> bool:
    first = tracker.cells.get(f"first/{side}")
    return bool(first and first[0] == tracker.round)


def _are_adjacent(one: TrackedUnit, two: TrackedUnit) -> bool:
    return bool(one.at.get("castle")) and two.at.get("castle") in adjacent_pieces(one.at["castle"])


def attacked_object(fight: Mapping[str, Any]) -> str:
    if fight.get("piece"):
        return f"the {piece_of(fight['piece']).name}"
    return f"building {fight['building']}" if fight.get("building") else ""
