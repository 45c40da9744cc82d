"""Random play, loading and bots of one card game, for the games that are measured against Royal Menagerie.

python -m bench._card_bots majesty 4 1000     # Hard against Easy at one table, so many games, one process
"""

from __future__ import annotations

import math
import os
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from random import Random
from statistics import fmean, median, stdev
from time import process_time

from cardgames.bots import LEVEL, MonteCarloBot, choose_for_bot
from cardgames.bots.bot_context import Bot
from cardgames.engine import CLOCK, FastRng, QuestionGroup, Record, RunningTable, SeededSource
from cardgames.engine.table_state import GameEnded
from cardgames.games import find_game, new_table, replay

Row = tuple[str, float, str, tuple[str, float]]
# A table of bots ends by the round limit at the latest; this only keeps a fault from running for ever.
MAX_STEPS = 20_000
GAMES = 1000
# Few imagined games per decision, so that a thousand games fit into the bench. More only make the bot stronger.
FRUGAL = {"moods": MonteCarloBot(rollouts=24), "majesty": MonteCarloBot(rollouts=2, breadth=2)}


def tables(game: str, seats: int, first: int, count: int) -> list[Record]:
    return [new_table(game, seats, seed=b"bench %d" % number) for number in range(first, first + count)]


def random_play(records: Sequence[Record]) -> tuple[float, list[Record]]:
    """Seconds per decision of random play, recorded, with a view at every tenth step; and the games."""
    pick, decisions, played = Random(1).random, 0, []
    start = process_time()
    for record in records:
        running = replay(record)
        while running.result is None:
            waiting = running.unanswered_seats
            if not waiting:
                running.choose(CLOCK, running.pending_timer_keys()[0])
                continue
            seat = waiting[0]
            question = running.question_for(seat)
            assert question is not None
            keys = list(question.options)
            running.choose(seat, keys[int(pick() * len(keys))])
            decisions += 1
            if not decisions % 10:
                running.view(seat)
        played.append(running.to_record())
    return (process_time() - start) / decisions, played


def load(played: Sequence[Record]) -> float:
    start = process_time()
    for record in played:
        RunningTable(find_game(record.game), record)
    return process_time() - start


def bare_load(played: Sequence[Record]) -> float:
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


def ratios(game: str, seats: int, games: int, rounds: int) -> tuple[float, float]:
    """Menagerie's time per decision in ours, and loading against the bare rules; medians of rounds side by side."""
    speeds, loads = [], []
    for number in range(rounds):
        menagerie, _ = random_play(tables("menagerie", 4, number * 24, 24))
        ours, played = random_play(tables(game, seats, number * games, games))
        speeds.append(menagerie / ours)
        loads.append(load(played) / bare_load(played))
    return median(speeds), median(loads)


# Bots


def play_bots(record: Record, bots: Sequence[Bot], number: int, took: Callable[[int, float, float], None]) -> list[int]:
    """Plays a table of bots to its end and returns who won; ``took`` hears seat, seconds and processor seconds."""
    running = replay(record)
    rngs = [FastRng(number * 10 + seat) for seat in range(record.seats)]
    for _ in range(MAX_STEPS):
        if running.result is not None:
            return list(running.result.winners)
        waiting = running.unanswered_seats
        if not waiting:
            running.choose(CLOCK, running.pending_timer_keys()[0])
            continue
        seat = waiting[0]
        clock, processor = time.perf_counter(), process_time()
        key = choose_for_bot(bots[seat], running, seat, rngs[seat])
        took(seat, time.perf_counter() - clock, process_time() - processor)
        running.choose(seat, key)
    raise AssertionError("the bots' game does not end")


def one_game(game: str, seats: int, number: int, hard: Bot | None = None, other: str = "random") -> tuple[int, float]:
    """Whether the one seat of Hard won, and the share of the others' seats that won. Hard's seat rotates."""
    mine = number % seats
    bots = [hard or FRUGAL[game] if seat == mine else LEVEL[other].bot for seat in range(seats)]
    winners = play_bots(new_table(game, seats, seed=b"bots %d" % (number // seats)), bots, number, lambda *_: None)
    return int(mine in winners), sum(seat != mine for seat in winners) / (seats - 1)


@dataclass(frozen=True, slots=True)
class Margin:
    """Two win rates at the same tables. Both come from one game each time, so the bound is that of their difference."""

    games: int
    hard: float
    easy: float
    bound: float

    @property
    def note(self) -> str:
        spread = (self.hard - self.easy - self.bound) * 100
        return f"{self.games:,} games at one table: {self.hard:.1%} against {self.easy:.1%}, ± {spread:.1f} points"


def margin_of(won: Sequence[tuple[int, float]]) -> Margin:
    differences = [hard - easy for hard, easy in won]
    spread = 1.96 * stdev(differences) / math.sqrt(len(won))
    hard, easy = fmean(one for one, _ in won), fmean(others for _, others in won)
    return Margin(len(won), hard, easy, hard - easy - spread)


def hard_minus_easy(game: str, seats: int, games: int = GAMES, workers: int | None = None) -> Margin:
    with ProcessPoolExecutor(max_workers=workers or os.cpu_count()) as pool:
        won = list(pool.map(one_game, [game] * games, [seats] * games, range(games), chunksize=5))
    return margin_of(won)


def decision_times(game: str, seats: int, games: int) -> tuple[float, str]:
    """The 95th percentile of what a table of Hard bots waits for a decision, in ms, and a note."""
    waited: list[float] = []
    worked: list[float] = []

    def took(seat: int, clock: float, processor: float) -> None:
        waited.append(clock)
        worked.append(processor)

    for number in range(games):
        record = new_table(game, seats, seed=b"time %d" % number)
        play_bots(record, [LEVEL["thinker"].bot] * seats, number, took)
    waited.sort()
    worked.sort()
    place = int(len(waited) * 0.95)
    note = (
        f"{games} games of {seats} Hard bots that ended, {len(waited):,} decisions; longest {waited[-1] * 1e3:.0f} ms; "
        f"of processor time {worked[place] * 1e3:.0f} ms (p95)"
    )
    return waited[place] * 1e3, note


if __name__ == "__main__":
    game, seats, games = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    start, done = process_time(), []
    for number in range(games):
        done.append(one_game(game, seats, number))
        if len(done) > 1 and not len(done) % 25:
            found = margin_of(done)
            print(f"{game}: bound {found.bound * 100:.1f}; {found.note}; {process_time() - start:.0f} s", flush=True)
