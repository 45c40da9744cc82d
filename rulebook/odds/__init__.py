"""Exact odds: no sampling, no rounding. Situations in, fractions out."""

from rulebook.inplay import ranks_of
from rulebook.odds.attack import AttackOdds, End, LadderOdds, melee, morale, morale_ways, rally_ladder, shooting
from rulebook.odds.exchanges import ExchangeEnd, ExchangeOdds, FoughtOut, exchange, fight_out
from rulebook.odds.spells import CastOdds, SpellOdds, cast
from rulebook.odds.spread import Distribution, hits_then_saves, needs

__all__ = [
    "AttackOdds",
    "CastOdds",
    "Distribution",
    "End",
    "ExchangeEnd",
    "ExchangeOdds",
    "FoughtOut",
    "LadderOdds",
    "SpellOdds",
    "cast",
    "clear_caches",
    "exchange",
    "fight_out",
    "hits_then_saves",
    "melee",
    "morale",
    "needs",
    "rally_ladder",
    "shooting",
]


def clear_caches() -> None:
    """Forget everything remembered between two questions, for an honest stopwatch."""
    ranks_of.cache_clear()
    morale_ways.cache_clear()
