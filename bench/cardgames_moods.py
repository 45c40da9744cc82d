"""Moods of the Mad King: random play against Royal Menagerie, loading against the bare rules, and its bots."""

from __future__ import annotations

import math
import os
import time
from concurrent.futures import ProcessPoolExecutor
from random import Random
from statistics import median
from time import process_time

from cardgames.bots import LEVEL, MonteCarloBot, choose_for_bot
from cardgames.engine import FastRng, QuestionGroup, Record, RunningTable, SeededSource
from cardgames.games import find_game, new_table, replay

GAMES = 24
ROUNDS = 11
SEATS = 3
PLAYED = 1000
# Few imagined games per decision, so that a thousand games fit into the bench. More only make the bot stronger.
ROLLOUTS = 24
TIMED = 12
Row = tuple[str, float, str, tuple[str, float]]


def tables(game: str, seats: int, first: int) -> list[Record]:
    return [new_table(game, seats, seed=b"bench %d" % number) for number in range(first, first + GAMES)]


def random_play(records: list[Record]) -> tuple[float, list[Record]]:
    """Seconds per decision of random play, recorded, with a view at every tenth step; and the games."""
    pick, decisions, played = Random(1).random, 0, []
    start = process_time()
    for record in records:
        running = replay(record)
        while running.result is None:
            seat = running.unanswered_seats[0]
            question = running.question_for(seat)
            assert question is not None
            keys = list(question.options)
            running.choose(seat, keys[int(pick() * len(keys))])
            decisions += 1
            if not decisions % 10:
                running.view(seat)
        played.append(running.to_record())
    return (process_time() - start) / decisions, played


def load(played: list[Record]) -> float:
    start = process_time()
    for record in played:
        RunningTable(find_game(record.game), record)
    return process_time() - start


def bare_load(played: list[Record]) -> float:
    """The rules alone: the same generator driven by the same rows, without a table around it."""
    start = process_time()
    for record in played:
        game = find_game(record.game)
        script = game.play(game.open_table(record.deck, record.seats, record.options, SeededSource(record.seed), False))
        ask, sealed = next(script), {}
        try:
            for seat, key in record.rows:
                if isinstance(ask, QuestionGroup):
                    sealed[seat] = ask.asks[seat].options[key]
                    if len(sealed) == len(ask.asks):
                        ask, sealed = script.send({other: sealed[other] for other in ask.asks}), {}
                else:
                    ask = script.send(ask.options[key])
        except StopIteration:
            pass
    return process_time() - start


def one_game(number: int) -> tuple[int, int]:
    """Whether the seat played well won, and how many of the two played carelessly did. Seats rotate."""
    running, rng = replay(new_table("moods", SEATS, seed=b"bots %d" % number)), FastRng(number)
    hard, careful = MonteCarloBot(rollouts=ROLLOUTS), number % SEATS
    while running.result is None:
        seat = running.unanswered_seats[0]
        bot = hard if seat == careful else LEVEL["random"].bot
        running.choose(seat, choose_for_bot(bot, running, seat, rng))
    winners = running.result.winners
    return int(careful in winners), sum(seat != careful for seat in winners)


def decision_times(number: int) -> list[float]:
    """How long each decision of the strongest bot takes, as a table waits for it."""
    running, rng, took = replay(new_table("moods", 4, seed=b"time %d" % number)), FastRng(number), []
    while running.result is None:
        seat = running.unanswered_seats[0]
        start = time.perf_counter()
        key = choose_for_bot(LEVEL["thinker"].bot, running, seat, rng)
        took.append(time.perf_counter() - start)
        running.choose(seat, key)
    return took


def run() -> list[Row]:
    ratios, loads = [], []
    for number in range(ROUNDS):
        spent, _ = random_play(tables("menagerie", 4, number * GAMES))
        ours, played = random_play(tables("moods", SEATS, number * GAMES))
        ratios.append(spent / ours)
        loads.append(load(played) / bare_load(played))
    with ProcessPoolExecutor(max_workers=os.cpu_count()) as pool:
        won = list(pool.map(one_game, range(PLAYED), chunksize=10))
    p, q = sum(one for one, _ in won) / PLAYED, sum(two for _, two in won) / (PLAYED * (SEATS - 1))
    spread = 1.96 * math.sqrt(p * (1 - p) / PLAYED + q * (1 - q) / (PLAYED * (SEATS - 1)))
    times = sorted(took for number in range(TIMED) for took in decision_times(number))
    p95 = times[int(len(times) * 0.95)]
    return [
        ("Moods, random play / Royal Menagerie", median(ratios), "per recorded decision, three seats", (">=", 0.5)),
        ("Moods, load of a finished game / bare rules", median(loads), "three seats", ("<=", 2.0)),
        (
            "Moods, Hard minus Easy, lower 95 % bound in points",
            (p - q - spread) * 100,
            f"{PLAYED} games at one table: {p:.0%} against {q:.0%}, ± {spread * 100:.1f} points",
            (">=", 8.0),
        ),
        ("Moods, bot's decision, p95 in ms", p95 * 1e3, f"four seats, longest {times[-1] * 1e3:.0f} ms", ("<=", 150.0)),
    ]
