"""Exact odds: no sampling, no rounding. Situations in, fractions out."""

from rulebook.battle.unit_in_play import cached_casualty_order
from rulebook.odds.attack import (
    AttackEnd,
    AttackOdds,
    RallyOdds,
    melee_odds,
    morale_odds,
    morale_ways,
    rally_odds,
    shooting_odds,
)
from rulebook.odds.distribution import Distribution, chance_to_roll, hits_then_saves
from rulebook.odds.melee import ExchangeEnd, ExchangeOdds, FightOdds, exchange_odds, fight_odds
from rulebook.odds.spells import CastOdds, SpellOdds, cast_odds

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
    "clear_caches",
    "exchange_odds",
    "fight_odds",
    "hits_then_saves",
    "melee_odds",
    "morale_odds",
    "rally_odds",
    "shooting_odds",
]


def clear_caches() -> None:
    """Clear the caches, for fair timing."""
    cached_casualty_order.cache_clear()
    morale_ways.cache_clear()
