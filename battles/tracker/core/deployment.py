"""The armies come to the table: units with their ids and names, the castle of a siege, who plays nobody's side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from battles.tracker.draft import Draft, step
from refusal import Refusal
from rulebook.army import MusteredUnit, Slot
from rulebook.burning import VILLAGE
from rulebook.rolls import count, one_of, shown
from rulebook.siege import GARRISON_BALLISTAE, PIECES, Castle
from rulebook.units import UNIT, WEAPON_NAMES, unit_of

MOST_UNITS = 30
NAME_MOST = 80


@step("laid", free=True)
def laid(draft: Draft, body: Mapping[str, Any]) -> None:
    """``sides``: for each side its name, livery, VP in hand and units; in a siege ``vats`` and ``towers`` of the defender."""
    sides = body.get("sides")
    if not isinstance(sides, Sequence) or len(sides) < 2:
        raise Refusal("A battle has two sides at least.", field="sides")
    ids: list[str] = []
    keys: list[str] = []
    castle = _castle(draft, body) if draft.terms.siege else None
    for told in sides:
        side = str(told.get("side", ""))
        if len(side) != 1 or not "A" <= side <= "H" or side in keys:
            raise Refusal(f"The side is {shown(side)}; sides are A, B and so on, each once.", field="sides")
        keys.append(side)
        vp = count(told.get("vp", 0), f"VP of side {side}")
        name = str(told.get("name") or f"Side {side}")[:NAME_MOST]
        draft.put(f"side/{side}", {"name": name, "livery": str(told.get("livery") or ""), "vp": vp})
        units = [mustered(one) for one in told.get("units", ())]
        if castle and side == "B" and not any(one.slot.origin == "garrison" for one, _ in units):
            units += [(MusteredUnit(Slot("garrison", n), "ballista"), "") for n in range(1, GARRISON_BALLISTAE + 1)]
        if not units:
            raise Refusal(f"{name} has no unit. Say who marches.", field="units")
        if len(units) > MOST_UNITS:
            raise Refusal(f"{name} has {len(units)} units; {MOST_UNITS} is the most a tracker keeps.", field="units")
        names = _names(units)
        for number, ((one, house), called) in enumerate(zip(units, names, strict=True), 1):
            key = f"{side}{number}"
            ids.append(key)
            draft.put(key, _told(one, side, called, house))
            fresh = one.in_play()
            left: dict[str, Any] = {"models": fresh.models}
            if fresh.shield:
                left["shield"] = True
            if fresh.ladybug:
                left["ladybug"] = True
            draft.put(f"{key}/left", left)
            if castle and one.slot.origin == "garrison":
                tower = body["towers"][(one.slot.number - 1) % GARRISON_BALLISTAE]
                draft.put(f"{key}/at", {"terrain": "fortress", "castle": tower})
    draft.put("sides", keys)
    draft.put("units", ids)
    if body.get("solo"):
        draft.put("solo", one_of(body["solo"], keys, "side nobody plays"))
    if draft.terms.scenario == "chevauchee":
        for number in range(1, VILLAGE + 1):
            draft.put(f"building/{number}", 0)
    names_said = [str(told.get("name") or f"Side {told['side']}") for told in sides]
    draft.say(f"{draft.terms.row.name}: {' against '.join(names_said)}. The armies stand.")


def _castle(draft: Draft, body: Mapping[str, Any]) -> Castle:
    """Two vats and two garrison Ballistae where the defender wants them (SIEGE-10, SIEGE-13)."""
    castle = Castle.start(body.get("vats", ()), body.get("towers", ()))
    for piece in PIECES:
        draft.put(f"castle/{piece.key}", {"damage": 0, "vat": castle[piece.key].vat})
    return castle


def mustered(told: Mapping[str, Any]) -> tuple[MusteredUnit, str]:
    """A unit as it marched, and the name of its house."""
    row = unit_of(told.get("unit"))
    hero, weapon = told.get("hero") or None, told.get("weapon") or None
    if weapon is not None:
        one_of(weapon, WEAPON_NAMES, "weapon")
    origin = one_of(told.get("origin", "house"), ("king", "house", "garrison", "train", "rebel"), "origin")
    slot = Slot(origin, count(told.get("number", 1), "number of the house", least=1))  # type: ignore[arg-type]
    one = MusteredUnit(slot, row.key, hero, weapon)
    one.in_play()  # refuses a hero or weapon this unit never has
    return one, str(told.get("house") or "")[:NAME_MOST]


def _names(units: Sequence[tuple[MusteredUnit, str]]) -> list[str]:
    """Short names; where two units of an army would be called alike, their house tells them apart, or a number."""
    plain = Counter(_plain_name(one) for one, _ in units)
    longer = []
    for one, house in units:
        name = _plain_name(one)
        told = one.slot.origin == "house" and plain[name] > 1
        longer.append(f"{name} of {house or one.slot.name}" if told else name)
    twice, seen, names = Counter(longer), Counter[str](), []
    for name in longer:
        seen[name] += 1
        names.append(f"{name} {seen[name]}" if twice[name] > 1 else name)
    return names


def _plain_name(one: MusteredUnit) -> str:
    name = UNIT[one.unit].name
    return {"garrison": f"Garrison {name}", "rebel": f"Rebel {name}"}.get(one.slot.origin, name)


def _told(one: MusteredUnit, side: str, name: str, house: str) -> dict[str, Any]:
    told: dict[str, Any] = {
        "side": side,
        "name": name,
        "unit": one.unit,
        "origin": one.slot.origin,
        "number": one.slot.number,
    }
    if one.hero:
        told["hero"] = one.hero
    if one.weapon:
        told["weapon"] = one.weapon
    if house:
        told["house"] = house
    return told
