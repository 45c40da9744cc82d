"""Exact odds: no sampling, no rounding. Situations in, fractions out."""

from rulebook.odds.attack import (
    AttackEnd,
    AttackOdds,
    CastOdds,
    RallyOdds,
    SpellOdds,
    cast_odds,
    melee_odds,
    morale_odds,
    rally_odds,
    shooting_odds,
)
from rulebook.odds.distribution import Distribution, chance_to_roll, hits_then_saves
from rulebook.odds.melee import ExchangeEnd, ExchangeOdds, FightOdds, exchange_odds, fight_odds

__all__ = [
    "AttackEnd",
    "AttackOdds",
    "CastOdds",
    "Distribution",
    "ExchangeEnd",
    "ExchangeOdds",
    "FightOdds",
    "RallyOdds",
    "SpellOdds",
    "cast_odds",
    "chance_to_roll",
    "exchange_odds",
    "fight_odds",
    "hits_then_saves",
    "melee_odds",
    "morale_odds",
    "rally_odds",
    "shooting_odds",
]
