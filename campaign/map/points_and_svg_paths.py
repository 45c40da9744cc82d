"""Plain coordinates: points, boxes, SVG path data read into lines and written from them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

Point = tuple[float, float]
Line = tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle along the axes; y grows downwards, as on a page."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height

    @property
    def centre(self) -> Point:
        return (self.x + self.width / 2, self.y + self.height / 2)

    @property
    def corners(self) -> tuple[Point, Point, Point, Point]:
        return ((self.x, self.y), (self.right, self.y), (self.right, self.bottom), (self.x, self.bottom))

    def grown(self, by: float) -> Box:
        return Box(self.x - by, self.y - by, self.width + 2 * by, self.height + 2 * by)


def coord(value: float) -> str:
    """A coordinate as short as it can be written."""
    text = f"{value:.1f}"
    text = text.removesuffix(".0")
    return "0" if text == "-0" else text


def path_data(line: Sequence[Point], *, closed: bool) -> str:
    """Path data of one line, in steps from point to point, which is a third shorter than in full."""
    # Steps are taken between the rounded points, so that rounding never adds up along a coast.
    tenths = [(round(x * 10), round(y * 10)) for x, y in line]
    (x, y), rest = tenths[0], tenths[1:]
    parts = [f"M{_format_tenth(x)} {_format_tenth(y)}l"]
    first = True
    for next_x, next_y in rest:
        for step in (next_x - x, next_y - y):
            text = _format_tenth(step)
            if not first and not text.startswith("-"):
                parts.append(" ")
            parts.append(text)
            first = False
        x, y = next_x, next_y
    return "".join(parts) + ("z" if closed else "")


def _format_tenth(value: int) -> str:
    sign, value = ("-" if value < 0 else ""), abs(value)
    whole, part = divmod(value, 10)
    if not part:
        return f"{sign}{whole}"
    return f"{sign}{whole or ''}.{part}"


# ── Reading path data ────────────────────────────────────────────────────────────────────────────────────

_TOKEN = re.compile(r"([MmLlHhVvCcSsQqAaZz])|(-?(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?)")
_TAKES = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "A": 7, "Z": 0}


@lru_cache(maxsize=1024)
def parse_path(path: str, steps: int = 10) -> tuple[tuple[Line, bool], ...]:
    """SVG path data as straight lines, each with whether it closes; a curve becomes ``steps`` of them."""
    done: list[tuple[Line, bool]] = []
    line: list[Point] = []
    x = y = start_x = start_y = 0.0
    pull: Point | None = None  # the last control point of a curve, for S to mirror
    for command, numbers in _commands(path):
        letter, relative = command.upper(), command.islower()
        dx, dy = (x, y) if relative else (0.0, 0.0)
        mirrored = (2 * x - pull[0], 2 * y - pull[1]) if pull else (x, y)
        pull = None
        if letter == "M":
            if len(line) > 1:
                done.append((tuple(line), False))
            x, y = start_x, start_y = numbers[0] + dx, numbers[1] + dy
            line = [(x, y)]
            continue
        if letter == "Z":
            if len(line) > 1:
                done.append((tuple(line), True))
            x, y = start_x, start_y
            line = [(x, y)]
            continue
        if letter == "L":
            line.append((numbers[0] + dx, numbers[1] + dy))
        elif letter == "H":
            line.append((numbers[0] + dx, y))
        elif letter == "V":
            line.append((x, numbers[0] + dy))
        elif letter == "A":
            line += _arc((x, y), numbers, (numbers[5] + dx, numbers[6] + dy), steps)
        else:
            controls = [(numbers[i] + dx, numbers[i + 1] + dy) for i in range(0, len(numbers), 2)]
            if letter == "S":
                controls.insert(0, mirrored)
            elif letter == "Q":
                (cx, cy), (ex, ey) = controls
                controls = [
                    (x + (cx - x) * 2 / 3, y + (cy - y) * 2 / 3),
                    (ex + (cx - ex) * 2 / 3, ey + (cy - ey) * 2 / 3),
                    (ex, ey),
                ]
            line += _curve((x, y), controls, steps)
            pull = controls[1]
        x, y = line[-1]
    if len(line) > 1:
        done.append((tuple(line), False))
    return tuple(done)


def _commands(path: str) -> Iterator[tuple[str, list[float]]]:
    """Each command with its numbers; further groups of numbers repeat it, and after a move they are lines."""
    command = ""
    numbers: list[float] = []
    for found in _TOKEN.finditer(path):
        if found[1]:
            command, numbers = found[1], []
            if command in "Zz":
                yield command, []
            continue
        numbers.append(float(found[2]))
        if len(numbers) == _TAKES[command.upper()]:
            yield command, numbers
            numbers = []
            command = {"M": "L", "m": "l"}.get(command, command)


def _curve(start: Point, controls: Sequence[Point], steps: int) -> list[Point]:
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = start, *controls
    points = []
    for step in range(1, steps + 1):
        t = step / steps
        u = 1 - t
        a, b, c, d = u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t
        points.append((a * ax + b * bx + c * cx + d * dx, a * ay + b * by + c * cy + d * dy))
    return points


def _arc(start: Point, numbers: Sequence[float], end: Point, steps: int) -> list[Point]:
    """An arc of a circle or an upright ellipse; the sprite has no others."""
    rx, ry, _, large, sweep = numbers[:5]
    if start == end or not rx or not ry:
        return [end]
    # In a space where the ellipse is the unit circle.
    ax, ay, bx, by = start[0] / rx, start[1] / ry, end[0] / rx, end[1] / ry
    half = math.hypot(bx - ax, by - ay) / 2
    grow = max(1.0, half)
    ax, ay, bx, by, half = ax / grow, ay / grow, bx / grow, by / grow, half / grow
    rise = math.sqrt(max(0.0, 1 - half * half)) / (2 * half)
    if bool(large) == bool(sweep):
        rise = -rise
    cx, cy = (ax + bx) / 2 - (by - ay) * rise, (ay + by) / 2 + (bx - ax) * rise
    first, last = math.atan2(ay - cy, ax - cx), math.atan2(by - cy, bx - cx)
    if sweep and last <= first:
        last += 2 * math.pi
    elif not sweep and last >= first:
        last -= 2 * math.pi
    count = max(steps, 3)
    turned = [first + (last - first) * step / count for step in range(1, count)]
    return [*(((cx + math.cos(a)) * rx * grow, (cy + math.sin(a)) * ry * grow) for a in turned), end]


# ── Asking ───────────────────────────────────────────────────────────────────────────────────────────────


def is_inside(point: Point, outline: Sequence[Point]) -> bool:
    """Whether a point lies in a closed outline (even-odd)."""
    x, y = point
    found = False
    bx, by = outline[-1]
    for ax, ay in outline:
        if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
            found = not found
        bx, by = ax, ay
    return found
