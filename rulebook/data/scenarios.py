"""The ten scenarios and the siege: set-up, length, sides, victory, VP, and the terrain as data to draw.

Inches on a table of 24 by 24, counted from the south-west corner: x to the east, y to the north. Where the high roller
chooses an edge, the drawing shows side A in the south.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import cos, hypot, radians, sin
from typing import Literal, TypeVar

from dataclass_json import PageOnly
from refusal import Refusal
from rulebook.data.house_rules import BY_THE_BOOK, Options
from rulebook.data.rule_texts import Rule
from rulebook.data.scenario_goals import (
    DRAW,
    AloneInCastle,
    Ending,
    Escapes,
    HeldAtEnd,
    HeldEachRound,
    HoldsAfterKills,
    SetAblaze,
    StandsAtEnd,
    Track,
    defeat_endings,
)
from rulebook.input_checks import check_d10, look_up
from text import join_list

TABLE = 24
CENTRE = 12.0
PIECE = 3.0
# The book deploys "along the edge" and gives no depth; the drawings take this much.
EDGE = 2.0
AFTERMATH_APART = 4
# About what a unit takes up; the book only says that a unit comes as close as it can.
UNIT_ROOM = 2

# A battle has side A and side B, in every module. The attacker of a siege is side A.
SideKey = Literal["A", "B"]
SIDES: tuple[SideKey, SideKey] = ("A", "B")
SideOrBoth = Literal["A", "B", "both"]
VpKey = Literal["kill", "win", "crossing", "escape", "mound", "building"]
T = TypeVar("T", bound=Track)


def opposite_side(side: str) -> SideKey:
    return "B" if side == "A" else "A"


@dataclass(frozen=True, slots=True)
class Shape:
    """A figure on the table. ``x`` and ``y`` are the centre of a circle, the lower left corner of anything else."""

    kind: Literal["rect", "circle", "frame"]
    x: float = 0.0
    y: float = 0.0
    width: float = 0.0  # of a frame: how deep it runs in from all four edges
    height: float = 0.0
    radius: float = 0.0


def _rect(x: float, y: float, width: float, height: float) -> Shape:
    return Shape("rect", x, y, width, height)


def _circle(x: float, y: float, radius: float) -> Shape:
    return Shape("circle", x, y, radius=radius)


SOUTH_EDGE = _rect(0, 0, TABLE, EDGE)
NORTH_EDGE = _rect(0, TABLE - EDGE, TABLE, EDGE)
ANY_EDGE = Shape("frame", width=EDGE)
WHOLE_TABLE = _rect(0, 0, TABLE, TABLE)


@dataclass(frozen=True, slots=True)
class Piece:
    """Ground the scenario itself puts on the table."""

    key: str
    name: str
    terrain: str
    shape: Shape
    objective: bool = False


@dataclass(frozen=True, slots=True)
class Placement:
    """Terrain the players add."""

    by: SideOrBoth
    number: int  # by each, where both place
    allowed: tuple[str, ...]  # terrain keys; empty means any
    forbidden: tuple[str, ...]
    where: str
    areas: tuple[Shape, ...] = (WHOLE_TABLE,)


@dataclass(frozen=True, slots=True)
class Zone:
    """Where a side deploys, and where its fleeing units run."""

    side: SideKey
    shape: Shape
    text: str
    flees: Literal["own edge", "nearest edge", "far edge"] = "own edge"


@dataclass(frozen=True, slots=True)
class VpAward:
    key: VpKey
    side: SideOrBoth
    vp: int
    text: str


@dataclass(frozen=True, slots=True)
class Side:
    key: SideKey
    name: str
    wins: str


@dataclass(frozen=True, slots=True)
class Scenario:
    roll: int | None  # the siege is not rolled
    key: str
    name: str
    text: str
    equal: bool  # both sides have the same task
    sides: tuple[Side, Side]
    setup: tuple[str, ...]
    pieces: tuple[Piece, ...]
    placements: tuple[Placement, ...]
    zones: tuple[Zone, ...]
    roll_offs: tuple[str, ...]
    rounds: int | None
    first_turn: SideKey | None
    vp: tuple[VpAward, ...]
    rules: tuple[str, ...]
    # How it is played, which the printed row does not say and answers do not show.
    tracks: PageOnly[tuple[Track, ...]] = ()
    in_story: PageOnly[str] = ""  # its name with an article; in quotes without one
    many_armies: PageOnly[bool] = False  # more than two can meet (SCEN-01)
    placed_by_dice: PageOnly[bool] = False  # where each unit stands (SCEN-08)

    @property
    def is_siege(self) -> bool:
        return self.track(AloneInCastle) is not None

    @property
    def length(self) -> str:
        return f"{self.rounds} rounds" if self.rounds else "until decided"

    @property
    def objectives(self) -> tuple[Piece, ...]:
        return tuple(piece for piece in self.pieces if piece.objective)

    def zone(self, side: str) -> Zone:
        return next(zone for zone in self.zones if zone.side == side)

    def track(self, way: type[T]) -> T | None:
        return next((track for track in self.tracks if isinstance(track, way)), None)

    def pays(self, key: str, side: str) -> int:
        """VP of a line for a side; 0 if the list does not have it."""
        return sum(line.vp for line in self.vp if line.key == key and line.side in (side, "both"))


def _ring(
    key: str, name: str, terrain: str, number: int, radius: float, start: float, across: float
) -> tuple[Piece, ...]:
    """Pieces in a circle around the centre."""
    pieces = []
    for index in range(number):
        angle = radians(start + index * 360 / number)
        x, y = round(CENTRE + radius * cos(angle), 2), round(CENTRE + radius * sin(angle), 2)
        pieces.append(Piece(f"{key}_{index + 1}", f"{name} {index + 1}", terrain, _circle(x, y, across / 2)))
    return tuple(pieces)


def _castle() -> tuple[Piece, ...]:
    """Three by three pieces, the courtyard in the middle and the gate to the south."""
    names = {
        (0, 2): ("tower_nw", "North-west tower"),
        (1, 2): ("battlement_n", "North battlement"),
        (2, 2): ("tower_ne", "North-east tower"),
        (0, 1): ("battlement_w", "West battlement"),
        (1, 1): ("courtyard", "Courtyard"),
        (2, 1): ("battlement_e", "East battlement"),
        (0, 0): ("tower_sw", "South-west tower"),
        (1, 0): ("gatehouse", "Gatehouse"),
        (2, 0): ("tower_se", "South-east tower"),
    }
    corner = CENTRE - 1.5 * PIECE
    return tuple(
        Piece(
            key,
            name,
            "clear" if key == "courtyard" else "fortress",
            _rect(corner + column * PIECE, corner + row * PIECE, PIECE, PIECE),
            key != "courtyard",
        )
        for (column, row), (key, name) in names.items()
    )


def _equal(wins: str) -> tuple[Side, Side]:
    return Side("A", "One side", wins), Side("B", "The other side", wins)


KILL = VpAward("kill", "both", 1, "for each enemy unit removed from play")
WIN = VpAward("win", "both", 2, "for winning the battle")
BEAT = "Destroy or rout the enemy, or make them yield."
FACING = (Zone("A", SOUTH_EDGE, "Along the chosen edge."), Zone("B", NORTH_EDGE, "Along the opposite edge."))
EDGE_ROLL = "Roll off: the winner chooses an edge, the other side takes the opposite one."
SIDE_ROLL = "Roll off: the winner chooses side A or side B."
NO_FORTRESS = ("fortress",)

# fmt: off
SCENARIOS: tuple[Scenario, ...] = (
    Scenario(
        1, "pitched_battle", "Pitched Battle",
        "Two armies meet in the open and fight until one is gone or gives up. "
        "If you yield, your units still on the table are not scored.",
        True, _equal(BEAT),
        (
            "Take turns to place 4 pieces of terrain each.",
            EDGE_ROLL,
            "With more than two armies, choose edges in the order of the rolls, highest first.",
            "Deploy one unit at a time along your own edge.",
        ),
        (), (Placement("both", 4, (), (), "anywhere, taking turns"),),
        FACING, (EDGE_ROLL,), None, None, (KILL, WIN), ("SCEN-01", "SCEN-11"),
        in_story="a Pitched Battle", many_armies=True,
    ),
    Scenario(
        2, "last_stand", "Last Stand",
        "Side A is caught in a farmstead and must hold out until help arrives.",
        False,
        (
            Side("A", "The besieged", "Have a unit on the table after 6 rounds that is not fleeing."),
            Side("B", "The attackers", "Leave side A with no such unit."),
        ),
        (
            SIDE_ROLL,
            'Side A puts a hovel or barn in the middle and 6 barriers around it, 4" out.',
            "Side B places 4 pieces anywhere else, but no fortress.",
            "Side A deploys inside its ring of barriers, side B along any edges.",
        ),
        (Piece("homestead", "Homestead", "building", _circle(CENTRE, CENTRE, PIECE / 2)),
         *_ring("barrier", "Barrier", "barrier", 6, 4, 30, PIECE)),
        (Placement("B", 4, (), NO_FORTRESS, "anywhere outside the homestead"),),
        (
            Zone("A", _circle(CENTRE, CENTRE, 4), "Inside the ring of barriers.", "nearest edge"),
            Zone("B", ANY_EDGE, "Along one or more edges."),
        ),
        (SIDE_ROLL,), 6, None, (KILL, WIN), ("SCEN-02", "R-50", "R-98"),
        tracks=(StandsAtEnd(),), in_story="a Last Stand",
    ),
    Scenario(
        3, "secure_the_crossing", "Secure the Crossing",
        "Two vanguards race for the crossings of a stream. "
        "The side that holds more of them opens the way for its army.",
        True,
        _equal("Hold more crossings than the enemy after 6 rounds. An army that is destroyed, routed or yields loses."),
        (
            "A stream runs from east to west through the middle.",
            'A bridge crosses it in the centre, with a ford 8" away on each side.',
            "Each side places 3 pieces anywhere else.",
            "Roll off: the winner chooses the north or south edge, the other side takes the other.",
        ),
        (
            Piece("stream", "Stream", "impassable", _rect(0, CENTRE - PIECE / 2, TABLE, PIECE)),
            Piece("west_ford", "West ford", "bad_goings", _circle(CENTRE - 8, CENTRE, PIECE / 2), True),
            Piece("bridge", "Bridge", "clear", _circle(CENTRE, CENTRE, PIECE / 2), True),
            Piece("east_ford", "East ford", "bad_goings", _circle(CENTRE + 8, CENTRE, PIECE / 2), True),
        ),
        (Placement("both", 3, (), (), "anywhere else"),),
        FACING, ("Roll off: the winner chooses the north or south edge.",), 6, None,
        (
            KILL,
            VpAward("crossing", "both", 1, "for each crossing occupied at the end"),
            VpAward("win", "both", 2, "for holding more crossings than the enemy"),
        ),
        ("SCEN-03", "R-63", "R-67"),
        tracks=(HeldAtEnd("crossing", "crossings", 3),),
    ),
    Scenario(
        4, "break_free", "Break Free",
        "Side A comes home from a raid and finds side B blocking the road. It has to break through.",
        False,
        (
            Side("A", "The raiders",
                 "Get at least one unit off the far edge. Fleeing units run that way too and count."),
            Side("B", "The blockers", "Let none escape."),
        ),
        (
            SIDE_ROLL,
            "Side B places 6 pieces anywhere, but no fortress.",
            'Side A deploys on one edge, side B up to 8" in from the opposite one.',
        ),
        (), (Placement("B", 6, (), NO_FORTRESS, "anywhere"),),
        (
            Zone("A", SOUTH_EDGE, "Along one edge.", "far edge"),
            Zone("B", _rect(0, TABLE - 8, TABLE, 8), 'Up to 8" in from the opposite edge.'),
        ),
        (SIDE_ROLL,), None, None,
        (
            VpAward("escape", "A", 1, "for each of its units that escapes"),
            VpAward("kill", "B", 1, "for each enemy unit removed from play"),
        ),
        ("SCEN-04", "FLEE-08", "R-60", "R-61"),
        tracks=(Escapes("escape", "units"),),
    ),
    Scenario(
        5, "surrounded", "Surrounded",
        "Side A has marched too far and is surrounded.",
        False, (Side("A", "The surrounded", BEAT), Side("B", "The hunters", BEAT)),
        (
            "Each side places 4 pieces anywhere.",
            SIDE_ROLL,
            'Side A deploys within 4" of the centre, side B along any edges.',
        ),
        (), (Placement("both", 4, (), (), "anywhere"),),
        (
            Zone("A", _circle(CENTRE, CENTRE, 4), 'Within 4" of the centre.', "nearest edge"),
            Zone("B", ANY_EDGE, "Along one or more edges."),
        ),
        (SIDE_ROLL,), None, None, (KILL, WIN), ("SCEN-05", "R-50"),
    ),
    Scenario(
        6, "take_the_fortress", "Take the Fortress",
        "An empty fortress of the old empire stands between two kingdoms. Both want it.",
        True, _equal("Remove 3 enemy units and occupy the fortress; this ends the battle at once. "
                     "Destroying or routing the enemy, or making them yield, wins too."),
        ("A fortress stands in the centre.", "Each side places 4 pieces anywhere, but no further fortress.", EDGE_ROLL),
        (Piece("fortress", "Fortress", "fortress", _circle(CENTRE, CENTRE, PIECE / 2), True),),
        (Placement("both", 4, (), NO_FORTRESS, "anywhere"),),
        FACING, (EDGE_ROLL,), None, None, (KILL, VpAward("win", "both", 3, "for winning the battle")),
        ("SCEN-06", "R-64", "R-67"),
        tracks=(HoldsAfterKills(place="fortress", kills=3),),
    ),
    Scenario(
        7, "ambush", "Ambush",
        "Side A marches down a valley, not knowing that side B lies in wait on both slopes.",
        False, (Side("A", "The marchers", BEAT), Side("B", "The ambushers", BEAT)),
        (
            SIDE_ROLL,
            "A path runs from north to south through the middle.",
            'Side B places 6 tall patches, mounds or obstacles within 8" of the east and west edges.',
            "Side A deploys anywhere on the path.",
            "Side B deploys anywhere out of sight: inside tall patches, or behind a mound or obstacle.",
            "Side B goes first.",
        ),
        (Piece("path", "Path", "clear", _rect(CENTRE - PIECE / 2, 0, PIECE, TABLE)),),
        (
            Placement("B", 6, ("tall_patch", "mound", "obstacle"), (), 'within 8" of the east or west edge',
                      (_rect(0, 0, 8, TABLE), _rect(TABLE - 8, 0, 8, TABLE))),
        ),
        (
            Zone("A", _rect(CENTRE - PIECE / 2, 0, PIECE, TABLE), "On the path.", "nearest edge"),
            Zone("B", WHOLE_TABLE, "Anywhere hidden.", "nearest edge"),
        ),
        (SIDE_ROLL,), None, "B", (KILL, WIN), ("SCEN-07", "R-50"),
    ),
    Scenario(
        8, "aftermath", "Aftermath",
        "The great battle is over and scattered bands blunder into each other among the fallen. "
        "You need a tape measure.",
        True, _equal(BEAT),
        (
            "Each side places 4 pieces anywhere.",
            "Roll off: the winner chooses a side of the table.",
            "Take turns to place units: from the lower left corner of your side, "
            'go 2d10+1" up, then 2d10+1" to the right.',
            'If a unit is closer than 4" to an enemy, move it just far enough away.',
        ),
        (), (Placement("both", 4, (), (), "anywhere"),),
        (
            Zone("A", _rect(3, 3, 18, 18), '3" to 21" up and across, by dice.'),
            Zone("B", _rect(3, 3, 18, 18), '3" to 21" up and across, by dice, seen from the other side.'),
        ),
        ("Roll off: the winner chooses a side of the table.",), None, None, (KILL, WIN), ("SCEN-08",),
        placed_by_dice=True,
    ),
    Scenario(
        9, "hold_the_hills", "Hold the Hills",
        "Three tall mounds command the Mole Hills. Every round on top of one counts.",
        True, _equal("Destroy or rout the enemy: the surviving side wins. VP come only from the mounds."),
        (
            'Place three extra tall mounds: one in the centre, one 8" east of it and one 8" west of it.',
            "Each side places 4 mounds, tall patches or bad goings anywhere else.",
            EDGE_ROLL,
        ),
        (
            Piece("west_mound", "West mound", "mound", _circle(CENTRE - 8, CENTRE, PIECE / 2), True),
            Piece("centre_mound", "Centre mound", "mound", _circle(CENTRE, CENTRE, PIECE / 2), True),
            Piece("east_mound", "East mound", "mound", _circle(CENTRE + 8, CENTRE, PIECE / 2), True),
        ),
        (Placement("both", 4, ("mound", "tall_patch", "bad_goings"), (), "anywhere else"),),
        FACING, (EDGE_ROLL,), None, None,
        (VpAward("mound", "both", 1, "for each tall mound held at the end of each round"),),
        ("SCEN-09", "R-62", "R-67"),
        tracks=(HeldEachRound("mound", "mounds", 3, "tall mounds"),),
    ),
    Scenario(
        10, "chevauchee", "Chevauchee",
        "Side A burns a village; side B hurries to save it.",
        False,
        (
            Side("A", "The raiders", "Set all 4 buildings ablaze."),
            Side("B", "The rescuers", "Destroy or rout the raiders."),
        ),
        (
            SIDE_ROLL,
            'Four buildings stand in a circle, about 8" from the centre.',
            "Each side places 4 pieces anywhere else, but no building and no fortress.",
            EDGE_ROLL,
            "A unit next to a building can attack it to set it on fire: "
            "AC 5, no saves, ablaze after 2 wounds. Not while it is in melee, and not with an enemy inside.",
        ),
        tuple(Piece(p.key, p.name, p.terrain, p.shape, True)
              for p in _ring("building", "Building", "building", 4, 8, 45, PIECE)),
        (Placement("both", 4, (), ("building", "fortress"), "anywhere else"),),
        FACING, (SIDE_ROLL, EDGE_ROLL), None, None,
        (
            VpAward("building", "A", 1, "for each building ablaze"),
            VpAward("kill", "B", 1, "for each enemy unit removed from play"),
            WIN,
        ),
        ("SCEN-10", "R-65", "R-93", "R-101"),
        tracks=(SetAblaze("building", "buildings", 4),), in_story="a Chevauchee",
    ),
    Scenario(
        None, "siege", "The Siege",
        "The last battle of a campaign: the attacker storms the castle. "
        "If it falls, its King is out. If it holds, the war goes on.",
        False,
        (
            Side("A", "The attacker", "Take the castle: every defender removed or routed, or the defender yields."),
            Side("B", "The defender", "Beat off the attack."),
        ),
        (
            "The castle stands in the centre: 4 towers, 3 battlements and a gatehouse around a courtyard.",
            'The defender places 6 pieces at least 4" from the castle, but no fortress. '
            "Every third piece of a river needs a ford or bridge.",
            "The defender chooses two battlements for the vats of cheese sauce "
            "and sets 2 garrison Ballistae on towers.",
            'The defender deploys anywhere, the attacker within 4" of any edge with 2 extra Cat-non.',
        ),
        _castle(),
        (Placement("B", 6, (), NO_FORTRESS, 'at least 4" from the castle'),),
        (
            Zone("A", Shape("frame", width=4), 'Within 4" of any edge.'),
            Zone("B", WHOLE_TABLE, "Anywhere; usually in the castle.", "nearest edge"),
        ),
        (), None, None, (KILL, WIN), ("SIEGE-01", "SIEGE-03", "SIEGE-15", "R-50"),
        tracks=(AloneInCastle(place="castle"),), in_story="a siege",
    ),
)
# fmt: on

SCENARIO: dict[str, Scenario] = {scenario.key: scenario for scenario in SCENARIOS}

# fmt: off
SCENARIO_RULES: tuple[Rule, ...] = (
    Rule("which", "Which scenario",
         "A siege has its own scenario. Any other battle is a Pitched Battle, or one of the ten by d10 or choice.",
         ("CAMP-07",)),
    Rule("roll_offs", "Roll-offs", "Each side rolls a d10. The higher chooses; ties roll again.", ("SCEN-11",)),
    Rule("vp", "Which points count", "The scenario's VP list replaces the general one.", ("SCEN-12", "VP-02", "R-53")),
    Rule("objectives", "Holding an objective",
         "A unit holds the piece it occupies. A fleeing unit holds nothing.", ("R-67",)),
)
# fmt: on


def scenario_of(key: object) -> Scenario:
    return look_up(key, SCENARIO, "scenario")


def is_siege(key: object) -> bool:
    """Whether this is the key of the siege; it may be any text."""
    return key in SCENARIO and scenario_of(key).is_siege


def allows_many_armies(key: object) -> bool:
    """Whether more than two armies can meet in it."""
    return key in SCENARIO and scenario_of(key).many_armies


def scenarios_with(way: type[Track]) -> str:
    return join_list([scenario.name for scenario in SCENARIOS if scenario.track(way)])


@cache
def endings_of(key: str, options: Options = BY_THE_BOOK) -> tuple[Ending, ...]:
    """How a battle of this scenario can end: by its goal, by force of arms, as a draw."""
    scenario = scenario_of(key)
    by_goal = [ending for track in scenario.tracks for ending in track.endings(scenario.rounds, options)]
    impossible = {ending for track in scenario.tracks for ending in track.impossible}
    by_arms = (*defeat_endings("B", options), *defeat_endings("A", options))
    return (*by_goal, *(ending for ending in by_arms if ending.key not in impossible), DRAW)


def find_ending(scenario: str, key: str, options: Options = BY_THE_BOOK) -> Ending | None:
    return next((ending for ending in endings_of(scenario, options) if ending.key == key), None)


def scenario_for_roll(roll: int) -> Scenario:
    return SCENARIOS[check_d10(roll, "scenario roll") - 1]


Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class AftermathSpot:
    x: int
    y: int
    up: int
    right: int
    too_close: tuple[Point, ...]  # enemies nearer than 4"
    stands: Point  # the same place, or the nearest that is free
    text: str

    @property
    def moved(self) -> bool:
        return self.stands != (self.x, self.y)


def aftermath_spot(
    side: SideKey, up: Sequence[int], right: Sequence[int], enemies: Sequence[Point] = (), friends: Sequence[Point] = ()
) -> AftermathSpot:
    """Where the dice put a unit in Aftermath: 2d10+1 up, 2d10+1 right, from the corner at one's own left hand.

    If an enemy is nearer than 4" or a friend is in the way, it goes as close to that spot as it can.
    """
    if side not in ("A", "B"):
        raise Refusal(f"There is no side {side}. Choose A or B.", field="side")
    for name, faces in (("up", up), ("right", right)):
        if len(faces) != 2:
            raise Refusal(f"Roll 2 dice to go {name}, not {len(faces)}.", field=name)
        for face in faces:
            check_d10(face, f"die going {name}")
    ahead, across = sum(up) + 1, sum(right) + 1
    x, y = _seen_from(side, across, ahead)
    close = tuple((ex, ey) for ex, ey in enemies if hypot(ex - x, ey - y) < AFTERMATH_APART)
    stands = _nearest_free((x, y), enemies, friends)
    text = f'{ahead}" up and {across}" to the right.'
    if stands != (x, y):
        why = f'an enemy is closer than {AFTERMATH_APART}"' if close else "a friend is in the way"
        along, on = _seen_from(side, *stands)
        text += f' But {why}: the nearest free spot is {_halves(on)}" up and {_halves(along)}" to the right.'
    return AftermathSpot(int(x), int(y), ahead, across, close, stands, text)


def _halves(number: float) -> str:
    return f"{int(number)}½" if number % 1 else str(int(number))


def _seen_from(side: SideKey, x: float, y: float) -> Point:
    """Side B measures from the opposite corner."""
    return (x, y) if side == "A" else (TABLE - x, TABLE - y)


def _nearest_free(point: Point, enemies: Sequence[Point], friends: Sequence[Point]) -> Point:
    for dx, dy in _half_inch_steps():
        x, y = point[0] + dx, point[1] + dy
        if not (1 <= x <= TABLE - 1 and 1 <= y <= TABLE - 1):
            continue
        if all(hypot(ex - x, ey - y) >= AFTERMATH_APART for ex, ey in enemies) and all(
            hypot(fx - x, fy - y) >= UNIT_ROOM for fx, fy in friends
        ):
            return x, y
    return point


@cache
def _half_inch_steps() -> tuple[Point, ...]:
    """Half inches in every direction, the nearest first."""
    reach = [half / 2 for half in range(-2 * TABLE, 2 * TABLE + 1)]
    return tuple(sorted(((dx, dy) for dx in reach for dy in reach), key=lambda step: (hypot(*step), step)))
