"""Plain coordinates: points, boxes, SVG path data, and where inside an outline a box still fits."""

import math
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

    def grown(self, by: float) -> "Box":
        return Box(self.x - by, self.y - by, self.width + 2 * by, self.height + 2 * by)


def coord(value: float) -> str:
    """A coordinate as short as it can be written."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def path_data(line: Sequence[Point], *, closed: bool) -> str:
    """Path data of one line, in steps from point to point, which is a third shorter than in full."""
    # Steps are taken between the rounded points, so that rounding never adds up along a coast.
    tenths = [(round(x * 10), round(y * 10)) for x, y in line]
    (x, y), rest = tenths[0], tenths[1:]
    parts = [f"M{_format_tenth(x)} {_format_tenth(y)}l"]
    for next_x, next_y in rest:
        for step in (next_x - x, next_y - y):
            text = _format_tenth(step)
            parts.append(text if text.startswith("-") or len(parts) == 1 else f" {text}")
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
    inside = False
    bx, by = outline[-1]
    for ax, ay in outline:
        if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
            inside = not inside
        bx, by = ax, ay
    return inside


# ── Finding room ─────────────────────────────────────────────────────────────────────────────────────────


STEP = 4.0  # between the level lines an outline is cut into

Span = tuple[float, float]


def _intersect_spans(some: list[Span], others: list[Span]) -> list[Span]:
    """What is free in both rows."""
    if len(some) == 1 and len(others) == 1:  # nearly always
        (a, b), (c, d) = some[0], others[0]
        low, high = (a if a > c else c), (b if b < d else d)
        return [(low, high)] if high > low else []
    return [(max(a, c), min(b, d)) for a, b in some for c, d in others if min(b, d) > max(a, c)]


class FreeSpace:
    """The inside of one outline, as free spans along level lines, from which boxes are taken."""

    __slots__ = ("_bands", "_rows", "_top", "margin")

    def __init__(self, outline: Sequence[Point], margin: float) -> None:
        self.margin = margin
        # One empty row above and below, so that a band never reaches out unnoticed.
        self._top = (math.floor(min(y for _, y in outline) / STEP) - 1) * STEP
        bottom = max(y for _, y in outline)
        cuts: list[list[float]] = [[] for _ in range(int((bottom - self._top) / STEP) + 3)]
        bx, by = outline[-1]
        for ax, ay in outline:
            low, high = (ay, by) if ay < by else (by, ay)
            for row in range(math.ceil((low - self._top) / STEP), math.ceil((high - self._top) / STEP)):
                cuts[row].append(ax + (bx - ax) * (self._top + row * STEP - ay) / (by - ay))
            bx, by = ax, ay
        self._rows: list[list[Span]] = []
        for cut in map(sorted, cuts):
            pairs = zip(cut[::2], cut[1::2], strict=False)
            self._rows.append([(a + margin, b - margin) for a, b in pairs if b - a > 2 * margin])
        self._bands: list[list[list[Span]]] = []

    def take(self, box: Box) -> None:
        """Mark this box as taken."""
        first, count = self._band(box.y, box.height)
        left, right = box.x - self.margin, box.right + self.margin
        for row in range(max(0, first), min(len(self._rows), first + count)):
            kept: list[Span] = []
            for a, b in self._rows[row]:
                if a < left:
                    kept.append((a, min(b, left)))
                if b > right:
                    kept.append((max(a, right), b))
            self._rows[row] = kept
        self._bands = []

    def without(self, box: Box) -> "FreeSpace":
        """The same room with one box less."""
        other = FreeSpace.__new__(FreeSpace)
        other.margin, other._top, other._rows, other._bands = self.margin, self._top, list(self._rows), []
        other.take(box)
        return other

    def _band(self, top: float, height: float) -> tuple[int, int]:
        """The first row that a band with its margins touches, and how many."""
        first = math.floor((top - self.margin - self._top) / STEP)
        last = math.ceil((top + height + self.margin - self._top) / STEP)
        return first, last - first + 1

    def free(self, top: float, height: float) -> list[Span]:
        """What is free along the whole height of a band."""
        first, count = self._band(top, height)
        if first < 0 or first + count > len(self._rows):
            return []
        # Bands of 1, 2, 4 … rows are kept; any other is two of them, overlapping.
        power = count.bit_length() - 1
        if not self._bands:
            self._bands = [self._rows]
        while len(self._bands) <= power:
            lower, wide = self._bands[-1], 1 << (len(self._bands) - 1)
            self._bands.append([_intersect_spans(lower[row], lower[row + wide]) for row in range(len(lower) - wide)])
        kept = self._bands[power]
        return _intersect_spans(kept[first], kept[first + count - (1 << power)])

    def tops(self) -> list[float]:
        return [self._top + row * STEP for row in range(len(self._rows))]

    def find(self, height: float, least: float, most: float, near: Point, pull: float = 0.35) -> Box | None:
        """The best box of this height, ``least`` to ``most`` wide: wide rather than narrow, and near rather than far.

        ``pull`` says how much width one unit of distance is worth.
        """
        best: Box | None = None
        best_score = -math.inf
        for top in self.tops():
            for a, b in self.free(top, height):
                width = min(b - a, most)
                if width < least:
                    continue
                x = min(max(near[0] - width / 2, a), b - width)
                score = width - pull * math.dist((x + width / 2, top + height / 2), near)
                if score > best_score:
                    best, best_score = Box(round(x, 1), round(top, 1), round(width, 1), height), score
        return best

    def find_over(
        self, upper: tuple[float, float], lower: float, most: float, near: Point, pull: float
    ) -> tuple[Box, Box] | None:
        """A box of this width and height with another centred under it, as wide as fits, up to ``most``."""
        width, height = upper
        best: tuple[Box, Box] | None = None
        best_score = -math.inf
        for top in self.tops():
            # A name may reach right up to the lines around it.
            under = [(a - self.margin, b + self.margin) for a, b in self.free(top + height, lower)]
            if not under:
                continue
            for a, b in self.free(top, height):
                if b - a < width:
                    continue
                for at in range(9):
                    x = a + width / 2 + (b - a - width) * at / 8
                    wide = min(most, 2 * max((min(x - c, d - x) for c, d in under), default=0.0))
                    if wide < width * 0.8:
                        continue
                    score = wide - pull * math.dist((x, top + (height + lower) / 2), near)
                    if score > best_score:
                        best_score = score
                        best = (
                            Box(round(x - width / 2, 1), round(top, 1), width, height),
                            Box(round(x - wide / 2, 1), round(top + height, 1), round(wide, 1), lower),
                        )
        return best

    def holds(self, box: Box) -> bool:
        return any(a <= box.x and box.right <= b for a, b in self.free(box.y, box.height))
