"""Burning buildings: a village house is attacked like a unit that neither saves nor strikes back (Chevauchee)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction

from rulebook.answers import Answer, no, yes
from rulebook.events import MESSENGER, STORM, event_of
from rulebook.inplay import OPEN, Place, UnitInPlay, check_stands
from rulebook.marks import Applied, Tally, tally
from rulebook.modifiers import MARK
from rulebook.options import BY_THE_BOOK, Options
from rulebook.rolls import count
from rulebook.script import Die, Script, Step, roll
from rulebook.throws import Throw, melee_hands

BUILDING_AC = 5
BUILDING_WOUNDS = 2
VILLAGE = 4


@dataclass(frozen=True, slots=True)
class Building:
    name: str
    wounds: int = 0  # they add up from unit to unit and round to round

    def __post_init__(self) -> None:
        count(self.wounds, "number of wounds of a building", most=BUILDING_WOUNDS)

    @property
    def ablaze(self) -> bool:
        return self.wounds == BUILDING_WOUNDS

    @property
    def wounds_left(self) -> int:
        return BUILDING_WOUNDS - self.wounds


def village() -> tuple[Building, ...]:
    return tuple(Building(f"Building {number}") for number in range(1, VILLAGE + 1))


def all_ablaze(buildings: Iterable[Building]) -> bool:
    """What side A wins Chevauchee by."""
    return all(building.ablaze for building in buildings)


@dataclass(frozen=True, slots=True)
class Torching:
    """A unit beside a building that uses its attack to set it on fire."""

    unit: UnitInPlay
    building: Building
    at: Place = OPEN
    adjacent: bool = True
    event: str | None = None

    def __post_init__(self) -> None:
        check_stands(self.unit, self.at)
        if self.event is not None:
            event_of(self.event)


def may_torch(torching: Torching) -> Answer:
    if torching.building.ablaze:
        return no(f"{torching.building.name} is ablaze already.", "SCEN-10")
    if torching.unit.fleeing:
        return no("The unit is fleeing, and a fleeing unit sets nothing on fire.", "FLEE-02")
    if not torching.adjacent:
        return no("The unit must come up to the building first.", "SCEN-10")
    return yes("The unit spends its attack on the building.", "SCEN-10", "R-65")


def torching_throws(torching: Torching, options: Options = BY_THE_BOOK) -> tuple[Throw, ...]:
    """The unit's melee dice against AC 5. No [A] for a charge or for riding: a house stands still (R-65)."""
    t = torching
    held = []
    if t.unit.ladybug:
        held.append(Applied(MARK["melee_ladybug"]))
    if t.at.flanked:
        held.append(Applied(MARK["melee_flanked"], t.at.flanked if options.flank_stacks else 1))
    if t.at.terrain == "bad_goings":
        held.append(Applied(MARK["melee_bad_goings"]))
    if t.event == STORM:
        held.append(Applied(MARK["melee_storm"]))
    if t.event == MESSENGER and t.unit.first_activated:
        held.append(Applied(MARK["melee_messenger"]))

    def reckoned(quality: int) -> Tally:
        return tally("melee", quality, tuple(held), BUILDING_AC, options)

    return tuple(
        Throw(hand.whose, hand.dice, reckoned(hand.quality), hand.rerolls) for hand in melee_hands(t.unit, options)
    )


@dataclass(frozen=True, slots=True)
class Torched:
    building: Building
    throws: tuple[Throw, ...]
    steps: tuple[Step, ...]
    hits: int

    @property
    def ablaze(self) -> bool:
        return self.building.ablaze


def torch(torching: Torching, options: Options = BY_THE_BOOK) -> Script[Torched]:
    """The attack on a building: every hit is a wound, for houses do not save."""
    may_torch(torching).insist("building")
    throws = torching_throws(torching, options)
    dice = [(Die(t.whose, t.tally.needed), t.rerolls) for t in throws for _ in range(t.dice)]
    story: list[Step] = []
    faces = yield from roll(story, "hit", "attacker", [die for die, _ in dice])
    hits = story[-1].successes
    again = [die for (die, rerolls), face in zip(dice, faces, strict=True) if rerolls and face < die.needed]
    if again:
        yield from roll(story, "re-roll", "attacker", again)
        hits += story[-1].successes
    building = torching.building
    lit = replace(building, wounds=min(BUILDING_WOUNDS, building.wounds + hits))
    return Torched(lit, throws, tuple(story), hits)


def ablaze_odds(torching: Torching, options: Options = BY_THE_BOOK) -> Fraction:
    """The exact chance that this attack sets the building ablaze."""
    may_torch(torching).insist("building")
    # Counted in hundredths of a die, so that a re-roll is a whole number; more hits than needed are one case.
    needed = torching.building.wounds_left
    ways = [1] + [0] * needed
    dice = 0
    for throw in torching_throws(torching, options):
        faces = throw.tally.faces
        hit = faces * 10 + (10 - faces) * faces if throw.rerolls else faces * 10
        for _ in range(throw.dice):
            ways = [
                ways[k] * (100 if k == needed else 100 - hit) + (ways[k - 1] * hit if k else 0)
                for k in range(needed + 1)
            ]
            dice += 1
    return Fraction(ways[needed], 100**dice)
