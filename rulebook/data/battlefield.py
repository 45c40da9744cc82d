"""The tables of the battlefield: the nine kinds of terrain, the random events, the morale table."""

from dataclasses import dataclass
from typing import Literal

from refusal import Refusal
from rulebook.data.house_rules import BY_THE_BOOK, Options
from rulebook.data.rule_texts import Rule
from rulebook.data.units import Unit
from rulebook.input_checks import check_count, check_d10, check_whole_number, look_up


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

# fmt: off
TERRAIN_RULES: tuple[Rule, ...] = (
    Rule("pieces", "Pieces",
         'Every piece is about 3" across. Pieces in a chain still count one by one.', ("TERRAIN-01",)),
    Rule("occupying", "Occupying",
         "Once one model is wholly inside a piece, move the whole unit in: it occupies the piece. A leader who cannot "
         "get wholly inside stops at the edge.", ("TERRAIN-02", "TERRAIN-03")),
    Rule("one_unit", "One unit to a piece", "A piece has room for one unit.", ("TERRAIN-04",)),
    Rule("crossings", "Bridges and fords", "A bridge is clear terrain, a ford is bad goings.", ("TERRAIN-15",)),
    Rule("castle", "Castle pieces",
         "From outside, each castle piece is a fortress. For units inside, on the walls or in the courtyard, it "
         "counts as open ground. Rubble is outside.", ("TERRAIN-16", "R-20", "R-95")),
)
# fmt: on


def terrain_of(key: object) -> Terrain:
    return look_up(key, TERRAIN, "terrain")


def check_can_enter(unit: Unit, terrain: Terrain, *, on_wall: bool = False, occupied: bool = False) -> None:
    """Raise a refusal when this unit cannot stand there. ``on_wall``: a tower or battlement, not a walled area."""
    if not terrain.enterable:
        raise Refusal(f"{unit.name} cannot enter: {terrain.name.lower()} is closed to every unit.", field="terrain")
    if on_wall and unit.mounted:
        raise Refusal(
            f"{unit.name} cannot go there: mounted units cannot climb a tower or battlement.", field="terrain"
        )
    if occupied:
        raise Refusal("Another unit is already there. A piece of terrain holds one unit.", field="terrain")


# ── Random events ────────────────────────────────────────────────────────────────────────────────────────
# A d10 at the start of each round, and the seven things that may happen.


EVENT_FROM = 8
MUD_NEEDS = 3
RETURNS_ON = 10

# Keys that other chapters ask for.
MUD = "mud"
WINDY = "windy"
STORM = "storm"
SPEECH = "speech"
FAVOURABLE_WIND = "favourable_wind"
MESSENGER = "messenger"
REINFORCEMENTS = "reinforcements"


@dataclass(frozen=True, slots=True)
class Event:
    low: int
    high: int
    key: str
    name: str
    text: str
    rules: tuple[str, ...]


# fmt: off
EVENTS: tuple[Event, ...] = (
    Event(1,  2,  MUD,             "Mud or ice",
          "A unit must roll 3+ on a d10 to move or charge. "
          "It can still attack from where it is. Fleeing units run as usual.", ("EVENT-04", "R-91")),
    Event(3,  3,  WINDY,           "Wind or dark sky",  "Every shooting attack has a [D].", ("EVENT-05",)),
    Event(4,  4,  STORM,           "Storm",
          "Every attack has a [D], shooting and melee. Spells are not affected.", ("EVENT-06",)),
    Event(5,  6,  SPEECH,          "Rousing speech",
          "The first unit each army activates can make two moves, each with a move's limits. "
          "It can still charge or attack afterwards, but not aim.", ("EVENT-07", "R-90", "R-97")),
    Event(7,  8,  FAVOURABLE_WIND, "Favourable wind",   "Shooting at long range has no [D].", ("EVENT-08",)),
    Event(9,  9,  MESSENGER,       "Messenger",
          "The first unit each army activates gets +1 on all its Q rolls this round.", ("EVENT-09", "R-90")),
    Event(10, 10, REINFORCEMENTS,  "Reinforcements",
          "Each unit in play that has lost models rolls a d10; on a 10 one of them returns.", ("EVENT-10", "R-92")),
)
# fmt: on

EVENT: dict[str, Event] = {event.key: event for event in EVENTS}

# fmt: off
EVENT_RULES: tuple[Rule, ...] = (
    Rule("when", "When there is an event",
         "Events are optional. At the start of each round roll a d10: on 8+ there is one, and a second d10 says which.",
         ("EVENT-01", "EVENT-02")),
    Rule("how_long", "How long it lasts", "For that round, for both armies.", ("EVENT-03",)),
)
# fmt: on


