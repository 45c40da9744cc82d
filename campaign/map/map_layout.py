"""One geometry for a campaign of any size: a sector for each kingdom round a common heath, where all borderlands meet.

All coordinates lie in a square of ``SIZE``, so that page, image and paper draw the same shapes. The sway of a line is
seeded by the territories on either side, so that the same campaign always looks the same.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from campaign.map.geometry import Box, FreeSpace, Line, Point, is_inside
from campaign.map.hand_drawn import CASTLE, CASTLE_HEIGHT, CASTLE_WIDTH, DOODAD, DOODADS, ROSE, wobble_line
from chance import Dice

SIZE = 740.0
CENTRE = (SIZE / 2, SIZE / 2)
FEW = 12  # up to so many kingdoms the map has room for marks and words; beyond, numbers stand round the coast

CASTLE_PLACE, LANDS, BORDER_1, BORDER_2 = "castle", "lands", "border_1", "border_2"

# Kinds of lines: within a kingdom, between kingdoms, towards the sea, round the heath. A seam, where the only kingdom
# meets itself, is not drawn.
INNER, KINGDOM, COAST, HEATH, SEAM = "inner", "realm", "coast", "heath", "seam"


@dataclass(frozen=True, slots=True)
class Edge:
    """A line between two territories, or between one and the sea or the heath. Both sides use these very points."""

    key: str
    kind: str
    between: tuple[str, ...]
    line: Line

    @property
    def back(self) -> Line:
        """The line walked backwards."""
        return self.line[::-1]


@dataclass(frozen=True, slots=True)
class TerritoryShape:
    """One territory: its outline (clockwise, closed), where its name stands, and where marks stand (above the name)."""

    key: str
    kingdom: str
    place: str
    outline: Line
    label: Box
    marks: Box


@dataclass(frozen=True, slots=True)
class KingdomShape:
    """One kingdom: its bounds, its castle, where its name stands, and what grows in its lands."""

    kingdom: str
    number: int  # from 1, clockwise
    outline: Line
    castle: Box
    name: Box
    doodad: str
    doodads: tuple[Point, ...]  # where each one stands: the middle of its foot
    rim: Point  # outside the coast, for its number


@dataclass(frozen=True, slots=True)
class MapGeometry:
    kingdoms: tuple[str, ...]
    plots: tuple[TerritoryShape, ...]
    kingdom_shapes: tuple[KingdomShape, ...]
    edges: tuple[Edge, ...]
    coast: Line
    heath: Line
    compass: float  # radius of the wind rose, which stands in the middle
    scale: float  # 1 where there is room enough; strokes, castles and marks shrink with it

    def plot(self, key: str) -> TerritoryShape:
        return self.by_key()[key]

    def by_key(self) -> dict[str, TerritoryShape]:
        return {plot.key: plot for plot in self.plots}

    @property
    def is_crowded(self) -> bool:
        return len(self.kingdoms) > FEW


@dataclass(frozen=True, slots=True)
class _Measures:
    heath: float
    ring: float
    coast: float
    castle: float  # width
    mark: float
    sway: float
    step: float


# fmt: off
_FEW: dict[int, _Measures] = {
    #              heath  ring  coast castle mark sway step
    1:  _Measures(   66,  190,  331,   92,   44,  1.0,  7),
    2:  _Measures(   66,  200,  331,   88,   40,  1.0,  7),
    3:  _Measures(   68,  206,  331,   80,   38,  1.0,  7),
    4:  _Measures(   67,  222,  331,   69,   30,  1.0,  7),
    5:  _Measures(   72,  220,  331,   66,   35,  1.0,  7),
    6:  _Measures(   74,  222,  331,   62,   34,  1.0,  7),
    7:  _Measures(   80,  224,  331,   58,   33,  0.9,  7),
    8:  _Measures(   84,  228,  331,   55,   31,  0.85, 7),
    9:  _Measures(   88,  228,  331,   53,   31,  0.8,  7),
    10: _Measures(   92,  232,  331,   50,   29,  0.75, 7),
    11: _Measures(   94,  236,  331,   47,   27,  0.6,  7),
    12: _Measures(   96,  240,  331,   45,   26,  0.5,  7),
}
# fmt: on


def _measures(count: int) -> _Measures:
    if count <= FEW:
        return _FEW[count]
    return _Measures(
        heath=100 + min(30.0, count * 0.3),
        ring=226,
        coast=300,
        castle=min(46.0, 620 / count),
        mark=min(24.0, 330 / count),
        sway=max(0.25, 8 / count),
        step=7 if count <= 30 else 12,
    )


def _rounded_square_radius(angle: float, power: float) -> float:
    """How far a rounded square reaches in this direction; a circle for 2, squarer above."""
    return float((abs(math.cos(angle)) ** power + abs(math.sin(angle)) ** power) ** (-1 / power))


def _polar_point(angle: float, radius: float) -> Point:
    return (round(CENTRE[0] + radius * math.cos(angle), 1), round(CENTRE[1] + radius * math.sin(angle), 1))


class _GeometryBuilder:
    """Sets out the corners of the land and draws the lines between them."""

    POWER = {"heath": 2.0, "ring": 2.3, "coast": 3.1}

    def __init__(self, kingdoms: tuple[str, ...], seed: str) -> None:
        self.kingdoms = kingdoms
        self.seed = seed
        self.count = len(kingdoms)
        self.measures = _measures(self.count)
        self.sector = 2 * math.pi / self.count
        self.edges: dict[str, Edge] = {}

    def bound(self, at: float) -> float:
        """The angle where kingdom ``at`` begins, clockwise; the first and the second kingdom meet at the top."""
        return -math.pi / 2 + (at - 1) * self.sector

    def ring(self, name: str, angle: float) -> float:
        size = {"heath": self.measures.heath, "ring": self.measures.ring, "coast": self.measures.coast}[name]
        return size * _rounded_square_radius(angle, self.POWER[name])

    def corner(self, key: str, ring: str, angle: float) -> tuple[float, float]:
        """A corner as angle and share of its ring's radius, a little off where a ruler would put it."""
        dice = Dice(f"map/1/{self.seed}/{key}/{ring}")
        freedom = 0.05 if self.count <= 8 else 0.03 if self.count <= 10 else 0.015
        aside = (dice.below(201) - 100) / 100 * min(0.055, freedom * self.sector)
        deep = 1 + (dice.below(201) - 100) / 100 * (0.035 if ring != "coast" else 0.012) * self.measures.sway
        return (angle + aside, deep)

    def point(self, ring: str, corner: tuple[float, float]) -> Point:
        angle, deep = corner
        # Once round is the same corner again, to the last digit.
        angle = (angle + math.pi / 2) % (2 * math.pi) - math.pi / 2
        return _polar_point(round(angle, 9), self.ring(ring, round(angle, 9)) * deep)

    def along(self, ring: str, start: tuple[float, float], end: tuple[float, float]) -> list[Point]:
        """Points from corner to corner along a ring. The corners are exactly those of every other line there."""
        (a, deep_a), (b, deep_b) = start, end
        span = (b - a) * self.ring(ring, (a + b) / 2)
        count = max(2, round(span / self.measures.step))
        line = [self.point(ring, start)]
        for at in range(1, count):
            share = at / count
            angle = a + (b - a) * share
            line.append(_polar_point(angle, self.ring(ring, angle) * (deep_a + (deep_b - deep_a) * share)))
        return [*line, self.point(ring, end)]

    def across(self, start: Point, end: Point) -> list[Point]:
        """Points from ring to ring."""
        count = max(2, round(math.dist(start, end) / self.measures.step))
        (ax, ay), (bx, by) = start, end
        return [start, *((ax + (bx - ax) * (at / count), ay + (by - ay) * (at / count)) for at in range(1, count)), end]

    def draw(self, kind: str, between: tuple[str, ...], base: list[Point], sway: float) -> Edge:
        key = "|".join((*between, kind) if len(between) == 1 else between)
        # Between narrow territories a line may sway no further than they are wide.
        sway *= self.measures.sway
        room = [sway] * len(base)
        if kind in (KINGDOM, INNER, SEAM) and self.count > 1:
            room = [min(sway, 0.1 * self.sector * math.dist(point, CENTRE)) for point in base]
        edge = Edge(key, kind, between, wobble_line(base, f"{self.seed}/{key}", room))
        self.edges[key] = edge
        return edge


