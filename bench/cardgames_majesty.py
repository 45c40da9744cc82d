"""Your Majesty: random play against Royal Menagerie, loading against the bare rules, and its bots."""

from __future__ import annotations

import math
import os
import time
from concurrent.futures import ProcessPoolExecutor
from random import Random
from statistics import median
from time import process_time

from bench.cardgames_moods import Row, load
from bench.cardgames_moods import random_play as menagerie_play
from cardgames.bots import LEVEL, MonteCarloBot, choose_for_bot
from cardgames.engine import CLOCK, FastRng, QuestionGroup, Record, RunningTable, SeededSource
from cardgames.engine.table_state import GameEnded
from cardgames.games import find_game, new_table, replay

GAMES = 6
ROUNDS = 7
SEATS = 4
PLAYED = 1000
# Few imagined games per decision, so that a thousand games fit into the bench. More only make the bot stronger.
ROLLOUTS = 8
TIMED = 2
# A table of bots ends by the round limit at the latest; this only keeps a fault from running for ever.
MOST_STEPS = 20_000


def next_seat(running: RunningTable) -> int:
    """Who answers next: a seat, or the timer of a reaction window."""
    waiting = running.unanswered_seats
    return waiting[0] if waiting else CLOCK


def random_play(records: list[Record]) -> tuple[float, list[Record]]:
    """Seconds per decision of random play, recorded, with a view at every tenth step; and the games."""
    pick, decisions, played = Random(1).random, 0, []
    start = process_time()
    for record in records:
        running = replay(record)
        while running.result is None:
            seat = next_seat(running)
            if seat == CLOCK:
                running.choose(CLOCK, running.pending_timer_keys()[0])
                continue
            question = running.question_for(seat)
            assert question is not None
            keys = list(question.options)
            running.choose(seat, keys[int(pick() * len(keys))])
            decisions += 1
            if not decisions % 10:
                running.view(seat)
        played.append(running.to_record())
    return (process_time() - start) / decisions, played


def bare_load(played: list[Record]) -> float:
    """The rules alone: the same generator driven by the same rows, without a table around it."""
    start = process_time()
    for record in played:
        game = find_game(record.game)
        table = game.open_table(record.deck, record.seats, record.options, SeededSource(record.seed), False)
        table.ends_at_once = game.ends_at_once
        script = game.play(table)
        ask, sealed = next(script), {}
        try:
            for seat, key in record.rows:
                if seat == CLOCK:
                    continue
                if isinstance(ask, QuestionGroup):
                    sealed[seat] = ask.asks[seat].options[key]
                    if len(sealed) == len(ask.asks):
                        ask, sealed = script.send({other: sealed[other] for other in ask.asks}), {}
                else:
                    ask = script.send(ask.options[key])
        except (StopIteration, GameEnded):
            pass
    return process_time() - start


def one_game(number: int) -> tuple[int, int]:
    """Whether the seat played well won, and how many of those played carelessly did. Seats rotate."""
    running, rng = replay(new_table("majesty", SEATS, seed=b"bots %d" % number)), FastRng(number)
    hard, careful = MonteCarloBot(rollouts=ROLLOUTS), number % SEATS
    for _ in range(MOST_STEPS):
        if running.result is not None:
            break
        seat = next_seat(running)
        if seat == CLOCK:
            running.choose(CLOCK, running.pending_timer_keys()[0])
            continue
        bot = hard if seat == careful else LEVEL["random"].bot
        running.choose(seat, choose_for_bot(bot, running, seat, rng))
    assert running.result is not None
    winners = running.result.winners
    return int(careful in winners), sum(seat != careful for seat in winners)


def decision_times(number: int) -> list[float]:
    """How long each decision of the strongest bot takes in a game of six, as a table waits for it."""
    running, rng, took = replay(new_table("majesty", 6, seed=b"time %d" % number)), FastRng(number), []
    for _ in range(MOST_STEPS):
        if running.result is not None:
            break
        seat = next_seat(running)
        if seat == CLOCK:
            running.choose(CLOCK, running.pending_timer_keys()[0])
            continue
        start = time.perf_counter()
        key = choose_for_bot(LEVEL["thinker"].bot, running, seat, rng)
        took.append(time.perf_counter() - start)
        running.choose(seat, key)
    return took


def run() -> list[Row]:
    ratios, loads = [], []
    for number in range(ROUNDS):
        first = number * GAMES
        spent, _ = menagerie_play(
            [new_table("menagerie", 4, seed=b"bench %d" % one) for one in range(first, first + 24)]
        )
        tables = [new_table("majesty", SEATS, seed=b"bench %d" % one) for one in range(first, first + GAMES)]
        ours, played = random_play(tables)
        ratios.append(spent / ours)
        loads.append(load(played) / bare_load(played))
    with ProcessPoolExecutor(max_workers=os.cpu_count()) as pool:
        won = list(pool.map(one_game, range(PLAYED), chunksize=5))
    p, q = sum(one for one, _ in won) / PLAYED, sum(others for _, others in won) / (PLAYED * (SEATS - 1))
    spread = 1.96 * math.sqrt(p * (1 - p) / PLAYED + q * (1 - q) / (PLAYED * (SEATS - 1)))
    times = sorted(took for number in range(TIMED) for took in decision_times(number))
    p95 = times[int(len(times) * 0.95)]
    return [
        (
            "Your Majesty, random play / Royal Menagerie",
            median(ratios),
            "per recorded decision, four seats",
            (">=", 0.3),
        ),
        ("Your Majesty, load of a finished game / bare rules", median(loads), "four seats", ("<=", 2.0)),
        (
            "Your Majesty, Hard minus Easy, lower 95 % bound in points",
            (p - q - spread) * 100,
            f"{PLAYED} games at one table: {p:.0%} against {q:.0%}, ± {spread * 100:.1f} points",
            (">=", 15.0),
        ),
        (
            "Your Majesty, bot's decision, p95 in ms",
            p95 * 1e3,
            f"six seats, longest {times[-1] * 1e3:.0f} ms",
            ("<=", 150.0),
        ),
    ]
