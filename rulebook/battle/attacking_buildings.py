"""Burning buildings: a village house is attacked like a unit that neither saves nor strikes back (Chevauchee)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from rulebook.basics.input_checks import check_count
from rulebook.basics.yes_or_no import Answer, no, yes
from rulebook.battle.advantages import MODIFIER, AppliedModifier, Tally, tally_modifiers
from rulebook.battle.dice_pools import AttackDice, melee_pools
from rulebook.battle.dice_requests import Die, Script, ScriptStep, ask_for_dice
from rulebook.battle.unit_in_play import OPEN, Place, UnitInPlay, check_placement
from rulebook.data.house_rules import BY_THE_BOOK, Options
from rulebook.data.random_events import MESSENGER, STORM, event_of

BUILDING_AC = 5
BUILDING_WOUNDS = 2


@dataclass(frozen=True, slots=True)
class Building:
    name: str
    wounds: int = 0  # they add up from unit to unit and round to round

    def __post_init__(self) -> None:
        check_count(self.wounds, "number of wounds of a building", most=BUILDING_WOUNDS)

    @property
    def ablaze(self) -> bool:
        return self.wounds == BUILDING_WOUNDS

    @property
    def wounds_left(self) -> int:
        return BUILDING_WOUNDS - self.wounds


@dataclass(frozen=True, slots=True)
class BuildingAttack:
    """A unit beside a building that uses its attack to set it on fire."""

    unit: UnitInPlay
    building: Building
    at: Place = OPEN
    adjacent: bool = True
    event: str | None = None
    engaged: bool = False  # in contact with an enemy
    enemy_inside: bool = False

    def __post_init__(self) -> None:
        check_placement(self.unit, self.at)
        if self.event is not None:
            event_of(self.event)


def can_attack_building(torching: BuildingAttack, options: Options = BY_THE_BOOK) -> Answer:
    if torching.building.ablaze:
        return no(f"{torching.building.name} is already ablaze.", "SCEN-10")
    if torching.unit.fleeing:
        return no("A fleeing unit cannot set buildings on fire.", "FLEE-02")
    if not torching.adjacent:
        return no("The unit must be next to the building.", "SCEN-10")
    if torching.enemy_inside:
        return no(f"An enemy unit is inside {torching.building.name}. Drive it out first.", "R-101")
    if torching.engaged and not options.torch_in_melee:
        return no("The unit is in melee and must fight its enemy first.", "R-93")
    return yes("The unit attacks the building.", "SCEN-10", "R-65")


def building_attack_dice(torching: BuildingAttack, options: Options = BY_THE_BOOK) -> tuple[AttackDice, ...]:
    """The unit's melee dice against AC 5. No [A] for a charge or for riding: a house stands still (R-65)."""
    t = torching
    held = []
    if t.unit.ladybug:
        held.append(AppliedModifier(MODIFIER["melee_ladybug"]))
    if t.at.flanked:
        held.append(AppliedModifier(MODIFIER["melee_flanked"], t.at.flanked if options.flank_stacks else 1))
    if t.at.terrain == "bad_goings":
        held.append(AppliedModifier(MODIFIER["melee_bad_goings"]))
    if t.event == STORM:
        held.append(AppliedModifier(MODIFIER["melee_storm"]))
    if t.event == MESSENGER and t.unit.first_activated:
        held.append(AppliedModifier(MODIFIER["melee_messenger"]))

    def reckoned(quality: int) -> Tally:
        return tally_modifiers("melee", quality, tuple(held), BUILDING_AC, options)

    return tuple(
        AttackDice(hand.whose, hand.dice, reckoned(hand.quality), hand.rerolls) for hand in melee_pools(t.unit, options)
    )


@dataclass(frozen=True, slots=True)
class BuildingAttackResult:
    building: Building
    throws: tuple[AttackDice, ...]
    steps: tuple[ScriptStep, ...]
    hits: int

    @property
    def ablaze(self) -> bool:
        return self.building.ablaze


def attack_building(torching: BuildingAttack, options: Options = BY_THE_BOOK) -> Script[BuildingAttackResult]:
    """The attack on a building: every hit is a wound, because houses do not save."""
    can_attack_building(torching, options).require("building")
    throws = building_attack_dice(torching, options)
    dice = [(Die(t.whose, t.tally.needed), t.rerolls) for t in throws for _ in range(t.dice)]
    story: list[ScriptStep] = []
    faces = yield from ask_for_dice(story, "hit", "attacker", [die for die, _ in dice])
    hits = story[-1].successes
    again = [die for (die, rerolls), face in zip(dice, faces, strict=True) if rerolls and face < die.needed]
    if again:
        yield from ask_for_dice(story, "re-roll", "attacker", again)
        hits += story[-1].successes
    building = torching.building
    lit = replace(building, wounds=min(BUILDING_WOUNDS, building.wounds + hits))
    return BuildingAttackResult(lit, throws, tuple(story), hits)
