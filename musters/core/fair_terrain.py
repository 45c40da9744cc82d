"""Fair random terrain: each piece has a twin, half a turn around the middle of the table."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import hypot
from typing import Annotated

from chance import Dice
from rulebook.battle.castle import TERRAIN_FROM_CASTLE
from rulebook.data.battlefield import TERRAIN, TERRAINS, Terrain
from rulebook.data.scenarios import EDGE, PIECE, SCENARIOS, TABLE, Piece, Placement, Scenario, Shape, Zone

FAIRNESS_NOTE = "Every piece has a twin on the opposite side, so both players see the same table from their own edge."
GAP = 2.0  # between two pieces, so that every unit can pass
RADIUS = PIECE / 2
# Pieces lie on a half-inch grid, easy to measure.
STEP = 2
# How often each kind is in the bag that pairs are drawn from.
BAG = {
    "mound": 2,
    "tall_patch": 2,
    "barrier": 2,
    "bad_goings": 2,
    "fortress": 1,
    "obstacle": 1,
    "building": 1,
    "impassable": 1,
}
# Try this many places and take the one farthest from all others.
TRIES = 3
# A layout without room for its last pair starts again; one in twenty does among the hills.
MAX_ATTEMPTS = 60
_NEARLY = 1e-9

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class TerrainPiece:
    """One piece on the table. Twins share the ``number`` of their pair."""

    number: Annotated[int, "Number of its pair."]
    terrain: str
    x: Annotated[float, "Centre, in inches from the south-west corner."]
    y: float

    @property
    def shape(self) -> Shape:
        return Shape("circle", self.x, self.y, radius=RADIUS)

    @property
    def kind(self) -> Terrain:
        return TERRAIN[self.terrain]


@dataclass(frozen=True, slots=True)
class TerrainPair:
    """Two twins, both ``right`` and ``up`` inches from the left-hand corner of a player's own edge."""

    number: int
    terrain: str
    right: Annotated[float, "Inches from the left-hand corner of your own edge; the same for both sides."]
    up: float

    @property
    def kind(self) -> Terrain:
        return TERRAIN[self.terrain]

    @property
    def pieces(self) -> tuple[TerrainPiece, TerrainPiece]:
        """The southern piece, then the northern one."""
        return (
            TerrainPiece(self.number, self.terrain, self.right, self.up),
            TerrainPiece(self.number, self.terrain, TABLE - self.right, TABLE - self.up),
        )


@dataclass(frozen=True, slots=True)
class Layout:
    pairs: tuple[TerrainPair, ...]
    placed_by: tuple[str, ...]  # the sides that place these pieces

    @property
    def pieces(self) -> tuple[TerrainPiece, ...]:
        return tuple(piece for pair in self.pairs for piece in pair.pieces)


def pieces_to_place(scenario: Scenario) -> int:
    return sum(placement.number * (2 if placement.by == "both" else 1) for placement in scenario.placements)


def kinds_allowed(placement: Placement) -> tuple[str, ...]:
    return tuple(
        terrain.key
        for terrain in TERRAINS
        if terrain.key in BAG
        and (not placement.allowed or terrain.key in placement.allowed)
        and terrain.key not in placement.forbidden
    )


def areas_kept_free(scenario: Scenario) -> tuple[Shape, ...]:
    """Narrow deployment zones. Broad zones can hold terrain."""
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
    """Distance from a point to the edge of a shape; 0 inside it."""
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
    """How far a piece must be from the scenario's own terrain (castle: SIEGE-01)."""
    return float(TERRAIN_FROM_CASTLE) if scenario.is_siege else GAP


def has_room(x: float, y: float, scenario: Scenario, placement: Placement) -> bool:
    return (
        inside(x, y, placement.areas)
        and all(distance(x, y, shape) >= RADIUS - _NEARLY for shape in areas_kept_free(scenario))
        and all(_clear_of(x, y, piece, clearance(scenario)) for piece in scenario.pieces)
    )


def _clear_of(x: float, y: float, piece: Piece, gap: float) -> bool:
    return distance(x, y, piece.shape) >= RADIUS + gap - _NEARLY


def _half_table() -> Iterator[Point]:
    """The southern half of the table in half-inch steps."""
    middle = TABLE * STEP // 2
    for row in range(middle + 1):
        for column in range(TABLE * STEP + 1):
            if row < middle or column < middle:
                yield column / STEP, row / STEP


def _distance_between(one: Point, other: Point) -> float:
    return hypot(one[0] - other[0], one[1] - other[1])


def _opposite(point: Point) -> Point:
    return TABLE - point[0], TABLE - point[1]


@lru_cache(maxsize=len(SCENARIOS))
def _room(scenario: Scenario) -> tuple[Point, ...]:
    """Every place in the southern half where a piece and its twin fit on an empty table."""
    placement = scenario.placements[0]
    return tuple(
        point
        for point in _half_table()
        if has_room(*point, scenario, placement)
        and has_room(*_opposite(point), scenario, placement)
        and _distance_between(point, _opposite(point)) >= PIECE + GAP
    )


def lay_out_terrain(scenario: Scenario, dice: Dice) -> Layout:
    """Terrain for a scenario. The same dice must always give the same layout."""
    placement = scenario.placements[0]
    number = pieces_to_place(scenario) // 2
    bag = [kind for kind in kinds_allowed(placement) for _ in range(BAG[kind])]
    room = _room(scenario)
    for beginning in range(MAX_ATTEMPTS):
        stream = dice.child(f"ground/1/{beginning}")
        kinds = stream.shuffled(bag)[:number]
        places = _places(room, number, stream)
        if len(places) == number:
            pairs = tuple(
                TerrainPair(at + 1, kind, *place) for at, (kind, place) in enumerate(zip(kinds, places, strict=True))
            )
            by = ("A", "B") if placement.by == "both" else (placement.by,)
            return Layout(pairs, by)
    raise AssertionError(f"no room for the terrain of {scenario.name}")


def _places(room: Sequence[Point], number: int, stream: Dice) -> list[Point]:
    """A place for each pair; fewer if there is no room."""
    taken: list[Point] = []
    while room and len(taken) < number:
        some = [stream.choice(room) for _ in range(TRIES)]
        place = max(some, key=lambda point: _nearest(point, taken))
        taken.append(place)
        room = [
            point
            for point in room
            if _distance_between(point, place) >= PIECE + GAP
            and _distance_between(point, _opposite(place)) >= PIECE + GAP
        ]
    return taken


def _nearest(point: Point, taken: Sequence[Point]) -> float:
    """Distance to the nearest placed piece, including its own twin."""
    others = (*taken, *map(_opposite, taken), _opposite(point))
    return min(_distance_between(point, other) for other in others)