def event_of(key: object) -> Event:
    return look_up(key, EVENT, "event")


def has_event(roll: int) -> bool:
    return check_d10(roll, "event roll") >= EVENT_FROM


def event_for_roll(roll: int) -> Event:
    """The table. A natural 1 or 10 is a row like any other (R-04)."""
    check_d10(roll, "event table roll")
    return next(event for event in EVENTS if event.low <= roll <= event.high)


def round_event(roll: int, table_roll: int | None = None, options: Options = BY_THE_BOOK) -> Event | None:
    """The event of a round from its dice; the second is thrown only when the first is 8 or more."""
    if not options.random_events:
        raise Refusal("This battle has no random events. Turn the house rule on first.", field="event")
    if not has_event(roll):
        if table_roll is not None:
            raise Refusal(f"There is no event on {roll}, so there is no second die.", field="event table roll")
        return None
    if table_roll is None:
        raise Refusal(f"There is an event on {roll}. Roll the second die.", field="event table roll")
    return event_for_roll(table_roll)


def allows_move(event: Event | None, roll: int | None = None) -> bool:
    """Whether a unit may make a move or charge of its choice; in mud a die is needed."""
    if event is None or event.key != MUD:
        return True
    if roll is None:
        raise Refusal("The ground is mud or ice. Roll a d10 before the unit moves.", field="mud roll")
    return check_d10(roll, "mud roll") >= MUD_NEEDS


def move_count(event: Event | None, *, first_of_its_army: bool) -> int:
    """How many moves an activation has: two for the first unit of each army after a speech (R-90)."""
    return 2 if event is not None and event.key == SPEECH and first_of_its_army else 1


@dataclass(frozen=True, slots=True)
class ReinforcementRoll:
    models_before: int
    models_after: int
    text: str


def apply_reinforcement_roll(unit: Unit, models: int, roll: int) -> ReinforcementRoll:
    """A unit in play with losses gets one model back on a 10, never above its strength; wounds stay (R-92)."""
    check_count(models, f"models of {unit.name}", most=unit.models)
    if models == 0:
        raise Refusal("A removed unit gets no reinforcements.", field="models")
    if models == unit.models:
        raise Refusal(f"{unit.name}: no models lost, so there is nothing to roll for.", field="models")
    if check_d10(roll, "reinforcement roll") == RETURNS_ON:
        return ReinforcementRoll(models, models + 1, f"{unit.name}: a 10, one model returns.")
    return ReinforcementRoll(models, models, f"{unit.name}: {roll}, nobody returns.")


# ── The morale table ─────────────────────────────────────────────────────────────────────────────────────


FLEE_MOVE = 4
STANDS_FROM = 9
FLEES_FROM = 6

Outcome = Literal["scatter", "flee", "stand"]


@dataclass(frozen=True, slots=True)
class MoraleRow:
    low: int | None  # None: no lower end
    high: int | None  # None: no upper end
    key: Outcome
    name: str
    text: str
    rules: tuple[str, ...]


# fmt: off
MORALE_TABLE: tuple[MoraleRow, ...] = (
    MoraleRow(None, 5,    "scatter", "Scatters",
              "The unit breaks up and is out of the battle. The enemy scores it.",
              ("MORALE-02", "MORALE-04", "R-22")),
    MoraleRow(6,    8,    "flee",    "Flees",    'The unit runs 4" at once and gets a flee token.',
              ("MORALE-02", "MORALE-05")),
    MoraleRow(9,    None, "stand",   "Stands",
              "The unit stays. A fleeing unit rallies and acts again next round.",
              ("MORALE-02", "MORALE-06", "R-49")),
)
# fmt: on


def outcome_for_total(total: int) -> Outcome:
    check_whole_number(total, "morale total")
    if total >= STANDS_FROM:
        return "stand"
    return "flee" if total >= FLEES_FROM else "scatter"


def morale_outcome(roll: int, bonus: int, options: Options = BY_THE_BOOK) -> Outcome:
    """The outcome of a die with its bonus: a natural 10 stands, a natural 1 cannot (R-22)."""
    check_d10(roll, "morale roll")
    check_whole_number(bonus, "morale bonus")
    if roll == 10:
        return "stand"
    if roll == 1:
        if options.natural_one_morale == "scatter":
            return "scatter"
        outcome = outcome_for_total(roll + bonus)
        return "flee" if outcome == "stand" else outcome
    return outcome_for_total(roll + bonus)
