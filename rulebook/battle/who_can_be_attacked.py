"""Who can be attacked: line of sight, contact, battle back."""

from __future__ import annotations

from collections.abc import Iterable

from rulebook.basics.yes_or_no import Answer, no, yes
from rulebook.battle.dice_pools import shooting_pools
from rulebook.battle.unit_in_play import OPEN, Place, UnitInPlay
from rulebook.data.house_rules import BY_THE_BOOK, Options
from rulebook.data.terrain import terrain_of

# What a line of sight can cross besides terrain.
UNIT_BETWEEN = "unit"


def can_see(at: Place, between: Iterable[str]) -> Answer:
    """Whether the leader sees the target.

    ``between`` is what the straight line crosses: kinds of terrain that neither of the two stands in, and "unit" for
    any other unit. From a mound or fortress one sees over units and barriers.
    """
    above = at.ground.sees_over
    for thing in between:
        if thing == UNIT_BETWEEN:
            if not above:
                return no("Another unit blocks the line of sight.", "SHOOT-04", "R-52")
            continue
        ground = terrain_of(thing)
        if ground.blocks_sight:
            return no(f"{ground.name} blocks the line of sight.", "SHOOT-04", *ground.rules)
    return yes("The line of sight is clear.", "SHOOT-04", "SHOOT-02")


def can_shoot(
    shooter: UnitInPlay,
    *,
    at: Place = OPEN,
    target_at: Place = OPEN,
    between: Iterable[str] = (),
    engaged: bool = False,
    target_engaged: bool = False,
    moved: bool = False,
    options: Options = BY_THE_BOOK,
) -> Answer:
    """Whether a unit may shoot at another unit. Distance and facing do not matter."""
    unit = shooter.unit
    if shooter.fleeing:
        return no("A fleeing unit cannot shoot.", "FLEE-02")
    if unit.siege_only:
        return no("A Cat-non only shoots at castle pieces, never at units.", "UNIT-26")
    if not shooting_pools(shooter, options):
        return no(f"{unit.name}: no shooting attack.", "SHOOT-01")
    if engaged:
        return no("The unit is in melee and cannot shoot.", "SHOOT-01", "UNIT-25")
    if target_engaged:
        return no("The target is in melee and cannot be shot at.", "SHOOT-03")
    if unit.war_machine and moved:
        return no("A war machine moves or shoots, never both.", "UNIT-25")
    if target_at.ground.hides:
        return no("The target is inside a building and cannot be shot at.", "SHOOT-08")
    sight = can_see(at, between)
    if not sight:
        return sight
    return yes("The target is in sight, and neither unit is in melee.", "SHOOT-01", "SHOOT-02")


def is_in_melee(*, in_contact: bool, fleeing: bool = False) -> Answer:
    """Whether two units are in melee: from contact until one is gone or flees."""
    if not in_contact:
        return no("No base touches an enemy.", "MELEE-01")
    if fleeing:
        return no("The unit is fleeing and has left the melee.", "MELEE-03")
    return yes("Bases touch, so both whole units are in melee.", "MELEE-01", "MELEE-02")


# Fixed, because the odds ask for every way a fight can go.
_NOT_ANSWERED = no("A battle back is not answered.", "MELEE-07")
_GONE = no("The unit is gone.", "MELEE-06", "MORALE-08")
_FLEES = no("A fleeing unit does not battle back.", "MELEE-06")
_BATTLES_BACK = yes("It battles back at once with a [D]. This does not use its activation.", "MELEE-06")


def can_battle_back(target: UnitInPlay | None, *, to_battle_back: bool = False) -> Answer:
    """Whether the target of a melee attack strikes back; None when nothing is left of it."""
    if to_battle_back:
        return _NOT_ANSWERED
    if target is None:
        return _GONE
    return _FLEES if target.fleeing else _BATTLES_BACK
