"""What a steady hand draws: swaying lines, the same every time, and the decorations on the land."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from campaign.map.geometry import Line, Point
from chance import Dice

# How far apart the hand changes its mind, in units of the map, and how much of the sway is of the finer kind.
LONG, SHORT = 46.0, 17.0
FINE = 0.34


def _smooth_noise(dice: Dice, span: float, wave: float) -> Callable[[float], float]:
    """A smooth line through chance heights between -1 and 1, one for each ``wave`` of the way."""
    count = max(2, math.ceil(span / wave) + 1)
    heights = [dice.below(2001) / 1000 - 1 for _ in range(count + 2)]
    step = span / (count - 1)

    def at(way: float) -> float:
        place = way / step if step else 0.0
        knot = min(int(place), count - 2)
        t = place - knot
        a, b, c, d = (heights[(knot + i) % len(heights)] for i in range(4))
        # Catmull and Rom: through every height, without corners.
        return 0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t + (3 * b - a - 3 * c + d) * t * t * t)

    return at


def wobble_line(base: Sequence[Point], seed: str, sway: float | Sequence[float]) -> Line:
    """The base line swayed sideways by up to about ``sway`` (one value, or one per point). Its ends stay put."""
    ways = [0.0]
    for a, b in pairwise(base):
        ways.append(ways[-1] + math.dist(a, b))
    span = ways[-1]
    dice = Dice(f"map/1/{seed}")
    long, short = _smooth_noise(dice, span, LONG), _smooth_noise(dice, span, SHORT)
    ease = min(22.0, span / 3) or 1.0
    drawn: list[Point] = [base[0]]
    for at in range(1, len(base) - 1):
        (ax, ay), (bx, by) = base[at - 1], base[at + 1]
        size = math.hypot(bx - ax, by - ay) or 1.0
        near = min(1.0, ways[at] / ease, (span - ways[at]) / ease)
        hold = near * near * (3 - 2 * near)
        much = sway if isinstance(sway, (int, float)) else sway[at]
        off = much * hold * (long(ways[at]) * (1 - FINE) + short(ways[at]) * FINE)
        x, y = base[at]
        drawn.append((round(x - (by - ay) / size * off, 1), round(y + (bx - ax) / size * off, 1)))
    drawn.append(base[-1])
    return tuple(drawn)


# ── Decorations ──────────────────────────────────────────────────────────────────────────────────────────
# Trees, molehills, reeds. Each stands on (0, 0) and grows upwards.


@dataclass(frozen=True, slots=True)
class Doodad:
    key: str
    words: str
    width: float
    height: float
    path: str  # open lines, one pen


# fmt: off
DOODADS: tuple[Doodad, ...] = (
    Doodad("oaks", "oaks", 28, 30,
           "M0 0V-10M-9-10C-16-12-14-21-8-20C-8-28 4-30 6-23C13-24 16-13 9-10C5-7 1-9 0-10C-2-7-6-8-9-10"),
    Doodad("reeds", "reeds", 28, 30,
           "M-6-2C-6-10-8-16-11-21M0-2V-21M6-2C6-9 8-15 11-19M-13 0H13M0-21V-29M-1.2-22V-28M1.2-22V-28"
           "M-11-21L-14-27M11-19L13-25"),
    Doodad("molehills", "molehills", 40, 20,
           "M-19 0H19M-14 0C-11-13-6-18 0-18S11-13 14 0M-6-5C-5-9-3-11 0-12"),
    Doodad("thistles", "thistles", 24, 32,
           "M0 0V-14M0-5C-5-5-8-8-9-12C-5-12-1-10 0-5M0-3C5-3 8-6 9-10C5-10 1-8 0-3"
           "M-5-17C-5-13 5-13 5-17C5-20-5-20-5-17M-5-18L-8-27M-2-19L-3-29M2-19L3-29M5-18L8-27"),
    Doodad("wheat", "wheat", 26, 32,
           "M0 0V-30M0-24L-5-29M0-24L5-29M0-18L-6-23M0-18L6-23M0-12L-6-17M0-12L6-17M-9 0L-10-17M-10-17L-13-21"
           "M-10-12L-13-16M9 0L10-17M10-17L13-21M10-12L13-16"),
    Doodad("toadstools", "toadstools", 30, 24,
           "M-6 0C-5-4-5-7-6-10M3 0C2-4 2-7 3-10M-13-10C-12-20-6-23-2-23S8-20 10-10C4-8-7-8-13-10M-7-15H-5"
           "M1-18H3M11 0C11-3 11-4 11-6M7-6C8-11 14-11 15-6z"),
    Doodad("firs", "firs", 26, 32,
           "M0 0V-6M-11-6H11L4-14H8L3-22H6L0-31L-6-22H-3L-8-14H-4z"),
    Doodad("stones", "standing stones", 34, 24,
           "M-14 0L-15-15C-14-20-9-20-8-16L-7 0M-3 0L-2-20C0-24 5-23 5-19L6 0M10 0L11-10C13-13 17-12 16-8L16 0"
           "M-17 0H-4M3 0H18"),
    Doodad("hills", "hills", 42, 20,
           "M-20 0C-14-14-8-18-3-18C2-18 6-12 9-6M2-14C6-17 9-17 12-14C16-10 18-5 20 0M-8-9C-7-12-5-13-4-14"),
    Doodad("brambles", "brambles", 36, 22,
           "M-17 0C-16-14-4-24 4-14C8-9 8-4 8 0M-6 0C-4-10 8-18 16-8C17-6 17-3 17 0M-13-9L-17-11M-5-16L-6-21"
           "M4-14L8-18M13-11L17-14M-1-8L-5-10"),
    Doodad("clover", "clover", 26, 26,
           "M0 0C0-5 0-9 0-13M0-13C-6-10-12-13-11-17S-3-18 0-13M0-13C-5-18-4-25 0-25S5-18 0-13"
           "M0-13C3-18 10-21 11-17S6-10 0-13M0-4C3-5 6-7 8-10"),
    Doodad("hedges", "hedges", 38, 18,
           "M-18 0V-9C-18-14-12-15-10-12C-8-17-1-17 0-12C3-17 9-16 10-12C13-15 18-13 18-9V0zM-10-6C-9-8-6-8-5-6"
           "M3-5C4-7 7-7 8-5"),
)
# fmt: on
DOODAD = {row.key: row for row in DOODADS}

# The castle, 92 wide and 83 high from the top of its merlons; its foot stands on y = 0.
CASTLE = (
    *((-46, 0), (-46, -69), (-28, -69), (-28, -83), (-9, -83), (-9, -69)),
    *((9, -69), (9, -83), (28, -83), (28, -69), (46, -69), (46, 0)),
)
CASTLE_WIDTH, CASTLE_HEIGHT = 92.0, 83.0

# A wind rose of radius 44: four long points, four short ones; the north point is drawn apart, since it is red.
NORTH = "M0-44L8 0H-8z"
POINTS = ("M36 0L0 7V-7z", "M0 36L-7 0H7z", "M-36 0L0-7V7z")
BETWEEN = (
    "M17-17L3.5 3.5L-3.5-3.5z",
    "M17 17L-3.5 3.5L3.5-3.5z",
    "M-17 17L-3.5-3.5L3.5 3.5z",
    "M-17-17L3.5-3.5L-3.5 3.5z",
)
ROSE = 44.0
