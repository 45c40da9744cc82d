"""Leaks: in 10,000 states of each game, what a seat sees must not change when the hidden cards are dealt again."""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor

from tests.cardgames.engine import game_laws
from tests.cardgames.games.every_setup import REAL

STATES = 10_000
GAMES = (
    *("menagerie", "monarchs, two"),
    *("moods, two", "moods, three, somebody says who begins", "moods, four"),
    *("majesty, four", "majesty, six, muse attends"),
)
PARTS = 10


def tried(name: str, first: int, states: int) -> game_laws.LeakCount:
    return game_laws.leaks(*REAL[name], states, first=first)


def run(workers: int | None = None) -> list[tuple[str, float, str, tuple[str, float]]]:
    rows = []
    with ProcessPoolExecutor(max_workers=workers or os.cpu_count()) as pool:
        for name in GAMES:
            starts = [number * 1000 for number in range(PARTS)]
            done = list(pool.map(tried, [name] * PARTS, starts, [STATES // PARTS] * PARTS))
            states, worlds, leaks, windows = (sum(column) for column in zip(*done, strict=True))
            note = f"{states:,} states, {worlds:,} of them really dealt otherwise"
            note += f", {windows:,} in reaction windows" if windows else ""
            rows.append((f"Leaks, {name}", float(leaks), note, ("<=", 0.0)))
    return rows