def _join_lines(*lines: Line) -> Line:
    """An outline out of lines that each begin where the one before ended. No corner is named twice."""
    return tuple(point for line in lines for point in line[:-1])


# ── The whole ────────────────────────────────────────────────────────────────────────────────────────────


@lru_cache(maxsize=32)
def build_geometry(kingdoms: tuple[str, ...], seed: str = "") -> MapGeometry:
    """The map of these kingdoms, clockwise from the upper left. Another ``seed`` draws another coast."""
    if not kingdoms:
        raise ValueError("A map needs a kingdom")
    if len(set(kingdoms)) != len(kingdoms):
        raise ValueError("A kingdom is on the map twice")
    builder = _GeometryBuilder(kingdoms, seed)
    measures, count = builder.measures, builder.count

    # Corners: where kingdoms meet on the three rings, and where each kingdom's borderlands part.
    meet = {
        ring: [builder.corner(key, ring, builder.bound(at)) for at, key in enumerate(kingdoms)]
        for ring in ("heath", "ring", "coast")
    }
    for corners in meet.values():
        angle, deep = corners[0]
        corners.append((angle + 2 * math.pi, deep))
    part = {
        ring: [builder.corner(f"{key}.borders", ring, builder.bound(at + 0.5)) for at, key in enumerate(kingdoms)]
        for ring in ("heath", "ring")
    }

    # Lines towards the heath, up between kingdoms, and along the coast.
    low: list[Edge] = []
    high: list[Edge] = []
    low_kind, high_kind = (KINGDOM, KINGDOM) if count > 1 else (INNER, SEAM)
    for at, key in enumerate(kingdoms):
        before = kingdoms[at - 1]
        inner, middle, outer = (builder.point(ring, meet[ring][at]) for ring in ("heath", "ring", "coast"))
        borders, lands = (f"{before}.{BORDER_2}", f"{key}.{BORDER_1}"), (f"{before}.{LANDS}", f"{key}.{LANDS}")
        low.append(builder.draw(low_kind, borders, builder.across(inner, middle), 7))
        high.append(builder.draw(high_kind, lands, builder.across(middle, outer), 8))
    low.append(low[0])
    high.append(high[0])

    plots: list[TerritoryShape] = []
    kingdom_shapes: list[KingdomShape] = []
    coast: list[Line] = []
    heath: list[Line] = []
    kinds = Dice(f"map/1/{seed}/doodads").shuffled([row.key for row in DOODADS])
    for at, key in enumerate(kingdoms):
        one, two, land = f"{key}.{BORDER_1}", f"{key}.{BORDER_2}", f"{key}.{LANDS}"
        heath_1 = builder.draw(HEATH, (one,), builder.along("heath", meet["heath"][at], part["heath"][at]), 7)
        heath_2 = builder.draw(HEATH, (two,), builder.along("heath", part["heath"][at], meet["heath"][at + 1]), 7)
        ring_1 = builder.draw(INNER, (one, land), builder.along("ring", meet["ring"][at], part["ring"][at]), 8)
        ring_2 = builder.draw(INNER, (two, land), builder.along("ring", part["ring"][at], meet["ring"][at + 1]), 8)
        inner, middle = (builder.point(ring, part[ring][at]) for ring in ("heath", "ring"))
        split = builder.draw(INNER, (one, two), builder.across(inner, middle), 7)
        sea = builder.draw(COAST, (land,), builder.along("coast", meet["coast"][at], meet["coast"][at + 1]), 11)
        coast.append(sea.line)
        heath += [heath_1.line, heath_2.line]
        left, right = (low[at], high[at]), (low[at + 1], high[at + 1])
        outlines = {
            one: _join_lines(left[0].line, ring_1.line, split.back, heath_1.back),
            two: _join_lines(split.line, ring_2.line, right[0].back, heath_2.back),
            land: _join_lines(left[1].line, sea.line, right[1].back, ring_2.back, ring_1.back),
        }
        shore = (left[0].line, left[1].line, sea.line, right[1].back, right[0].back)
        whole = _join_lines(*shore, heath_2.back, heath_1.back)
        shape, territories = _place_kingdom(builder, at, outlines, whole, kinds[at % len(kinds)])
        kingdom_shapes.append(shape)
        plots += territories

    return MapGeometry(
        kingdoms=kingdoms,
        plots=tuple(plots),
        kingdom_shapes=tuple(kingdom_shapes),
        edges=tuple(builder.edges.values()),
        coast=_join_lines(*coast),
        heath=_join_lines(*heath),
        compass=min(ROSE, measures.heath * 0.56),
        scale=round(measures.castle / CASTLE_WIDTH, 3),
    )


