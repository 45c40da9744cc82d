"""Two Hard and two Medium bots at one table, seats and roles rotated: how often Hard wins where the two differ."""

from __future__ import annotations

import math
import os
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor

from cardgames.bots import LEVEL, MonteCarloBot, choose_for_bot
from cardgames.bots.bot_context import Bot
from cardgames.engine import FastRng
from cardgames.games import new_table, replay

GAMES = 400
# Deals on which no setting of the bots was chosen; those were compared on others.
DEAL = b"fresh levels %d"
# The seats of the two Hard bots: every way to choose two of four, in turn.
HARD_SEATS = ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))


def play_game(key: str, number: int, hard: Bot, medium: Bot) -> tuple[int, int, list[float]]:
    """One game: pairings of a Hard and a Medium bot that only one of the two won, those Hard won, and Hard's times.

    The same deal is played with the Hard bots on each pair of seats, so that each holds every role.
    """
    running = replay(new_table(key, 4, seed=DEAL % (number // len(HARD_SEATS))))
    seats = HARD_SEATS[number % len(HARD_SEATS)]
    rngs = [FastRng(number * 10 + seat) for seat in range(4)]
    took = []
    while running.result is None:
        seat = running.unanswered_seats[0]
        start = time.perf_counter()
        choice = choose_for_bot(hard if seat in seats else medium, running, seat, rngs[seat])
        if seat in seats:
            took.append(time.perf_counter() - start)
        running.choose(seat, choice)
    winners = set(running.result.winners)
    pairs = [(row in winners, other in winners) for row in seats for other in range(4) if other not in seats]
    decided = [ours for ours, theirs in pairs if ours != theirs]
    return len(decided), sum(decided), took


def share_with_bound(games: Sequence[tuple[int, int]]) -> tuple[float, float]:
    """Hard's share of the decided pairings and its lower 95 % bound; pairings of one game count as one sample."""
    decided, won = sum(game[0] for game in games), sum(game[1] for game in games)
    share = won / decided
    spread = math.sqrt(sum((wins - share * all_) ** 2 for all_, wins in games)) / decided
    return share, share - 1.96 * spread


def _play(arguments: tuple[str, int, int]) -> tuple[int, int, list[float]]:
    key, number, rollouts = arguments
    hard = MonteCarloBot(rollouts=rollouts) if rollouts else LEVEL["thinker"].bot
    return play_game(key, number, hard, LEVEL["greedy"].bot)


def measure(key: str, games: int, rollouts: int = 0, workers: int | None = None) -> tuple[float, float, list[float]]:
    with ProcessPoolExecutor(max_workers=workers or os.cpu_count()) as pool:
        played = list(pool.map(_play, [(key, number, rollouts) for number in range(games)], chunksize=4))
    share, bound = share_with_bound([(decided, won) for decided, won, _ in played])
    return share, bound, sorted(took for _, _, each in played for took in each)


def run() -> list[tuple[str, float, str, tuple[str, float]]]:
    rows: list[tuple[str, float, str, tuple[str, float]]] = []
    for key in ("menagerie", "monarchs"):
        share, bound, times = measure(key, GAMES)
        p95 = times[int(len(times) * 0.95)] * 1e3
        note = f"{share:.1%} of the decided pairings in {GAMES} games, decisions {p95:.0f} ms (p95)"
        rows.append((f"Hard against Medium at {key}, percent of pairings", share * 100, note, (">=", 60.0)))
        rows.append((f"Hard against Medium at {key}, lower 95 % bound", bound * 100, note, (">=", 52.0)))
        rows.append((f"Hard at {key}, decision in ms (p95)", p95, note, ("<=", 150.0)))
    return rows


if __name__ == "__main__":
    key, games, rollouts = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    share, bound, times = measure(key, games, rollouts, workers=1)
    print(f"{key}: {share:.1%}, lower bound {bound:.1%}; p95 {times[int(len(times) * 0.95)] * 1e3:.0f} ms")
