"""The odds of random events, in one round or over several."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from rulebook.basics.input_checks import check_count
from rulebook.data.random_events import EVENT_FROM, EVENTS
from rulebook.odds.distribution import Distribution, chance_to_roll, hits_then_saves

MAX_ROUNDS = 100


def event_odds(rounds: int = 1) -> Mapping[str, Fraction]:
    """The chance that each event comes up at least once in so many rounds."""
    check_count(rounds, "number of rounds", least=1, most=MAX_ROUNDS)
    any_event = chance_to_roll(EVENT_FROM)
    return {event.key: 1 - (1 - any_event * Fraction(event.high - event.low + 1, 10)) ** rounds for event in EVENTS}


def event_count_odds(rounds: int) -> Distribution:
    """How many of so many rounds begin with an event."""
    check_count(rounds, "number of rounds", least=1, most=MAX_ROUNDS)
    return hits_then_saves(rounds, chance_to_roll(EVENT_FROM))