# ── What stands in a kingdom ─────────────────────────────────────────────────────────────────────────────


def _place_kingdom(
    builder: _GeometryBuilder, at: int, outlines: dict[str, Line], whole: Line, doodad: str
) -> tuple[KingdomShape, tuple[TerritoryShape, ...]]:
    """The castle, the names, the marks and the doodads of one kingdom, without overlaps."""
    key, measures = builder.kingdoms[at], builder.measures
    middle = builder.bound(at) + builder.sector / 2
    crowded = builder.count > FEW

    width = measures.castle
    height = round(width * CASTLE_HEIGHT / CASTLE_WIDTH, 1)
    lands = f"{key}.{LANDS}"
    room = FreeSpace(outlines[lands], margin=6 if builder.count <= 7 else 3.5)
    angle = _castle_angle(middle, builder.sector)
    inner, outer = builder.ring("ring", angle), builder.ring("coast", angle)
    if crowded:
        spot = _polar_point(middle, (inner + outer) / 2)
        castle = Box(round(spot[0] - width / 2, 1), round(spot[1] - height / 2, 1), width, height)
        name = land_label = land_marks = Box(*spot, 0, 0)
    else:
        spot = _polar_point(angle, inner + (outer - inner) * 0.55)
        line = 34.0 if builder.count <= 4 else 28.0 if builder.count <= 7 else 25.0
        spots = [_polar_point(middle + aside * builder.sector, (inner + outer) / 2) for aside in (0, 0.25, -0.25)]
        pull = 0.3 if builder.count <= 6 else 1.3
        if not room.find_over((width, height), line, width, near=spot, pull=pull):
            room = FreeSpace(outlines[lands], margin=2)  # where a bay runs deep the castle stands nearer to the shore
        # A wide name is worth having, but not at the cost of the lands' own name and marks.
        for most in (190.0, 120.0, 90.0, width) if builder.count <= 6 else (110.0, 84.0, 66.0, width):
            castle, name = room.find_over(
                (width, height), line, most, near=spot, pull=pull
            ) or _fallback_castle_and_name(spot, width, height, line)
            rest = room.without(castle).without(name)
            lands_found = _place_label_and_marks(rest, spots, measures)
            if lands_found:
                break
        land_label, land_marks = lands_found or _fallback_label_and_marks(spots[0])
        room = rest

    shape = _castle_outline(castle)
    plots = [
        TerritoryShape(f"{key}.{CASTLE_PLACE}", key, CASTLE_PLACE, shape, name, _castle_shield_box(castle)),
        TerritoryShape(lands, key, LANDS, outlines[lands], land_label, land_marks),
    ]
    if not crowded:
        room.take(land_label)
        room.take(land_marks)
    for place, share in ((BORDER_1, 0.25), (BORDER_2, 0.75)):
        angle = builder.bound(at) + builder.sector * share
        low, top = builder.ring("heath", angle), builder.ring("ring", angle)
        depths = (0.56, 0.75, 0.4) if builder.count <= 5 else (0.62, 0.76, 0.5)
        spots = [_polar_point(angle, low + (top - low) * deep) for deep in depths]
        outline = outlines[f"{key}.{place}"]
        if crowded:
            label = marks = Box(*spots[0], 0, 0)
        else:
            margins = (5.0, 3.0) if builder.count <= 5 else (4.0, 2.5) if builder.count <= 8 else (2.5, 1.5)
            tries = (_place_label_and_marks(FreeSpace(outline, margin), spots, measures) for margin in margins)
            label, marks = next((boxes for boxes in tries if boxes), None) or _fallback_label_and_marks(spots[0])
        plots.append(TerritoryShape(f"{key}.{place}", key, place, outline, label, marks))

    return (
        KingdomShape(
            kingdom=key,
            number=at + 1,
            outline=whole,
            castle=castle,
            name=name,
            doodad=doodad,
            doodads=() if crowded else _place_doodads(builder, key, room, outlines[lands], doodad),
            rim=_polar_point(middle, builder.ring("coast", middle) + 44),
        ),
        tuple(plots),
    )


