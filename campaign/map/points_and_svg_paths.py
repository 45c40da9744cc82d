"""Plain coordinates: points, boxes, and SVG path data written from lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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
