"""Morale tests, fleeing and rallying."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from rulebook.battle import modifiers
from rulebook.battle.attack_situations import Morale, Rally
from rulebook.battle.dice import DiceRequest, Die, Script, ScriptStep, Side, ask_for_dice
from rulebook.battle.modifiers import Tally
from rulebook.battle.unit_in_play import UnitInPlay
from rulebook.data.battlefield import FLEE_MOVE, Outcome, morale_outcome
from rulebook.data.house_rules import BY_THE_BOOK, Options
from rulebook.data.scenarios import SCENARIO
from rulebook.input_checks import Answer, check_count, check_one_of, no, yes

BLESSING_NEEDS = 10
# No table is so large that a unit could run longer.
MAX_ROUNDS = 100


@dataclass(frozen=True, slots=True)
class MoraleRoll:
    """How a test went. No tally and no face where the unit passed without a die."""

    outcome: Outcome
    tally: Tally | None = None
    face: int | None = None
    blessed: bool = False  # the test failed and a blessing turned it

    @property
    def total(self) -> int | None:
        return None if self.tally is None or self.face is None else self.face + self.tally.added


def must_test_morale(unit: UnitInPlay, models_lost: int) -> Answer:
    """Whether losses call for a morale test of what is left of the unit."""
    if check_count(models_lost, "number of models lost") == 0:
        return no("No model was removed. A wound alone needs no test.", "SAVE-04", "MORALE-01")
    if not unit.unit.tests_morale:
        return no(f"A {unit.unit.name} never tests morale.", "UNIT-18", "MORALE-07")
    if unit.living_hero == "musician":
        return no("The Musician plays on: his unit passes without a roll.", "HERO-13", "MORALE-07")
    return yes("Models were removed: one test, however many.", "MORALE-01", "R-47")


def roll_morale(
    story: list[ScriptStep], situation: Morale | Rally, side: Side, options: Options
) -> Generator[DiceRequest, Sequence[int], MoraleRoll]:
    unit = situation.unit
    if unit.living_hero == "musician":
        story.append(ScriptStep("musician", side, outcome="stand"))
        return MoraleRoll("stand")
    if isinstance(situation, Rally):
        tally = modifiers.rally_tally(situation, options)
        faces = yield from ask_for_dice(story, "rally", side, (Die("unit", tally.needed),))
    else:
        tally = modifiers.morale_tally(situation, options)
        faces = yield from ask_for_dice(story, "morale", side, (Die("unit", tally.needed),))
    outcome = morale_outcome(faces[0], tally.added, options)
    blessed = False
    if outcome != "stand" and unit.blessed:
        turned = yield from ask_for_dice(story, "blessed morale", side, (Die("unit", BLESSING_NEEDS),))
        if turned[0] == BLESSING_NEEDS:
            outcome, blessed = "stand", True
    story[-1] = replace(story[-1], outcome=outcome)
    return MoraleRoll(outcome, tally, faces[0], blessed)


def apply_morale_outcome(unit: UnitInPlay, outcome: Outcome) -> UnitInPlay | None:
    """The unit once the outcome has taken effect; None when it scattered. A fleeing unit that stands has rallied."""
    if outcome == "scatter":
        return None
    flees = outcome == "flee"
    return unit if unit.fleeing == flees else replace(unit, fleeing=flees)


@dataclass(frozen=True, slots=True)
class MoraleTestResult:
    """A test on its own: after boiling sauce, or at a fleeing unit's activation."""

    morale_roll: MoraleRoll
    after: UnitInPlay | None
    steps: tuple[ScriptStep, ...]
    acts_next_round: bool = False  # rallied: the flee token became an activation mark
    runs: int = 0  # inches it flees at once

    @property
    def outcome(self) -> Outcome:
        return self.morale_roll.outcome


def take_morale_test(situation: Morale | Rally, options: Options = BY_THE_BOOK) -> Script[MoraleTestResult]:
    """A test after losses; or that of a fleeing unit at its activation, which rallies, runs on or scatters."""
    story: list[ScriptStep] = []
    morale_roll = yield from roll_morale(story, situation, "target", options)
    after = apply_morale_outcome(situation.unit, morale_roll.outcome)
    # A unit that was already fleeing and stands has rallied, and acts again in the next round.
    rallied = morale_roll.outcome == "stand" and situation.unit.fleeing
    runs = FLEE_MOVE if morale_roll.outcome == "flee" else 0
    return MoraleTestResult(morale_roll, after, tuple(story), rallied, runs)


@dataclass(frozen=True, slots=True)
class FlightDirection:
    key: str
    text: str
    rules: tuple[str, ...]


# fmt: off
FLIGHT_DIRECTIONS: tuple[FlightDirection, ...] = (
    FlightDirection("own_edge",
                    'The unit runs 4" away from all enemies and around terrain, by the straightest way to the edge it '
                    "came from.", ("FLEE-05", "R-102")),
    FlightDirection("nearest_edge",
                    'The unit has no edge of its own: it runs 4" towards the nearest edge that takes it further from '
                    "every enemy, or to the nearest edge if there is none.", ("FLEE-05", "R-50", "R-102")),
    FlightDirection("far_edge", "The unit runs to the far edge. A unit that leaves there has escaped.", ("FLEE-08",)),
)
# fmt: on
FLIGHT_DIRECTION: dict[str, FlightDirection] = {way.key: way for way in FLIGHT_DIRECTIONS}

ALL_SIDES = tuple("ABCDEFGH")


def flight_direction(scenario: str, side: str) -> FlightDirection:
    """Where the fleeing units of a side run. With more than two armies there are sides C, D and so on."""
    check_one_of(side, ALL_SIDES, "side")
    row = SCENARIO.get(scenario)
    zone = next((zone for zone in row.zones if zone.side == side), None) if row else None
    return FLIGHT_DIRECTION[zone.flees.replace(" ", "_") if zone else "own_edge"]


def fate_off_table(scenario: str, side: str) -> Literal["removed", "escaped"]:
    return "escaped" if flight_direction(scenario, side).key == "far_edge" else "removed"
