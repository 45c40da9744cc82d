"""The seven tinctures, two metals and five colours, and the rule between them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tincture:
    key: str
    is_metal: bool
    paint: str  # as tokens.css has it for light paper
    everyday: str
    hatching: str


# fmt: off
TINCTURES = (
    Tincture("or",      True,  "#d9a62b", "gold",   "dots"),
    Tincture("argent",  True,  "#f7f4ea", "silver", "plain"),
    Tincture("gules",   False, "#b3262b", "red",    "upright lines"),
    Tincture("azure",   False, "#27589c", "blue",   "level lines"),
    Tincture("vert",    False, "#2b6f42", "green",  "lines falling to the right"),
    Tincture("purpure", False, "#6b3c8c", "purple", "lines falling to the left"),
    Tincture("sable",   False, "#2b2622", "black",  "crossed lines"),
)
# fmt: on
TINCTURE = {row.key: row for row in TINCTURES}
METALS = tuple(row.key for row in TINCTURES if row.is_metal)
COLOURS = tuple(row.key for row in TINCTURES if not row.is_metal)

# On a field of two halves: each half lends its tincture to what lies on the other.
COUNTERCHANGED = "counterchanged"


def contrasts(upper: str, lower: str) -> bool:
    """The rule of tincture: metal lies on colour and colour on metal."""
    return TINCTURE[upper].is_metal != TINCTURE[lower].is_metal
