"""Lines as a steady hand draws them: never quite straight, and the same every time."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

from campaign.map.points_and_svg_paths import Line, Point
from chance import Dice

# How far apart the hand changes its mind, in units of the map, and how much of the sway is of the finer kind.
LONG, SHORT = 46.0, 17.0
FINE = 0.34


def _random_height(dice: Dice) -> float:
    return dice.below(2001) / 1000 - 1


def _smooth_noise(dice: Dice, span: float, wave: float) -> Callable[[float], float]:
    """A smooth line through chance heights between -1 and 1, one for each ``wave`` of the way."""
    count = max(2, math.ceil(span / wave) + 1)
    heights = [_random_height(dice) for _ in range(count + 2)]
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