def _castle_angle(middle: float, sector: float) -> float:
    """Where a castle stands: in a corner of the map if one lies well within the kingdom, as corners have most room."""
    if sector < math.pi / 2 - 0.01:
        # Where it is narrow the castle stands a little to one side, which leaves the other for the lands.
        return middle - (0.14 * sector if sector < 1 else 0)
    corners = [math.pi / 4 + at * math.pi / 2 for at in range(-5, 5)]
    # Of two corners equally near the one further on, so that two castles stand across from each other.
    return min(corners, key=lambda corner: (round(abs(corner - middle), 3), -corner))


# Height and least width of a name's box, from two lines on a phone down to a bare number.
# fmt: off
_NAMES = (
    (52, 112), (52, 96), (51, 84), (40, 96), (51, 76), (40, 84), (40, 70),
    (40, 60), (34, 54), (27, 60), (27, 48), (25, 40), (25, 37),
)
# fmt: on


def _place_label_and_marks(room: FreeSpace, spots: Sequence[Point], measures: _Measures) -> tuple[Box, Box] | None:
    """Where a name stands and where its marks stand: above it if there is room, else as near as can be.

    ``spots``: where the name would best stand, the best one first.
    """
    mark = measures.mark
    for height, least in _NAMES:
        if height >= 40 and (boxes := _place_stacked(room, spots[0], mark, height, least)):
            return boxes
    for height, least in _NAMES:
        for spot in spots:
            boxes = _place_stacked(room, spot, mark, height, least) or _place_apart(room, spot, mark, height, least)
            if boxes:
                return boxes
    return None


