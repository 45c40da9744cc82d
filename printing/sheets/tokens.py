"""Tokens to cut out: activation, flight, wounds, vats, events, and cheese for victory points."""

from __future__ import annotations

from heraldry.sprite import read_symbols as sprite
from printing.sheet_registry import BATTLE, Content, Sheet, register_sheets
from rulebook.data.units import UNITS
from rulebook.muster.army import HOUSES
from rulebook.siege.castle import VATS

UNITS_IN_AN_ARMY = len(HOUSES) + 1


def gather(_: None) -> Content:
    """Enough for two armies."""
    both = 2 * UNITS_IN_AN_ARMY
    most_wounds = max(max(unit.wounds) for unit in UNITS)
    kinds = [
        {"name": "acted", "sign": "check", "number": both, "solid": True},
        {"name": "flees", "sign": "flee", "number": both, "solid": False},
        {"name": "wound", "sign": "cross", "number": 2 * most_wounds, "solid": False},
        {"name": "vat", "sign": "vat", "number": VATS, "solid": False},
        {"name": "objective", "sign": "mullet", "number": 4, "solid": False},
        {"name": "1 VP", "sign": "cheese", "number": both, "solid": False},
        {"name": "5 VP", "sign": "crown", "number": 4, "solid": True},
    ]
    known = sprite()
    return {"kinds": kinds, "signs": {kind["sign"]: known[f"c-{kind['sign']}"] for kind in kinds}}


register_sheets(
    Sheet(
        "tokens",
        "Tokens",
        "Round tokens to cut out: acted, fleeing, wounds, vats, objectives, and cheese for victory points.",
        BATTLE,
        "tokens.typ",
        gather,
        hint="Use card of 200 g or more. An 18 mm punch cuts them cleanly.",
    )
)
