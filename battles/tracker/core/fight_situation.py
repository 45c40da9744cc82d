"""Who faces whom: from the table and a few ticks to a situation of the rulebook."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from battles.tracker.table import Standing, Table, Terms
from refusal import Refusal
from rulebook.bombardment import Bombardment
from rulebook.burning import VILLAGE, Building, Torching
from rulebook.events import MESSENGER
from rulebook.inplay import King, Place, UnitInPlay
from rulebook.rolls import count, one_of
from rulebook.siege import beside, piece_of
from rulebook.situations import Casting, Melee, Morale, Rally, Shooting

HOW = ("shoot", "charge", "strike", "cast", "rally", "torch", "bombard", "nerve")
# What one does, and what several do.
HOW_WORD = {
    "shoot": ("shoots at", "shoot at"),
    "charge": ("charges", "charge"),
    "strike": ("strikes", "strike"),
    "cast": ("casts a spell at", "cast a spell at"),
    "rally": ("tries to rally", "try to rally"),
    "torch": ("sets fire to", "set fire to"),
    "bombard": ("fires at", "fire at"),
    "nerve": ("tests morale", "test morale"),
}
Situation = Shooting | Melee | Casting | Rally | Torching | Bombardment | Morale

FAR, NEAR = 12.0, 6.0


def verb(how: str, unit: UnitInPlay) -> str:
    return HOW_WORD[how][unit.unit.many]


def known_ticks(table: Table, terms: Terms, how: str, attacker: Standing, target: Standing | None) -> dict[str, Any]:
    """What the tracker knows already, ticked before anybody asks."""
    ticks: dict[str, Any] = {
        "at": attacker.at.get("terrain", "clear"),
        "extra_tall": bool(attacker.at.get("extra_tall")),
    }
    if how in ("shoot", "bombard"):
        ticks["still"] = not attacker.moved
    if target is not None:
        ticks["target_at"] = target.at.get("terrain", "clear")
        ticks["target_extra_tall"] = bool(target.at.get("extra_tall"))
        ticks["target_flanked"] = len([one for one in table.contacts(target.id) if one != attacker.id])
        ticks["flanked"] = len([one for one in table.contacts(attacker.id) if one != target.id])
    return ticks


def king_told(table: Table, unit: Standing, near: bool) -> King | None:
    """Where its own King is, as the table knows; how near he is only eyes can tell."""
    if unit.now.key == "king":
        return None
    king = table.king(unit.side)
    if king is None:
        return None
    if not king.here:
        return "gone"
    if king.fleeing:
        return "fleeing"
    return "near" if near else None


def _place(table: Table, unit: Standing, ticks: Mapping[str, Any], mine: bool, fighting: str | None) -> Place:
    prefix = "" if mine else "target_"
    place = table.place(unit, fighting)
    if place.piece is None and not unit.at.get("castle"):
        terrain = str(ticks.get(f"{prefix}at") or place.terrain)
        tall = bool(ticks.get(f"{prefix}extra_tall", place.extra_tall)) and terrain == "mound"
        place = Place(terrain, extra_tall=tall)
    flanked = ticks.get(f"{prefix}flanked")
    return replace(
        place,
        flanked=place.flanked if flanked is None else count(int(flanked), "number of flanking units", most=20),
        king=ticks.get(f"{prefix}king") or king_told(table, unit, bool(ticks.get(f"{prefix}king_near"))),
        bearers=1 if ticks.get(f"{prefix}bearer") else 0,
    )


def situation(
    table: Table, terms: Terms, how: str, attacker: Standing, target: Standing | None, told: Mapping[str, Any]
) -> Situation:
    """The situation in the rulebook's own form; it refuses what cannot be."""
    one_of(how, HOW, "attack")
    if table.event == MESSENGER and how != "nerve" and not _acted_first(table, attacker.side):
        # Nobody of its army has acted yet, so it is the one the Messenger came to (EVENT-09).
        attacker = replace(attacker, now=replace(attacker.now, first_activated=True))
    ticks = {**known_ticks(table, terms, how, attacker, target), **(told.get("ticks") or {})}
    event = table.event
    at = _place(table, attacker, ticks, True, target.id if target else None)
    if how == "rally":
        return Rally(attacker.now, replace(at, flanked=0), event)
    if how == "nerve":
        return Morale(attacker.now, None, replace(at, flanked=0), 0, event)
    distance = float(ticks["inches"]) if ticks.get("inches") not in (None, "") else FAR if ticks.get("far") else NEAR
    if how == "torch":
        number = count(told.get("building"), "building", least=1, most=VILLAGE)
        wounds = int(table.get(f"building/{number}", 0))
        return Torching(attacker.now, Building(f"Building {number}", wounds), at, True, event)
    if how == "bombard":
        if not table.has_castle:
            raise Refusal("There is no castle in this battle.", field="piece")
        piece = piece_of(told.get("piece")).key
        moved = not ticks["still"]
        engaged = bool(table.contacts(attacker.id))
        return Bombardment(attacker.now, piece, distance, replace(at, flanked=0), moved, engaged, event)
    if target is None:
        raise Refusal("Say whom.", field="target")
    if target.side == attacker.side:
        raise Refusal("That is a friend.", field="target")
    there = _place(table, target, ticks, False, attacker.id)
    adjacent = at.on_wall and there.on_wall and _beside(attacker, target)
    if how == "shoot":
        if at.flanked == 0 and there.flanked == 0 and table.contacts(attacker.id):
            raise Refusal("The unit is in melee, and nobody shoots out of a melee.", field="target")
        return Shooting(attacker.now, target.now, distance, at, there, not ticks["still"], adjacent, event)
    if how == "cast":
        engaged, target_engaged = bool(table.contacts(attacker.id)), bool(table.contacts(target.id))
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


def _acted_first(table: Table, side: str) -> bool:
    first = table.cells.get(f"first/{side}")
    return bool(first and first[0] == table.round)


def _beside(one: Standing, two: Standing) -> bool:
    return bool(one.at.get("castle")) and two.at.get("castle") in beside(one.at["castle"])


def thing_of(fight: Mapping[str, Any]) -> str:
    if fight.get("piece"):
        return f"the {piece_of(fight['piece']).name}"
    return f"building {fight['building']}" if fight.get("building") else ""
