"""The armies at the start of a battle: mustered, stored with the battle, or chosen by hand."""

from __future__ import annotations

from typing import Any

from django.http import QueryDict

from battles.models import Battle
from campaign import selectors as campaign_selectors
from campaign.chronicle.state import SOLO, State
from heraldry import Arms
from musters.core.army_json import army_from_json
from musters.selectors import armies_for
from refusal import Refusal
from rulebook.data.heroes import HERO
from rulebook.data.units import UNITS, WEAPON_NAMES
from rulebook.muster.army import Army
from rulebook.siege.castle import PIECES

ROWS = 8  # units that can be chosen by hand for each side
FIRST_FOLDED_ROW = 6  # most armies are a King and four houses
BATTLEMENTS = tuple(piece for piece in PIECES if piece.kind.battlement)
TOWERS = tuple(piece for piece in PIECES if piece.kind.key == "tower")
HERO_CHOICES = (
    *((hero.key, hero.name) for hero in HERO.values()),
    *((("musician", "Musician"),) if "musician" not in HERO else ()),
)
UNIT_CHOICES = tuple((unit.key, unit.name) for unit in UNITS)
WEAPON_CHOICES = tuple(WEAPON_NAMES.items())


def starting_sides(battle: Battle) -> list[dict[str, Any]]:
    """The sides with name, livery, VP, and units if mustered."""
    state = campaign_state(battle)
    armies = armies_for(battle.campaign, battle.number) if battle.campaign and battle.number else {}
    found = []
    for side in battle.sides:
        kingdom = side.get("kingdom")
        army = army_from_json(side["army"]) if side.get("army") else armies.get(kingdom)
        found.append(
            {
                "side": side["side"],
                **_kingdom_fields(state, kingdom, side),
                "units": units_of(army, _house_names(state, kingdom)) if army else [],
            }
        )
    return found


def side_names(battle: Battle) -> list[str]:
    """Names of the sides before the tracker is set up."""
    state = campaign_state(battle)
    return [str(_kingdom_fields(state, side.get("kingdom"), side)["name"]) for side in battle.sides]


def campaign_state(battle: Battle) -> State | None:
    return campaign_selectors.state_of(battle.campaign) if battle.campaign else None


def _kingdom_fields(state: State | None, kingdom: str | None, side: dict[str, Any]) -> dict[str, Any]:
    realm = state.kingdoms.get(kingdom) if state and kingdom else None
    if realm is None:
        return {"name": side.get("name") or f"Side {side['side']}", "livery": "", "vp": 0}
    livery = Arms.from_dict(realm.arms).livery
    return {"name": realm.name, "livery": livery, "vp": realm.vp, "unplayed": realm.status == SOLO}


def _house_names(state: State | None, kingdom: str | None) -> list[str]:
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


def set_up_body(battle: Battle, data: QueryDict) -> dict[str, Any]:
    """The body of the first step: mustered armies, or units chosen in the form."""
    sides = starting_sides(battle)
    for side in sides:
        side.pop("unplayed", None)
        if not side["units"]:
            side["units"] = _units_from_form(side["side"], data)
    body: dict[str, Any] = {"sides": sides}
    if data.get("solo"):
        body["solo"] = data["solo"]
    if battle.siege:
        body |= {"vats": data.getlist("vats"), "towers": data.getlist("towers")}
    return body


def _units_from_form(side: str, data: QueryDict) -> list[dict[str, Any]]:
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
        raise Refusal(f"Side {side} has no units. Choose at least one.", field="units")
    return rows
