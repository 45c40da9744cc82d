"""Convert a call and an army to JSON and back. Input is checked: it can come from a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, get_args

from refusal import Refusal
from rulebook.checks import check_count, check_d10, check_one_of, check_whole_number
from rulebook.data.heroes import hero_of
from rulebook.data.house_rules import Options
from rulebook.data.muster_table import MusterCall
from rulebook.data.units import WEAPON_NAMES, unit_of
from rulebook.muster.army import Army, MusteredUnit, Origin, Siege, Slot, mustered_unit

Json = dict[str, object]
ORIGINS: tuple[str, ...] = get_args(Origin)
MAX_UNITS = 60


@dataclass(frozen=True, slots=True)
class UnitShape:
    """One unit of an army in JSON. ``slot``: where it comes from, and the number there."""

    slot: tuple[Origin, int]
    unit: str
    hero: str | None = None
    weapon: str | None = None


@dataclass(frozen=True, slots=True)
class ArmyShape:
    """An army in JSON, for the API's schema."""

    units: tuple[UnitShape, ...]
    loyalty: int = 0
    siege: Siege | None = None
    silent: tuple[int, ...] = ()
    lost: tuple[int, ...] = ()
    regained: tuple[int, ...] = ()
    vp_spent: int = 0
    dice: tuple[int, ...] = ()


def call_to_json(call: MusterCall) -> Json:
    return {
        "loyalty": call.loyalty,
        "lost": list(call.lost),
        "siege": call.siege,
        "vp": call.vp,
        "options": call.options.differences(),
    }


def call_from_json(kept: Mapping[str, Any]) -> MusterCall:
    return MusterCall(
        kept.get("loyalty", 0),
        tuple(kept.get("lost", ())),
        kept.get("siege"),
        kept.get("vp", 0),
        Options.from_differences(kept.get("options", {})),
    )


def army_to_json(army: Army) -> Json:
    return {
        "units": [
            {"slot": [one.slot.origin, one.slot.number], "unit": one.unit, "hero": one.hero, "weapon": one.weapon}
            for one in army.units
        ],
        "loyalty": army.loyalty,
        "siege": army.siege,
        "silent": list(army.silent),
        "lost": list(army.lost),
        "regained": list(army.regained),
        "vp_spent": army.vp_spent,
        "dice": list(army.dice),
    }


def army_from_json(kept: Mapping[str, Any]) -> Army:
    """Read an army from JSON, or refuse and say what is wrong."""
    try:
        units = tuple([_unit_from_json(row) for row in kept["units"]])
        siege = kept.get("siege")
        if siege is not None:
            check_one_of(siege, ("attacker", "defender"), "side in the siege")
        if len(units) > MAX_UNITS:
            raise Refusal(f"An army of {len(units)} units is too large. The limit is {MAX_UNITS}.")
        return Army(
            units,
            check_whole_number(kept.get("loyalty", 0), "loyalty"),
            siege,
            tuple(kept.get("silent", ())),
            tuple(kept.get("lost", ())),
            tuple(kept.get("regained", ())),
            check_count(kept.get("vp_spent", 0), "VP spent"),
            tuple([check_d10(face, "die") for face in kept.get("dice", ())]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise Refusal(f"This army is incomplete: {error}.", field="army") from error


def _unit_from_json(row: Mapping[str, Any]) -> MusteredUnit:
    origin, number = row["slot"]
    check_one_of(origin, ORIGINS, "place in the army")
    hero, weapon = row.get("hero"), row.get("weapon")
    if hero is not None:
        hero_of(hero)
    if weapon is not None:
        check_one_of(weapon, WEAPON_NAMES, "weapon")
    return mustered_unit(
        Slot(origin, check_count(number, "place in the army", least=1)), unit_of(row["unit"]).key, hero, weapon
    )
