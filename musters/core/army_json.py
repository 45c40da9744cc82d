"""A call and an army as JSON and back. What comes in is checked: it may be a file from elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from refusal import Refusal
from rulebook.army import Army, MusteredUnit, Origin, Slot, mustered
from rulebook.heroes import hero_of
from rulebook.muster_table import Call
from rulebook.options import Options
from rulebook.rolls import count, d10, one_of, whole
from rulebook.units import WEAPON_NAMES, unit_of

Json = dict[str, Any]
ORIGINS: tuple[str, ...] = get_args(Origin)
UNITS_MOST = 60


def call_json(call: Call) -> Json:
    return {
        "loyalty": call.loyalty,
        "lost": list(call.lost),
        "siege": call.siege,
        "vp": call.vp,
        "options": call.options.differences(),
    }


def call_of(kept: Mapping[str, Any]) -> Call:
    return Call(
        kept.get("loyalty", 0),
        tuple(kept.get("lost", ())),
        kept.get("siege"),
        kept.get("vp", 0),
        Options.from_differences(kept.get("options", {})),
    )


def army_json(army: Army) -> Json:
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


def army_of(kept: Mapping[str, Any]) -> Army:
    """The army of its JSON form, or a refusal that says what is wrong with it."""
    try:
        units = tuple([_unit_of(row) for row in kept["units"]])
        siege = kept.get("siege")
        if siege is not None:
            one_of(siege, ("attacker", "defender"), "side in the siege")
        if len(units) > UNITS_MOST:
            raise Refusal(f"An army of {len(units)} units is too large to be read; {UNITS_MOST} is the most.")
        return Army(
            units,
            whole(kept.get("loyalty", 0), "loyalty"),
            siege,
            tuple(kept.get("silent", ())),
            tuple(kept.get("lost", ())),
            tuple(kept.get("regained", ())),
            count(kept.get("vp_spent", 0), "VP spent"),
            tuple([d10(face, "die") for face in kept.get("dice", ())]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise Refusal(f"This army is not whole: {error}.", field="army") from error


def _unit_of(row: Mapping[str, Any]) -> MusteredUnit:
    origin, number = row["slot"]
    one_of(origin, ORIGINS, "place in the army")
    hero, weapon = row.get("hero"), row.get("weapon")
    if hero is not None:
        hero_of(hero)
    if weapon is not None:
        one_of(weapon, WEAPON_NAMES, "weapon")
    return mustered(Slot(origin, count(number, "place in the army", least=1)), unit_of(row["unit"]).key, hero, weapon)
