"""Terrain laid out by dice, and fairly: each piece has its twin, half a turn around the middle of the table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import hypot

from chance import Dice
from rulebook.scenarios import EDGE, PIECE, SCENARIOS, TABLE, Piece, Placement, Scenario, Shape, Zone
from rulebook.siege import TERRAIN_FROM_CASTLE
from rulebook.terrain import TERRAIN, TERRAINS, Terrain

FAIR = (
    "Every piece has its twin: the same kind, half a turn around the middle of the table. "
    "Whichever edge is yours, you and your rival look at the same ground."
)
GAP = 2.0  # between two rims, so that every unit finds a way through
RADIUS = PIECE / 2
# Pieces are put down on a grid of half inches, which a tape measure can follow.
STEP = 2
# How often each kind lies in the bag from which the pairs are drawn.
BAG = {
    "mound": 2, "tall_patch": 2, "barrier": 2, "bad_goings": 2, "fortress": 1, "obstacle": 1, "building": 1, "impassable": 1,
}  # fmt: skip
# Of so many places the one farthest from everything is taken, so that pieces do not huddle.
TRIES = 3
# A draw that leaves no room for its last pair begins anew; one in twenty does so among the hills.
BEGINNINGS = 60
_NEARLY = 1e-9

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Laid:
    """One piece on the table. ``number`` is that of its pair, so twins bear the same."""

    number: int
    terrain: str
    x: float  # of the centre, in inches from the south-west corner
    y: float

    @property
    def shape(self) -> Shape:
        return Shape("circle", self.x, self.y, radius=RADIUS)

    @property
    def kind(self) -> Terrain:
        return TERRAIN[self.terrain]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two twins. Seen from the left-hand corner of one's own edge both are ``right`` and ``up`` inches away."""

    number: int
    terrain: str
    right: float
    up: float

    @property
    def kind(self) -> Terrain:
        return TERRAIN[self.terrain]

    @property
    def pieces(self) -> tuple[Laid, Laid]:
        """The piece in the south, then the one in the north."""
        return (
            Laid(self.number, self.terrain, self.right, self.up),
            Laid(self.number, self.terrain, TABLE - self.right, TABLE - self.up),
        )


@dataclass(frozen=True, slots=True)
class Layout:
    pairs: tuple[Pair, ...]
    placed_by: tuple[str, ...]  # the sides to whom the scenario gives these pieces

    @property
    def pieces(self) -> tuple[Laid, ...]:
        return tuple(piece for pair in self.pairs for piece in pair.pieces)


def pieces_to_place(scenario: Scenario) -> int:
    """How many pieces the players of a scenario add, both sides together."""
    return sum(placement.number * (2 if placement.by == "both" else 1) for placement in scenario.placements)


def kinds_allowed(placement: Placement) -> tuple[str, ...]:
    """Kinds that may be drawn. Clear ground is what lies between the pieces, so it is none itself."""
    return tuple(
        terrain.key
        for terrain in TERRAINS
        if terrain.key in BAG
        and (not placement.allowed or terrain.key in placement.allowed)
        and terrain.key not in placement.forbidden
    )


def kept_free(scenario: Scenario) -> tuple[Shape, ...]:
    """Where an army lines up: strips along an edge and rings around the middle. Broad zones may hold terrain."""
    return tuple(zone.shape for zone in scenario.zones if _narrow(zone))


def _narrow(zone: Zone) -> bool:
    shape = zone.shape
    match shape.kind:
        case "circle":
            return True
        case "frame":
            return shape.width <= EDGE
        case _:
            return min(shape.width, shape.height) <= EDGE


def distance(x: float, y: float, shape: Shape) -> float:
    """From a point to the rim of a figure; nothing inside it. A frame is measured from within the table."""
    match shape.kind:
        case "circle":
            return max(0.0, hypot(x - shape.x, y - shape.y) - shape.radius)
        case "frame":
            return max(0.0, min(x, y, TABLE - x, TABLE - y) - shape.width)
        case _:
            aside = max(shape.x - x, 0.0, x - shape.x - shape.width)
            above = max(shape.y - y, 0.0, y - shape.y - shape.height)
            return hypot(aside, above)


