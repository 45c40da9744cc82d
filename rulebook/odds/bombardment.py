"""The odds of levelling a castle piece with a Cat-non."""

from __future__ import annotations

from fractions import Fraction

from rulebook.basics.input_checks import check_count, check_one_of
from rulebook.data.house_rules import BY_THE_BOOK, Options
from rulebook.odds.distribution import hits_then_saves
from rulebook.siege.bombardment import SHOT_DICE, Bombardment, bombardment_tally, wall_saves_from
from rulebook.siege.castle import RING, piece_of


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
