"""The odds of levelling a castle piece, of boiling cheese sauce, and of setting a building ablaze."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from rulebook.battle.assault import SCALDS_FROM, SHOT_DICE, Bombardment, bombardment_tally, scald_unit, wall_saves_from
from rulebook.battle.castle import RING, piece_of
from rulebook.battle.combat import BuildingAttack, building_attack_dice, can_attack_building
from rulebook.battle.morale import must_test_morale
from rulebook.battle.unit_in_play import UnitInPlay
from rulebook.checks import check_count, check_one_of
from rulebook.data.house_rules import BY_THE_BOOK, Options
from rulebook.odds.distribution import chance_to_roll, hits_then_saves


def through_chance(shot: Bombardment, options: Options = BY_THE_BOOK) -> Fraction:
    """The chance that one die hits and is not saved."""
    fails = wall_saves_from(piece_of(shot.piece).kind) - 1
    return Fraction(bombardment_tally(shot, options).faces * fails, 100)


def levelling_odds(
    shot: Bombardment, shots: int, options: Options = BY_THE_BOOK, *, damage: int = 0
) -> tuple[Fraction, ...]:
    """The chance that the piece lies in rubble after 1, 2, ... shots like this one, by one gun or several."""
    kind = piece_of(check_one_of(shot.piece, RING, "wall")).kind
    hits = kind.hits or 0
    left = hits - check_count(damage, "damage so far", most=hits - 1)
    through = through_chance(shot, options)
    return tuple(
        hits_then_saves(SHOT_DICE * number, through).at_least(left)
        for number in range(1, check_count(shots, "number of shots", least=1, most=200) + 1)
    )


# ── Cheese sauce ─────────────────────────────────────────────────────────────────────────────────────────


SCALD_CHANCE = chance_to_roll(SCALDS_FROM)


@dataclass(frozen=True, slots=True)
class SauceOdds:
    model_lost: Fraction
    wounded_only: Fraction
    unit_gone: Fraction
    morale_test: Fraction


def sauce_odds(unit: UnitInPlay, options: Options = BY_THE_BOOK) -> SauceOdds:
    """The chances of one pouring over this unit."""
    losses = scald_unit(unit, options)
    tests = (
        losses.after is not None and options.sauce_morale and bool(must_test_morale(losses.after, losses.models_lost))
    )
    never = Fraction(0)
    return SauceOdds(
        model_lost=SCALD_CHANCE if losses.fallen else never,
        wounded_only=never if losses.fallen else SCALD_CHANCE,
        unit_gone=SCALD_CHANCE if losses.destroyed else never,
        morale_test=SCALD_CHANCE if tests else never,
    )


# ── Burning buildings ────────────────────────────────────────────────────────────────────────────────────


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