def inside(x: float, y: float, areas: Sequence[Shape]) -> bool:
    """Whether a whole piece lies in one of these rectangles."""
    return any(
        area.x + RADIUS <= x <= area.x + area.width - RADIUS and area.y + RADIUS <= y <= area.y + area.height - RADIUS
        for area in areas
    )


def clearance(scenario: Scenario) -> float:
    """How far a piece stays from the scenario's own ground: from a castle farther than from anything else (SIEGE-01)."""
    return float(TERRAIN_FROM_CASTLE) if scenario.key == "siege" else GAP


def has_room(x: float, y: float, scenario: Scenario, placement: Placement) -> bool:
    """Whether a piece may lie here, whatever the dice have put down already."""
    return (
        inside(x, y, placement.areas)
        and all(distance(x, y, shape) >= RADIUS - _NEARLY for shape in kept_free(scenario))
        and all(_clear_of(x, y, piece, clearance(scenario)) for piece in scenario.pieces)
    )


def _clear_of(x: float, y: float, piece: Piece, gap: float) -> bool:
    return distance(x, y, piece.shape) >= RADIUS + gap - _NEARLY


def _half_table() -> Iterator[Point]:
    """The southern half, a point for each half inch; the northern one follows by a half turn."""
    middle = TABLE * STEP // 2
    for row in range(middle + 1):
        for column in range(TABLE * STEP + 1):
            if row < middle or column < middle:
                yield column / STEP, row / STEP


def _apart(one: Point, other: Point) -> float:
    return hypot(one[0] - other[0], one[1] - other[1])


def _turned(point: Point) -> Point:
    return TABLE - point[0], TABLE - point[1]


@lru_cache(maxsize=len(SCENARIOS))
def _room(scenario: Scenario) -> tuple[Point, ...]:
    """Every place in the southern half where a piece and its twin may lie on a table that is still bare."""
    placement = scenario.placements[0]
    return tuple(
        point
        for point in _half_table()
        if has_room(*point, scenario, placement)
        and has_room(*_turned(point), scenario, placement)
        and _apart(point, _turned(point)) >= PIECE + GAP
    )


def lay_out(scenario: Scenario, dice: Dice) -> Layout:
    """Terrain for a scenario from a stream of dice: the same stream, the same ground, for ever."""
    placement = scenario.placements[0]
    number = pieces_to_place(scenario) // 2
    bag = [kind for kind in kinds_allowed(placement) for _ in range(BAG[kind])]
    room = _room(scenario)
    for beginning in range(BEGINNINGS):
        stream = dice.child(f"ground/1/{beginning}")
        kinds = stream.shuffled(bag)[:number]
        places = _places(room, number, stream)
        if len(places) == number:
            pairs = tuple(
                Pair(at + 1, kind, *place) for at, (kind, place) in enumerate(zip(kinds, places, strict=True))
            )
            by = ("A", "B") if placement.by == "both" else (placement.by,)
            return Layout(pairs, by)
    raise AssertionError(f"no room for the terrain of {scenario.name}")


def _places(room: Sequence[Point], number: int, stream: Dice) -> list[Point]:
    """A place for each pair, or fewer where the room has run out."""
    taken: list[Point] = []
    while room and len(taken) < number:
        some = [stream.choice(room) for _ in range(TRIES)]
        place = max(some, key=lambda point: _nearest(point, taken))
        taken.append(place)
        room = [
            point
            for point in room
            if _apart(point, place) >= PIECE + GAP and _apart(point, _turned(place)) >= PIECE + GAP
        ]
    return taken


def _nearest(point: Point, taken: Sequence[Point]) -> float:
    """How far it is to the nearest piece that lies there already, its twin included."""
    others = (*taken, *map(_turned, taken), _turned(point))
    return min(_apart(point, other) for other in others)