# No map of up to twelve kingdoms has been seen to need these two, but a drawing must not fail.
def _fallback_castle_and_name(spot: Point, width: float, height: float, line: float) -> tuple[Box, Box]:
    x, y = spot
    return Box(x - width / 2, y - height, width, height), Box(x - width / 2, y, width, line)


def _fallback_label_and_marks(spot: Point) -> tuple[Box, Box]:
    x, y = spot
    return Box(x - 12, y, 24, 24), Box(x - 9, y - 20, 18, 18)


def _place_stacked(room: FreeSpace, spot: Point, mark: float, height: float, least: float) -> tuple[Box, Box] | None:
    box = room.find(mark + 2 + height, least, 170, spot, pull=0.9)
    if not box:
        return None
    name = Box(box.x, round(box.y + mark + 2, 1), box.width, height)
    return name, Box(box.x, box.y, box.width, mark)


def _place_apart(room: FreeSpace, spot: Point, mark: float, height: float, least: float) -> tuple[Box, Box] | None:
    """The name where it fits, no wider than it must be, and the marks beside or beyond it."""
    label = room.find(height, least, least * 1.2, spot, pull=0.8)
    if not label:
        return None
    rest = room.without(label)
    for share in (1.0, 0.85, 0.7, 0.6, 0.5):
        side = round(mark * share, 1)
        if side < min(26, mark * 0.9) and mark > 31:
            break
        marks = rest.find(side, side, side * 2 + 4, label.centre, pull=0.8)
        if marks:
            return label, marks
    return None


def _castle_outline(box: Box) -> Line:
    scale = box.width / CASTLE_WIDTH
    x, y = box.centre[0], box.bottom
    return tuple((round(x + px * scale, 1), round(y + py * scale, 1)) for px, py in CASTLE)


def _castle_shield_box(castle: Box) -> Box:
    """Inside the castle's walls, where a shield hangs."""
    height = round(castle.height * 0.72, 1)
    width = round(height * 5 / 6, 1)
    x, y = castle.centre[0] - width / 2, castle.bottom - castle.height * 0.1 - height
    return Box(round(x, 1), round(y, 1), width, height)


def _place_doodads(
    builder: _GeometryBuilder, key: str, room: FreeSpace, outline: Line, doodad: str
) -> tuple[Point, ...]:
    """A handful of doodads in what is left of the lands, near one another as things that grow are."""
    row = DOODAD[doodad]
    scale = doodad_scale(builder.count)
    width, height = row.width * scale, row.height * scale
    dice = Dice(f"map/1/{builder.seed}/{key}/doodads")
    (left, top), (right, bottom) = map(min, zip(*outline, strict=True)), map(max, zip(*outline, strict=True))
    want = 7 if builder.count <= 4 else 5 if builder.count <= 7 else 3
    planted: list[Point] = []
    for _ in range(want * 14):
        if len(planted) == want:
            break
        x = round(left + dice.below(1000) / 1000 * (right - left))
        y = round(top + dice.below(1000) / 1000 * (bottom - top))
        box = Box(x - width / 2, y - height, width, height)
        if is_inside((x, y), outline) and room.holds(box):
            planted.append((x, y))
            room.take(box)
    # From the back to the front, as a painter would.
    return tuple(sorted(planted, key=lambda point: point[1]))


def doodad_scale(count: int) -> float:
    """How large doodads are drawn on a map of so many kingdoms."""
    return 1.0 if count <= 4 else 0.9 if count <= 6 else 0.8 if count <= 8 else 0.7
