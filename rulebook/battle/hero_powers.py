"""Powers that heroes use or lend: blessing, kiss, standard, spell, and where a Ladybug flies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from refusal import Refusal
from rulebook.answers import Answer, no, yes
from rulebook.heroes import HERO, HERO_REACH
from rulebook.inplay import UnitInPlay
from rulebook.ranks import Role
from rulebook.rolls import inches

BEARERS = ("standard_bearer", "musician")


def in_reach(distance: float) -> bool:
    """Within 8", 8" included."""
    return inches(distance, "distance") <= HERO_REACH


def _may_use(hero: str, owner: UnitInPlay, used: bool, rules: tuple[str, ...]) -> Answer | None:
    """What stops any power used at an activation, or None."""
    if owner.living_hero != hero:
        return no(f"{owner.unit.name}: no {HERO[hero].name} is among them.", *rules)
    if owner.fleeing:
        return no(f"The {HERO[hero].name}'s unit is fleeing and can only try to rally.", *rules, "FLEE-02")
    if used:
        return no(f"The {HERO[hero].name} has used this power already this round.", *rules)
    return None


def may_bless(cleric: UnitInPlay, distance: float, *, used: bool = False) -> Answer:
    """Whether a Cleric may bless a unit that far away; his own is at 0"."""
    stopped = _may_use("cleric", cleric, used, ("HERO-09",))
    if stopped is not None:
        return stopped
    if not in_reach(distance):
        return no(f'The unit is {distance:g}" away; a blessing reaches {HERO_REACH}".', "HERO-09")
    return yes("Until the round ends its failed saves and morale rolls may be turned by a 10.", "HERO-09", "R-36")


def bless(unit: UnitInPlay) -> UnitInPlay:
    """A blessed unit. It counts from now on; dice already rolled stay as they fell (R-36)."""
    return replace(unit, blessed=True)


def may_kiss(
    princess: UnitInPlay, target: UnitInPlay, role: Role, distance: float, *, friend: bool = True, used: bool = False
) -> Answer:
    """Whether a Princess may choose a model of this role in a unit that far away."""
    stopped = _may_use("princess", princess, used, ("HERO-11",))
    if stopped is not None:
        return stopped
    if not friend:
        return no("She kisses friends only.", "HERO-11", "R-35")
    if role in ("king", "hero"):
        return no("Neither a King nor a hero can be chosen.", "HERO-11")
    if role not in {model.role for model in target.standing}:
        return no(f"No such model ({role}) stands in the unit.", "HERO-11")
    if not in_reach(distance):
        return no(f'The model is {distance:g}" away; a kiss reaches {HERO_REACH}".', "HERO-11")
    return yes("Until the round ends the model re-rolls its misses.", "HERO-11", "R-35")


def kiss(unit: UnitInPlay) -> UnitInPlay:
    """A unit with one more kissed model."""
    if unit.kissed >= unit.kissable:
        raise Refusal("No model is left in this unit that a Princess could choose.", field="kissed")
    return replace(unit, kissed=unit.kissed + 1)


def may_cast(wizard: UnitInPlay, *, in_sight: bool, used: bool = False) -> Answer:
    """Whether a Wizard may turn on a unit; which spell it will be, the die decides afterwards."""
    stopped = _may_use("wizard", wizard, used, ("HERO-17", "R-38"))
    if stopped is not None:
        return stopped
    if not in_sight:
        return no("The Wizard cannot see the unit.", "HERO-17")
    return yes("He sees it; a d10 tells the spell.", "HERO-17")


def bearers_near(bearers: Iterable[tuple[UnitInPlay, float]]) -> int:
    """Standards that count for a unit, from other bearers' units and their distances (HERO-12)."""
    return sum(unit.living_hero in BEARERS and not unit.fleeing and in_reach(distance) for unit, distance in bearers)


def ladybug_perches(friends: Mapping[str, float]) -> tuple[str, ...]:
    """Friendly units a Ladybug may fly to when its own is removed; none means it is lost."""
    return tuple(name for name, distance in friends.items() if in_reach(distance))


def ladybug_joins(unit: UnitInPlay) -> UnitInPlay:
    """A unit with the Ladybug, beside a hero if there is one (R-41)."""
    return replace(unit, ladybug=True)
