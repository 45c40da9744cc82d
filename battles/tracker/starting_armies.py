"""The armies a battle brings to its table: as mustered in the campaign, as told with the battle, or named by hand."""

from __future__ import annotations

from typing import Any

from django.http import QueryDict

from battles.models import Battle
from campaign import reading
from campaign.annals.state import SOLO, State
from heraldry import Arms
from musters.reading import armies_for, army_of
from refusal import Refusal
from rulebook.army import Army
from rulebook.heroes import HERO
from rulebook.siege import PIECES
from rulebook.units import UNITS, WEAPON_NAMES

ROWS = 8  # units that can be named by hand for a side
FOLDED = 6  # from this row on they are folded: a King and four houses are the whole of most armies
BATTLEMENTS = tuple(piece for piece in PIECES if piece.kind.battlement)
TOWERS = tuple(piece for piece in PIECES if piece.kind.key == "tower")
HERO_CHOICES = (*((hero.key, hero.name) for hero in HERO.values()), *((("musician", "Musician"),) if "musician" not in HERO else ()))  # fmt: skip
UNIT_CHOICES = tuple((unit.key, unit.name) for unit in UNITS)
WEAPON_CHOICES = tuple(WEAPON_NAMES.items())


def marching(battle: Battle) -> list[dict[str, Any]]:
    """Both sides with names, livery, VP in hand, and the units where an army stands."""
    state = state_of(battle)
    armies = armies_for(battle.campaign, battle.number) if battle.campaign and battle.number else {}
    found = []
    for told in battle.sides:
        kingdom = told.get("kingdom")
        army = army_of(told["army"]) if told.get("army") else armies.get(kingdom)
        found.append(
            {
                "side": told["side"],
                **_realm(state, kingdom, told),
                "units": units_of(army, _houses(state, kingdom)) if army else [],
            }
        )
    return found


def names_of(battle: Battle) -> list[str]:
    """What the sides are called before anything stands on the table."""
    state = state_of(battle)
    return [str(_realm(state, side.get("kingdom"), side)["name"]) for side in battle.sides]


def state_of(battle: Battle) -> State | None:
    return reading.state_of(battle.campaign) if battle.campaign else None


def _realm(state: State | None, kingdom: str | None, told: dict[str, Any]) -> dict[str, Any]:
    realm = state.kingdoms.get(kingdom) if state and kingdom else None
    if realm is None:
        return {"name": told.get("name") or f"Side {told['side']}", "livery": "", "vp": 0}
    livery = Arms.from_dict(realm.arms).livery
    return {"name": realm.name, "livery": livery, "vp": realm.vp, "nobody": realm.status == SOLO}


def _houses(state: State | None, kingdom: str | None) -> list[str]:
    realm = state.kingdoms.get(kingdom) if state and kingdom else None
    return [house.name for house in realm.houses] if realm else []


def units_of(army: Army, houses: list[str]) -> list[dict[str, Any]]:
    rows = []
    for one in army.units:
        row: dict[str, Any] = {"unit": one.unit, "origin": one.slot.origin, "number": one.slot.number}
        if one.hero:
            row["hero"] = one.hero
        if one.weapon:
            row["weapon"] = one.weapon
        if one.slot.origin == "house" and one.slot.number <= len(houses):
            row["house"] = houses[one.slot.number - 1]
        rows.append(row)
    return rows


def body_of(battle: Battle, data: QueryDict) -> dict[str, Any]:
    """The first step of a table from the form: armies as they stand, or as they were named."""
    sides = marching(battle)
    for told in sides:
        told.pop("nobody", None)
        if not told["units"]:
            told["units"] = _named(told["side"], data)
    body: dict[str, Any] = {"sides": sides}
    if data.get("solo"):
        body["solo"] = data["solo"]
    if battle.siege:
        body |= {"vats": data.getlist("vats"), "towers": data.getlist("towers")}
    return body


def _named(side: str, data: QueryDict) -> list[dict[str, Any]]:
    rows = []
    houses = 0
    for row in range(1, ROWS + 1):
        unit = data.get(f"unit_{side}_{row}", "")
        if not unit:
            continue
        if unit == "king":
            origin, number = "king", 1
        elif unit == "cat_non":
            origin, number = "train", row
        else:
            houses += 1
            origin, number = "house", houses
        rows.append(
            {
                "unit": unit,
                "origin": origin,
                "number": number,
                "hero": data.get(f"hero_{side}_{row}") or None,
                "weapon": data.get(f"weapon_{side}_{row}") or None,
            }
        )
    if not rows:
        raise Refusal(f"Side {side} has no unit yet. Name at least one.", field="units")
    return rows
