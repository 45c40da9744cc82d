"""Random events: a d10 at the start of each round, and the seven things that may happen."""

from __future__ import annotations

from dataclasses import dataclass

from refusal import Refusal
from rulebook.basics.input_checks import check_count, check_d10, look_up
from rulebook.data.house_rules import BY_THE_BOOK, Options
from rulebook.data.text_rule import Rule
from rulebook.data.units import Unit

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

EVENT_RULES: tuple[Rule, ...] = (
    Rule(
        "when",
        "When there is an event",
        "Events are optional. At the start of each round roll a d10: on 8+ there is one, and a second d10 says which.",
        ("EVENT-01", "EVENT-02"),
    ),
    Rule("how_long", "How long it lasts", "For that round, for both armies.", ("EVENT-03",)),
)


def event_of(key: object) -> Event:
    return look_up(key, EVENT, "event")


def has_event(roll: int) -> bool:
    """Whether the round's die brings an event."""
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
    """One unit's reinforcement die."""

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
