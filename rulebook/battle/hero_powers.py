"""Hero powers: blessing, kiss, standard, spell, and where a Ladybug flies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from refusal import Refusal
from rulebook.basics.input_checks import check_inches, check_one_of
from rulebook.basics.yes_or_no import Answer, no, yes
from rulebook.battle.casualty_order import Role
from rulebook.battle.unit_in_play import UnitInPlay
from rulebook.data.heroes import HERO, HERO_REACH

BEARERS = ("standard_bearer", "musician")


def is_in_reach(distance: float) -> bool:
    """Within 8", 8" included."""
    return check_inches(distance, "distance") <= HERO_REACH


POWER_RULES: dict[str, tuple[str, ...]] = {
    "cleric": ("HERO-09",),
    "princess": ("HERO-11",),
    "wizard": ("HERO-17", "R-38"),
}


def is_power_ready(hero: str, owner: UnitInPlay, *, used: bool = False) -> Answer:
    """Whether a hero can use the power of his activation at all, whatever its target."""
    rules = POWER_RULES[check_one_of(hero, POWER_RULES, "hero with a power")]
    if owner.living_hero != hero:
        return no(f"{owner.unit.name}: no {HERO[hero].name} in this unit.", *rules)
    if owner.fleeing:
        return no(f"The {HERO[hero].name}'s unit is fleeing and can only try to rally.", *rules, "FLEE-02")
    if used:
        return no(f"The {HERO[hero].name} has already used this power this round.", *rules)
    return yes(f"The {HERO[hero].name} can use this power.", *rules)


def can_bless(cleric: UnitInPlay, distance: float, *, used: bool = False) -> Answer:
    """Whether a Cleric may bless a unit that far away; his own is at 0"."""
    ready = is_power_ready("cleric", cleric, used=used)
    if not ready:
        return ready
    if not is_in_reach(distance):
        return no(f'The unit is {distance:g}" away; a blessing reaches {HERO_REACH}".', "HERO-09")
    return yes("Until the end of the round, a 10 turns its failed saves and morale tests.", "HERO-09", "R-36")


def give_blessing(unit: UnitInPlay) -> UnitInPlay:
    """A blessed unit. It counts from now on; dice already rolled stay as they fell (R-36)."""
    return replace(unit, blessed=True)


def can_kiss(
    princess: UnitInPlay, target: UnitInPlay, role: Role, distance: float, *, friend: bool = True, used: bool = False
) -> Answer:
    """Whether a Princess may choose a model of this role in a unit that far away."""
    ready = is_power_ready("princess", princess, used=used)
    if not ready:
        return ready
    if not friend:
        return no("The Princess can only kiss friends.", "HERO-11", "R-35")
    if role in ("king", "hero"):
        return no("You cannot choose a King or a hero.", "HERO-11")
    if role not in {model.role for model in target.standing}:
        return no(f"The unit has no such model ({role}) left.", "HERO-11")
    if not is_in_reach(distance):
        return no(f'The model is {distance:g}" away; a kiss reaches {HERO_REACH}".', "HERO-11")
    return yes("Until the end of the round, the model re-rolls its misses.", "HERO-11", "R-35")


def give_kiss(unit: UnitInPlay) -> UnitInPlay:
    """A unit with one more kissed model."""
    if unit.kissed >= unit.kissable:
        raise Refusal("This unit has no model left that the Princess can choose.", field="kissed")
    return replace(unit, kissed=unit.kissed + 1)


def can_cast(wizard: UnitInPlay, *, in_sight: bool, used: bool = False) -> Answer:
    """Whether a Wizard may turn on a unit; which spell it will be, the die decides afterwards."""
    ready = is_power_ready("wizard", wizard, used=used)
    if not ready:
        return ready
    if not in_sight:
        return no("The Wizard cannot see the unit.", "HERO-17")
    return yes("He can see it. Roll a d10 for the spell.", "HERO-17")


def count_bearers_near(bearers: Iterable[tuple[UnitInPlay, float]]) -> int:
    """Standards that count for a unit, from other bearers' units and their distances (HERO-12)."""
    return sum(unit.living_hero in BEARERS and not unit.fleeing and is_in_reach(distance) for unit, distance in bearers)


def ladybug_destinations(friends: Mapping[str, float]) -> tuple[str, ...]:
    """Friendly units a Ladybug may fly to when its own is removed; none means it is lost."""
    return tuple(name for name, distance in friends.items() if is_in_reach(distance))


def attach_ladybug(unit: UnitInPlay) -> UnitInPlay:
    """A unit with the Ladybug, beside a hero if there is one (R-41)."""
    return replace(unit, ladybug=True)
