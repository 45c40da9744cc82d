"""Game nights: ratings against a bare openskill loop, and an edit in the middle against a whole recomputation."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Callable
from dataclasses import replace
from statistics import median
from time import perf_counter

from openskill.models import PlackettLuce

from gamenights.plays.values import PlayerResult, PlayFacts, complete_play
from gamenights.standings.core.ratings import month_of, rate_months, rate_plays
from gamenights.standings.core.tally import Slot, add_up, tally_plays

PLAYS, PEOPLE, YEARS = 10_000, 500, 4


def run() -> list[tuple]:
    plays = make_plays()
    bare, ours = measure_pairs(lambda: bare_loop(plays), lambda: rate_plays(plays))
    pool = Slot("1")
    rated = [play for play in plays if play.game == pool.game]
    checkpoints = dict(rate_months(rated, {}))
    middle = month_of(rated[len(rated) * 3 // 4].day)
    whole, edit = measure_pairs(lambda: dict(rate_months(rated, {})), lambda: redo_from(rated, checkpoints, middle))
    months = [tally_plays(found) for found in by_month(plays).values()]
    count, merge = measure_pairs(lambda: tally_plays(plays), lambda: add_up(months))
    return [
        ("ratings of 10,000 plays / bare openskill loop", ours / bare, f"{ours:.2f} s / {bare:.2f} s", ("<=", 1.5)),
        (
            "rating after an edit three quarters in / all again",
            edit / whole,
            f"{edit * 1000:.0f} ms / {whole * 1000:.0f} ms",
            ("<=", 0.5),
        ),
        (
            "adding up 48 months / counting 10,000 plays",
            merge / count,
            f"{merge * 1000:.0f} ms / {count * 1000:.0f} ms",
        ),
    ]


def make_plays(plays: int = PLAYS, people: int = PEOPLE) -> list[PlayFacts]:
    """Contests of two to five people over four years, twenty games."""
    dice = random.Random(11)
    first = dt.date(2022, 1, 1)
    return [
        complete_play(
            PlayFacts(
                uuid=f"{number:08}",
                game=str(dice.randrange(20)),
                game_name="Game",
                day=first + dt.timedelta(days=number * 365 * YEARS // plays),
                players=tuple(
                    PlayerResult(f"{person}", f"Player {person}", score_text=str(dice.randrange(80)))
                    for person in dice.sample(range(people), dice.randint(2, 5))
                ),
            )
        )
        for number in range(plays)
    ]


def bare_loop(plays: list[PlayFacts]) -> None:
    """The least one can do with openskill for the same plays."""
    model = PlackettLuce()
    ratings: dict[tuple[str, str], object] = {}
    for play in plays:
        keys = [(play.game, player.person) for player in play.players]
        before = [[ratings.get(key) or model.rating()] for key in keys]
        after = model.rate(before, ranks=[float(player.place) for player in play.players])
        for key, (rating,) in zip(keys, after, strict=True):
            ratings[key] = rating


def redo_from(plays: list[PlayFacts], checkpoints: dict, middle: dt.date) -> None:
    before: dict = {}
    for month, changed in checkpoints.items():
        if month < middle:
            before |= changed
    later = [play for play in plays if month_of(play.day) >= middle]
    later[0] = replace(later[0], rated=True)
    dict(rate_months(later, before))


def by_month(plays: list[PlayFacts]) -> dict[dt.date, list[PlayFacts]]:
    found: dict[dt.date, list[PlayFacts]] = {}
    for play in plays:
        found.setdefault(month_of(play.day), []).append(play)
    return found


def measure_pairs(one: Callable[[], object], other: Callable[[], object], rounds: int = 3) -> tuple[float, float]:
    """Both in turn, so that a busy moment hits both; the median of each."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        for work, into in zip((one, other), times, strict=True):
            start = perf_counter()
            work()
            into.append(perf_counter() - start)
    return median(times[0]), median(times[1])
