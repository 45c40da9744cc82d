"""Leaks: in 10,000 states of each game, what a seat sees must not change when the hidden cards are dealt again."""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor

from tests.cardgames.engine import game_laws
from tests.cardgames.games.every_setup import REAL

STATES = 10_000
GAMES = ("menagerie", "monarchs, two", "moods, two", "moods, three, somebody says who begins", "moods, four")


def tried(name: str, first: int, states: int) -> tuple[int, int, int]:
    return game_laws.leaks(*REAL[name], states, first=first)


def run() -> list[tuple[str, float, str, tuple[str, float]]]:
    parts, rows = 10, []
    with ProcessPoolExecutor(max_workers=os.cpu_count()) as pool:
        for name in GAMES:
            starts = [number * 1000 for number in range(parts)]
            done = list(pool.map(tried, [name] * parts, starts, [STATES // parts] * parts))
            states, worlds, leaks = (sum(column) for column in zip(*done, strict=True))
            note = f"{states:,} states, {worlds:,} of them really dealt otherwise"
            rows.append((f"Leaks, {name}", float(leaks), note, ("<=", 0.0)))
    return rows
