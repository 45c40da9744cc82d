"""Morale tests, flight and rally: who stands, who runs and where to, who comes back."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from rulebook import modifiers
from rulebook.answers import Answer, no, yes
from rulebook.inplay import UnitInPlay
from rulebook.marks import Tally
from rulebook.morale import FLEE_MOVE, Outcome, morale_outcome
from rulebook.options import BY_THE_BOOK, Options
from rulebook.rolls import count, one_of
from rulebook.script import Ask, Die, Script, Side, Step, roll
from rulebook.situations import Morale, Rally

BLESSING_NEEDS = 10
# No table is so large that a unit could run longer.
MOST_ROUNDS = 100


@dataclass(frozen=True, slots=True)
class Nerve:
    """How a test went. No tally and no face where the unit passed without a die."""

    outcome: Outcome
    tally: Tally | None = None
    face: int | None = None
    blessed: bool = False  # the test failed and a blessing turned it

    @property
    def total(self) -> int | None:
        return None if self.tally is None or self.face is None else self.face + self.tally.added


def must_test(unit: UnitInPlay, models_lost: int) -> Answer:
    """Whether losses call for a morale test of what is left of the unit."""
    if count(models_lost, "number of models lost") == 0:
        return no("No model was removed; a wound alone shakes nobody.", "SAVE-04", "MORALE-01")
    if not unit.unit.tests_morale:
        return no(f"A {unit.unit.name} never tests morale.", "UNIT-18", "MORALE-07")
    if unit.living_hero == "musician":
        return no("The Musician plays on, and his unit passes without a die.", "HERO-13", "MORALE-07")
    return yes("Models were removed: one test, however many fell.", "MORALE-01", "R-47")


def roll_nerve(
    story: list[Step], situation: Morale | Rally, side: Side, options: Options
) -> Generator[Ask, Sequence[int], Nerve]:
    """Roll one test into a story."""
    unit = situation.unit
    if unit.living_hero == "musician":
        story.append(Step("musician", side, outcome="stand"))
        return Nerve("stand")
    if isinstance(situation, Rally):
        tally = modifiers.rally(situation, options)
        faces = yield from roll(story, "rally", side, (Die("unit", tally.needed),))
    else:
        tally = modifiers.morale(situation, options)
        faces = yield from roll(story, "morale", side, (Die("unit", tally.needed),))
    outcome = morale_outcome(faces[0], tally.added, options)
    blessed = False
    if outcome != "stand" and unit.blessed:
        turned = yield from roll(story, "blessed morale", side, (Die("unit", BLESSING_NEEDS),))
        if turned[0] == BLESSING_NEEDS:
            outcome, blessed = "stand", True
    story[-1] = replace(story[-1], outcome=outcome)
    return Nerve(outcome, tally, faces[0], blessed)


def after_test(unit: UnitInPlay, outcome: Outcome) -> UnitInPlay | None:
    """The unit once the outcome has taken effect; None when it scattered. A fleeing unit that stands has rallied."""
    if outcome == "scatter":
        return None
    flees = outcome == "flee"
    return unit if unit.fleeing == flees else replace(unit, fleeing=flees)


@dataclass(frozen=True, slots=True)
class Tested:
    """A test on its own: after boiling sauce, or at a fleeing unit's activation."""

    nerve: Nerve
    after: UnitInPlay | None
    steps: tuple[Step, ...]
    acts_next_round: bool = False  # rallied: the flee token became an activation mark
    runs: int = 0  # inches it flees at once

    @property
    def outcome(self) -> Outcome:
        return self.nerve.outcome


def morale_test(situation: Morale, options: Options = BY_THE_BOOK) -> Script[Tested]:
    """A morale test after losses."""
    story: list[Step] = []
    nerve = yield from roll_nerve(story, situation, "target", options)
    after = after_test(situation.unit, nerve.outcome)
    # A unit that was already fleeing and stands has rallied, and acts again in the next round.
    rallied = nerve.outcome == "stand" and situation.unit.fleeing
    return Tested(nerve, after, tuple(story), rallied, FLEE_MOVE if nerve.outcome == "flee" else 0)


def rally_test(situation: Rally, options: Options = BY_THE_BOOK) -> Script[Tested]:
    """The test at the start of a fleeing unit's activation: rally, run on, or scatter."""
    story: list[Step] = []
    nerve = yield from roll_nerve(story, situation, "target", options)
    after = after_test(situation.unit, nerve.outcome)
    return Tested(nerve, after, tuple(story), nerve.outcome == "stand", FLEE_MOVE if nerve.outcome == "flee" else 0)


def rally_ladder(situation: Rally, rounds: int, options: Options = BY_THE_BOOK) -> Script[tuple[Tested, ...]]:
    """A fleeing unit's tests, one each round, until it rallies or scatters or ``rounds`` are over.

    ``rounds`` is what the table leaves it: a unit that reaches the edge is gone (FLEE-07).
    """
    count(rounds, "number of rounds", least=1, most=MOST_ROUNDS)
    rungs: list[Tested] = []
    for _ in range(rounds):
        rung = yield from rally_test(situation, options)
        rungs.append(rung)
        if rung.outcome != "flee":
            break
        situation = situation.still_fleeing()
    return tuple(rungs)


@dataclass(frozen=True, slots=True)
class Way:
    """Where a fleeing unit runs."""

    key: str
    text: str
    rules: tuple[str, ...]


WAYS: tuple[Way, ...] = (
    Way("own_edge", 'It runs 4" from all enemies, round terrain, by the straightest way to the edge it came from.', ("FLEE-05",)),
    Way("nearest_edge", 'It came from no edge: it runs 4" to the nearest edge that leads from the enemy.', ("FLEE-05", "R-50")),
    Way("far_edge", "It runs to the far edge, and a unit that leaves there has escaped.", ("FLEE-08",)),
)  # fmt: skip
WAY: dict[str, Way] = {way.key: way for way in WAYS}

# Sides that did not deploy along an edge.
WITHOUT_EDGE: tuple[tuple[str, str], ...] = (
    ("last_stand", "a"),
    ("surrounded", "a"),
    ("ambush", "a"),
    ("siege", "defender"),
)


def way_of_flight(scenario: str, side: str) -> Way:
    """Where the fleeing units of a side run; ``side`` is a, b, attacker or defender."""
    one_of(side, ("a", "b", "attacker", "defender"), "side")
    if (scenario, side) == ("break_free", "a"):
        return WAY["far_edge"]
    return WAY["nearest_edge" if (scenario, side) in WITHOUT_EDGE else "own_edge"]


def over_the_edge(scenario: str, side: str) -> Literal["removed", "escaped"]:
    """What becomes of a unit that flees off the table."""
    return "escaped" if way_of_flight(scenario, side).key == "far_edge" else "removed"


def may_act(unit: UnitInPlay) -> Answer:
    """Whether a unit can do anything but try to rally."""
    if unit.fleeing:
        return no("The unit is fleeing: it tests to rally, and runs on if it fails.", "FLEE-02", "FLEE-04")
    return yes("The unit is not fleeing.", "FLEE-01")
