"""Twelve liveries for the map: the seven tinctures and five rare ones, each with a hatching of its own.

Kingdoms never differ by colour alone: the twelve hatchings are distinct in black and white. From the thirteenth kingdom
on the liveries repeat with small pellets, rings or billets; there the number beside a kingdom counts.
"""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tile:
    """One piece of a hatching, repeated side by side: lines as path data, dots as (x, y, radius), turned as a whole."""

    width: float
    height: float
    lines: str = ""
    dots: tuple[tuple[float, float, float], ...] = ()
    turned: int = 0  # degrees


@dataclass(frozen=True, slots=True)
class Tincture:
    key: str
    everyday: str
    hatching: str
    paint: str  # as it is on light paper
    wash: str
    line: str  # colour of the hatching on the wash
    tile: Tile | None
    in_sprite: bool  # whether the page's sprite already has the pattern


# fmt: off
TWELVE: tuple[Tincture, ...] = (
    Tincture("gules",    "red",      "upright lines",              "#b3262b", "#efcfc2", "#b3262b",
             Tile(10, 10, "M5 0V10"), True),
    Tincture("azure",    "blue",     "level lines",                "#27589c", "#ccd6e0", "#27589c",
             Tile(10, 10, "M0 5H10"), True),
    Tincture("vert",     "green",    "lines falling to the right", "#2b6f42", "#cfdcc4", "#2b6f42",
             Tile(10, 10, "M5 0V10", turned=-45), True),
    Tincture("purpure",  "purple",   "lines falling to the left",  "#6b3c8c", "#dccfdd", "#6b3c8c",
             Tile(10, 10, "M5 0V10", turned=45), True),
    Tincture("or",       "gold",     "dots",                       "#d9a62b", "#f3e0ae", "#7d5a0c",
             Tile(12, 12, dots=((3, 3, 1.6), (9, 9, 1.6))), True),
    Tincture("sable",    "black",    "crossed lines",              "#2b2622", "#cfc6b6", "#231a12",
             Tile(10, 10, "M5 0V10M0 5H10"), True),
    Tincture("argent",   "silver",   "plain",                      "#f7f4ea", "#faf6ea", "#231a12",
             None, True),
    Tincture("tenne",    "tawny",    "slanting and level lines",   "#b05a17", "#f1d3b3", "#b05a17",
             Tile(16, 16, "M0 16L16 0M0 8H16"), False),
    Tincture("celeste",  "sky blue", "broken level lines",         "#1f7f8c", "#c4dfdb", "#1f7f8c",
             Tile(20, 12, "M2 3H12M12 9H20M0 9H2"), False),
    Tincture("murrey",   "mulberry", "upright lines and dots",     "#97356f", "#ecd0e0", "#97356f",
             Tile(16, 12, "M4 0V12", ((12, 6, 1.8),)), False),
    Tincture("cendree",  "ash",      "small crosses",              "#56656b", "#d3d9d6", "#56656b",
             Tile(18, 18, "M4.5 1V8M1 4.5H8M13.5 10V17M10 13.5H17"), False),
    Tincture("brunatre", "brown",    "zigzag lines",               "#77502c", "#ddc9ac", "#77502c",
             Tile(16, 11, "M0 8L4 3L8 8L12 3L16 8"), False),
)

# Laid over a hatching from the thirteenth kingdom on.
DIFFERENCES: tuple[Tile, ...] = (
    Tile(26, 26, dots=((6, 6, 2.6), (19, 19, 2.6))),                                         # pellets
    Tile(26, 26, "M2 6a4 4 0 1 0 8 0a4 4 0 1 0-8 0M15 19a4 4 0 1 0 8 0a4 4 0 1 0-8 0"),      # rings
    Tile(26, 26, "M3 4H9M3 6H9M3 8H9M16 17H22M16 19H22M16 21H22"),                           # billets
)
# fmt: on
BY_KEY = {row.key: row for row in TWELVE}


@dataclass(frozen=True, slots=True)
class Livery:
    """How a kingdom's land is painted: a tincture, and from the thirteenth kingdom on a difference."""

    tincture: str
    difference: int = 0  # 0 none, else the number of a row of DIFFERENCES

    @property
    def row(self) -> Tincture:
        return BY_KEY[self.tincture]

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """The hatching, from below upwards."""
        over = (DIFFERENCES[self.difference - 1],) if self.difference else ()
        return (*((self.row.tile,) if self.row.tile else ()), *over)

    @property
    def words(self) -> str:
        extra = ("", ", with pellets", ", with rings", ", with billets")[self.difference]
        return f"{self.row.everyday}, {self.row.hatching}{extra}"


def assign_liveries(wishes: Iterable[str]) -> tuple[Livery, ...]:
    """One livery each, in order: the tincture wished for if nobody before has it, else the first one free.

    Whoever joins later changes nothing for those who are there.
    """
    given: list[Livery] = []
    used: set[Livery] = set()
    everything = [Livery(row.key, at) for at in range(len(DIFFERENCES) + 1) for row in TWELVE]
    for wish in wishes:
        livery = Livery(wish) if wish in BY_KEY else everything[0]
        if livery in used:
            # With more kingdoms than liveries they come round again.
            livery = next((row for row in everything if row not in used), everything[len(given) % len(everything)])
        used.add(livery)
        given.append(livery)
    return tuple(given)
