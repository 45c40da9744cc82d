"""The odds of each random event."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from rulebook.data.random_events import EVENT_FROM, EVENTS


def event_odds() -> Mapping[str, Fraction]:
    """The chance that a round begins with each event."""
    any_event = Fraction(11 - EVENT_FROM, 10)
    return {event.key: any_event * Fraction(event.high - event.low + 1, 10) for event in EVENTS}
