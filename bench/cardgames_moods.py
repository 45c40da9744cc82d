"""Moods of the Mad King: random play against Royal Menagerie, loading against the bare rules, and its bots."""

from __future__ import annotations

from bench import _card_bots
from bench._card_bots import Row

SEATS, MAX_SEATS = 3, 4


def run() -> list[Row]:
    speed, load = _card_bots.ratios("moods", SEATS, games=24, rounds=11)
    margin = _card_bots.hard_minus_easy("moods", SEATS)
    p95, note = _card_bots.decision_times("moods", MAX_SEATS, games=6)
    return [
        ("Moods, random play / Royal Menagerie", speed, "per recorded decision, three seats", (">=", 0.5)),
        ("Moods, load of a finished game / bare rules", load, "three seats", ("<=", 2.0)),
        ("Moods, Hard minus Easy, lower 95 % bound in points", margin.bound * 100, margin.note, (">=", 8.0)),
        ("Moods, bot's decision, p95 in ms", p95, note, ("<=", 150.0)),
    ]
