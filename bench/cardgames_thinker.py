"""The thinking bot as Vizier against three random players: 400 games, 100 ms for each decision."""

from __future__ import annotations

import math
import os
import statistics
import time
from concurrent.futures import ProcessPoolExecutor

from cardgames.bots import MonteCarloBot, RandomBot, choose_for_bot
from cardgames.engine import FastRng
from cardgames.games import new_table, replay

GAMES = 400
BUDGET = 0.1


def vizier_wins(number: int, thinking: bool) -> tuple[bool, list[float]]:
    """One game: whether the Vizier won, alone or shared, and how long each of its decisions took."""
    live = replay(new_table("menagerie", 4, seed=b"thinker %d" % number))
    rngs = [FastRng(number * 10 + seat) for seat in range(4)]
    bot, chance, took = MonteCarloBot(rollouts=400, seconds=BUDGET), RandomBot(), []
    while live.result is None:
        seat = live.asked_seats[0]
        start = time.perf_counter()
        key = choose_for_bot(bot if thinking and seat == live.table.vizier else chance, live, seat, rngs[seat])
        if thinking and seat == live.table.vizier:
            took.append(time.perf_counter() - start)
        live.choose(seat, key)
    return live.table.vizier in live.result.winners, took


def run() -> list[tuple[str, float, str, tuple[str, float]]]:
    with ProcessPoolExecutor(max_workers=os.cpu_count()) as pool:
        thought = list(pool.map(vizier_wins, range(GAMES), [True] * GAMES, chunksize=4))
    won = sum(win for win, _ in thought)
    other = sum(vizier_wins(number, False)[0] for number in range(GAMES))
    p, q = won / GAMES, other / GAMES
    spread = 1.96 * math.sqrt(p * (1 - p) / GAMES + q * (1 - q) / GAMES)
    times = [took for _, each in thought for took in each]
    note = (
        f"{won} of {GAMES} games won ({p:.0%}), a random Vizier {other} ({q:.0%}), ± {spread * 100:.1f} points; "
        f"decisions {statistics.median(times) * 1e3:.0f} ms, longest {max(times) * 1e3:.0f} ms"
    )
    return [("Monte-Carlo Vizier, points above chance, lower 95 % bound", (p - q - spread) * 100, note, (">=", 15.0))]
