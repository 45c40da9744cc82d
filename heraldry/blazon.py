"""Blazon: a coat of arms described in heraldic English, in the heralds' order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from heraldry.charges import CHARGE
from heraldry.ordinaries import DIVISION, ORDINARY

if TYPE_CHECKING:
    from heraldry.coat_of_arms import Arms

_NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}


def blazon(arms: Arms) -> str:
    text = _field(arms)
    borne = _borne(arms)
    sentence = f"{text}, {borne}" if borne else text
    return sentence[0].upper() + sentence[1:]


def _field(arms: Arms) -> str:
    if not arms.field2:
        return arms.field
    return f"{DIVISION[arms.division].words} {arms.field} and {arms.field2}"


def _charges(arms: Arms) -> str:
    row = CHARGE[arms.charge]
    if arms.charges_count == 1:
        return row.one
    text = f"{_NUMBERS[arms.charges_count]} {row.many}"
    return text + _order(arms)


def _order(arms: Arms) -> str:
    """How several charges stand, where it is not the order everyone expects."""
    if arms.ordinary == "none":
        if arms.charges_count == 5:
            return " in saltire"
        if arms.charges_count == 2:
            return {
                "per_fess": " in pale",
                "per_chevron": " in pale",
                "per_bend": " in bend sinister",
                "per_bend_sinister": " in bend",
            }.get(arms.division, " in fess")
    elif arms.ordinary == "flaunches" and arms.charges_count == 3:
        return " in pale"
    return ""


def _borne(arms: Arms) -> str:
    if arms.ordinary == "none":
        return f"{_charges(arms)} {arms.charge_tincture}" if arms.charge != "none" else ""
    row = ORDINARY[arms.ordinary]
    if arms.charge == "none":
        return f"{row.words} {arms.ordinary_tincture}"
    charges = _charges(arms)
    if arms.placing == "upon":
        return f"on {row.words} {arms.ordinary_tincture} {charges} {arms.charge_tincture}"
    same = arms.ordinary_tincture == arms.charge_tincture
    # Two things of one tincture name it once, at the end.
    ordinary = row.words if same else f"{row.words} {arms.ordinary_tincture}"
    if row.manner == "and":
        joint = " and " if same else ", "
        first = charges if same else f"{charges} {arms.charge_tincture}"
        return f"{first}{joint}{row.words} {arms.ordinary_tincture}"
    if row.manner in ("within", "amid"):
        word = "within" if row.manner == "within" else "between"
        first = charges if same else f"{charges} {arms.charge_tincture}"
        return f"{first} {word} {row.words} {arms.ordinary_tincture}"
    if row.manner == "in chief":
        joint = " and in chief " if same else ", in chief "
        return f"{ordinary}{joint}{charges} {arms.charge_tincture}"
    return f"{ordinary} between {charges} {arms.charge_tincture}"
