"""The odds of boiling cheese sauce."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from rulebook.battle.morale import must_test_morale
from rulebook.battle.unit_in_play import UnitInPlay
from rulebook.data.house_rules import BY_THE_BOOK, Options
from rulebook.odds.distribution import chance_to_roll
from rulebook.siege.cheese_sauce import SCALDS_FROM, scald_unit

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
