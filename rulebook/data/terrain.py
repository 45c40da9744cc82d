"""The nine kinds of terrain: who can enter, what it stops, hides and covers."""

from __future__ import annotations

from dataclasses import dataclass

from refusal import Refusal
from rulebook.basics.input_checks import look_up
from rulebook.data.text_rule import Rule
from rulebook.data.units import Unit


@dataclass(frozen=True, slots=True)
class Terrain:
    key: str
    name: str
    examples: str
    enterable: bool
    stops: bool
    blocks_sight: bool
    high: bool  # an occupant attacks with an [A]
    covers: bool  # attacking an occupant is a [D]
    hinders: bool  # an occupant has a [D] on its own Q rolls
    hides: bool  # an occupant cannot be shot at
    sees_over: bool  # an occupant sees over units and barriers
    text: str
    rules: tuple[str, ...]


# fmt: off
TERRAINS: tuple[Terrain, ...] = (
    #       key           name                  examples
    #       enter  stops  blocks high   covers hinders hides  sees over
    Terrain("clear",      "Clear terrain",      "short grass, dirt, paths, bridges",
            True,  False, False, False, False, False,  False, False,
            "No effect.", ("TERRAIN-05", "TERRAIN-15")),
    Terrain("mound",      "Mound",              "hills, molehills",
            True,  False, True,  True,  False, False,  False, True,
            "Blocks sight. A unit on top attacks lower ground with an [A] and sees over units and barriers.",
            ("TERRAIN-06", "R-19")),
    Terrain("tall_patch", "Tall patch",         "flowers, weeds, briars",
            True,  True,  True,  False, True,  False,  False, False,
            "Ends the move of a unit that enters and blocks sight. Attacking a unit inside is a [D].", ("TERRAIN-07",)),
    Terrain("barrier",    "Barrier",            "hedges, fences, low walls, small rocks",
            True,  True,  False, False, True,  False,  False, False,
            "Ends the move of a unit that enters but does not block sight. Attacking a unit behind it is a [D].",
            ("TERRAIN-08", "R-52")),
    Terrain("bad_goings", "Bad goings",         "broken land, swamps, fords, rubble",
            True,  True,  False, False, False, True,   False, False,
            "Ends the move of a unit that enters. Inside, its own Q rolls have a [D]: hits, saves and morale.",
            ("TERRAIN-09", "TERRAIN-15", "R-18")),
    Terrain("fortress",   "Fortress",           "walled areas, towers, battlements",
            True,  True,  True,  True,  True,  False,  False, True,
            "Ends the move of a unit that enters and blocks sight. "
            "The unit inside attacks with an [A] and is attacked with a [D], except within one castle. "
            "It sees over units and barriers. Mounted units cannot climb a tower or battlement.",
            ("TERRAIN-10", "TERRAIN-14", "R-20")),
    Terrain("obstacle",   "Obstacle",           "large rocks, closed buildings",
            False, False, True,  False, False, False,  False, False,
            "Nobody can enter it, and it blocks sight.", ("TERRAIN-11",)),
    Terrain("building",   "Building",           "houses, barns and hovels that can be entered",
            True,  True,  True,  False, True,  False,  True,  False,
            "Ends the move of a unit that enters and blocks sight. "
            "The unit inside cannot be shot at, and attacking it is a [D].", ("TERRAIN-12",)),
    Terrain("impassable", "Impassable terrain", "deep streams, puddles, holes, chasms",
            False, False, False, False, False, False,  False, False,
            "Nobody can cross it, but you can see and shoot over it.", ("TERRAIN-13",)),
)
# fmt: on

TERRAIN: dict[str, Terrain] = {terrain.key: terrain for terrain in TERRAINS}

TERRAIN_RULES: tuple[Rule, ...] = (
    Rule(
        "pieces", "Pieces", 'Every piece is about 3" across. Pieces in a chain still count one by one.', ("TERRAIN-01",)
    ),
    Rule(
        "occupying",
        "Occupying",
        "Once one model is wholly inside a piece, move the whole unit in: it occupies the piece. "
        "A leader who cannot get wholly inside stops at the edge.",
        ("TERRAIN-02", "TERRAIN-03"),
    ),
    Rule("one_unit", "One unit to a piece", "A piece has room for one unit.", ("TERRAIN-04",)),
    Rule(
        "crossings",
        "Bridges and fords",
        "A bridge is clear terrain, a ford is bad goings.",
        ("TERRAIN-15",),
    ),
    Rule(
        "castle",
        "Castle pieces",
        "From outside, each castle piece is a fortress. For units inside, on the walls or in the courtyard, "
        "it counts as open ground. Rubble is outside.",
        ("TERRAIN-16", "R-20", "R-95"),
    ),
)


def terrain_of(key: object) -> Terrain:
    return look_up(key, TERRAIN, "terrain")


def check_can_enter(unit: Unit, terrain: Terrain, *, on_wall: bool = False, occupied: bool = False) -> None:
    """Raise a refusal when this unit cannot stand there. ``on_wall``: a tower or battlement, not a walled area."""
    if not terrain.enterable:
        raise Refusal(
            f"{unit.name} cannot enter: {terrain.name.lower()} is closed to every unit.",
            field="terrain",
        )
    if on_wall and unit.mounted:
        raise Refusal(
            f"{unit.name} cannot go there: mounted units cannot climb a tower or battlement.", field="terrain"
        )
    if occupied:
        raise Refusal("Another unit is already there. A piece of terrain holds one unit.", field="terrain")
