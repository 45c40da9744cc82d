"""Your Majesty: random play against Royal Menagerie, loading against the bare rules, and its bots."""

from __future__ import annotations

from bench import _card_bots
from bench._card_bots import Row

SEATS, MAX_SEATS = 4, 6


def run() -> list[Row]:
    speed, load = _card_bots.ratios("majesty", SEATS, games=6, rounds=7)
    margin = _card_bots.hard_minus_easy("majesty", SEATS)
    p95, note = _card_bots.decision_times("majesty", MAX_SEATS, games=2)
    return [
        ("Your Majesty, random play / Royal Menagerie", speed, "per recorded decision, four seats", (">=", 0.3)),
        ("Your Majesty, load of a finished game / bare rules", load, "four seats", ("<=", 2.0)),
        ("Your Majesty, Hard minus Easy, lower 95 % bound in points", margin.bound * 100, margin.note, (">=", 15.0)),
        ("Your Majesty, bot's decision, p95 in ms", p95, note, ("<=", 150.0)),
    ]
