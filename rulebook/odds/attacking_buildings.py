"""The odds of setting a building ablaze."""

from __future__ import annotations

from fractions import Fraction

from rulebook.battle.attacking_buildings import BuildingAttack, building_attack_dice, can_attack_building
from rulebook.data.house_rules import BY_THE_BOOK, Options


def ablaze_odds(torching: BuildingAttack, options: Options = BY_THE_BOOK) -> Fraction:
    """The exact chance that this attack sets the building ablaze."""
    can_attack_building(torching).require("building")
    # Counted in hundredths of a die, so that a re-roll is a whole number; more hits than needed are one case.
    needed = torching.building.wounds_left
    ways = [1] + [0] * needed
    dice = 0
    for throw in building_attack_dice(torching, options):
        faces = throw.tally.faces
        hit = faces * 10 + (10 - faces) * faces if throw.rerolls else faces * 10
        for _ in range(throw.dice):
            ways = [
                ways[k] * (100 if k == needed else 100 - hit) + (ways[k - 1] * hit if k else 0)
                for k in range(needed + 1)
            ]
            dice += 1
    return Fraction(ways[needed], 100**dice)
