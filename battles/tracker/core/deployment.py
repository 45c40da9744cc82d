"""Set up the tracker: units with ids and names, the castle of a siege, the solo side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from battles.tracker.core.step_draft import StepDraft, step_kind
from refusal import Refusal
from rulebook.basics.input_checks import check_count, check_one_of, quote_value
from rulebook.battle.attacking_buildings import VILLAGE
from rulebook.data.units import UNIT, WEAPON_NAMES, unit_of
from rulebook.muster.army import MusteredUnit, Slot
from rulebook.siege.castle import GARRISON_BALLISTAE, PIECES, Castle

MOST_UNITS = 30
NAME_MOST = 80


@step_kind("laid", before_set_up=True)
def set_up_armies(draft: StepDraft, body: Mapping[str, Any]) -> None:
    """``sides``: name, livery, VP in hand and units of each; in a siege also the defender's ``vats`` and ``towers``."""
    sides = body.get("sides")
    if not isinstance(sides, Sequence) or len(sides) < 2:
        raise Refusal("A battle needs at least two sides.", field="sides")
    ids: list[str] = []
    keys: list[str] = []
    castle = _castle(draft, body) if draft.terms.siege else None
    for side_body in sides:
        side = str(side_body.get("side", ""))
        if len(side) != 1 or not "A" <= side <= "H" or side in keys:
            raise Refusal(f"Side {quote_value(side)} is not valid. Sides are A, B and so on, each once.", field="sides")
        keys.append(side)
        vp = check_count(side_body.get("vp", 0), f"VP of side {side}")
        name = str(side_body.get("name") or f"Side {side}")[:NAME_MOST]
        draft.write(f"side/{side}", {"name": name, "livery": str(side_body.get("livery") or ""), "vp": vp})
        units = [mustered_unit_from(one) for one in side_body.get("units", ())]
        if castle and side == "B" and not any(one.slot.origin == "garrison" for one, _ in units):
            units += [(MusteredUnit(Slot("garrison", n), "ballista"), "") for n in range(1, GARRISON_BALLISTAE + 1)]
        if not units:
            raise Refusal(f"{name} has no units. Add at least one.", field="units")
        if len(units) > MOST_UNITS:
            raise Refusal(f"{name} has {len(units)} units; the tracker allows {MOST_UNITS}.", field="units")
        names = _names(units)
        for number, ((one, house), called) in enumerate(zip(units, names, strict=True), 1):
            key = f"{side}{number}"
            ids.append(key)
            draft.write(key, _unit_cell(one, side, called, house))
            fresh = one.in_play()
            left: dict[str, Any] = {"models": fresh.models}
            if fresh.shield:
                left["shield"] = True
            if fresh.ladybug:
                left["ladybug"] = True
            draft.write(f"{key}/left", left)
            if castle and one.slot.origin == "garrison":
                tower = body["towers"][(one.slot.number - 1) % GARRISON_BALLISTAE]
                draft.write(f"{key}/at", {"terrain": "fortress", "castle": tower})
    draft.write("sides", keys)
    draft.write("units", ids)
    if body.get("solo"):
        draft.write("solo", check_one_of(body["solo"], keys, "solo side"))
    if draft.terms.scenario == "chevauchee":
        for number in range(1, VILLAGE + 1):
            draft.write(f"building/{number}", 0)
    side_names = [str(side_body.get("name") or f"Side {side_body['side']}") for side_body in sides]
    draft.say(f"{draft.terms.row.name}: {' against '.join(side_names)}. The battle starts.")


def _castle(draft: StepDraft, body: Mapping[str, Any]) -> Castle:
    """The defender places two vats and two garrison Ballistae (SIEGE-10, SIEGE-13)."""
    castle = Castle.start(body.get("vats", ()), body.get("towers", ()))
    for piece in PIECES:
        draft.write(f"castle/{piece.key}", {"damage": 0, "vat": castle[piece.key].vat})
    return castle


def mustered_unit_from(unit_body: Mapping[str, Any]) -> tuple[MusteredUnit, str]:
    """A mustered unit and the name of its house."""
    row = unit_of(unit_body.get("unit"))
    hero, weapon = unit_body.get("hero") or None, unit_body.get("weapon") or None
    if weapon is not None:
        check_one_of(weapon, WEAPON_NAMES, "weapon")
    origin = check_one_of(unit_body.get("origin", "house"), ("king", "house", "garrison", "train", "rebel"), "origin")
    slot = Slot(origin, check_count(unit_body.get("number", 1), "number of the house", least=1))  # type: ignore[arg-type]
    one = MusteredUnit(slot, row.key, hero, weapon)
    one.in_play()  # refuses a hero or weapon this unit cannot have
    return one, str(unit_body.get("house") or "")[:NAME_MOST]


def _names(units: Sequence[tuple[MusteredUnit, str]]) -> list[str]:
    """Short names; units of the same name get their house or a number."""
    plain = Counter(_plain_name(one) for one, _ in units)
    longer = []
    for one, house in units:
        name = _plain_name(one)
        needs_house = one.slot.origin == "house" and plain[name] > 1
        longer.append(f"{name} of {house or one.slot.name}" if needs_house else name)
    twice, seen, names = Counter(longer), Counter[str](), []
    for name in longer:
        seen[name] += 1
        names.append(f"{name} {seen[name]}" if twice[name] > 1 else name)
    return names


def _plain_name(one: MusteredUnit) -> str:
    name = UNIT[one.unit].name
    return {"garrison": f"Garrison {name}", "rebel": f"Rebel {name}"}.get(one.slot.origin, name)


def _unit_cell(one: MusteredUnit, side: str, name: str, house: str) -> dict[str, Any]:
    cell: dict[str, Any] = {
        "side": side,
        "name": name,
        "unit": one.unit,
        "origin": one.slot.origin,
        "number": one.slot.number,
    }
    if one.hero:
        cell["hero"] = one.hero
    if one.weapon:
        cell["weapon"] = one.weapon
    if house:
        cell["house"] = house
    return cell
