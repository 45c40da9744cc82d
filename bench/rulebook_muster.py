"""Full random musters compared with rolling their dice alone: what the rules cost."""

from __future__ import annotations

from functools import partial
from random import Random
from time import perf_counter

from rulebook.data.muster_table import MusterCall
from rulebook.muster.roll_muster import muster_army

ARMIES = 20_000
ROUNDS = 5


def run() -> list[tuple[str, float, str, tuple[str, float]]]:
    """The best of a few rounds on both sides: noise only ever adds time."""
    call = MusterCall()
    musters, dice_alone, thrown = float("inf"), float("inf"), 0
    for turn in range(ROUNDS):
        roll = partial(Random(turn).randint, 1, 10)
        started = perf_counter()
        thrown = 0
        for _ in range(ARMIES):
            thrown += len(muster_army(call, roll).dice)
        musters = min(musters, (perf_counter() - started) / thrown)
        started = perf_counter()
        for _ in range(thrown):
            roll()
        dice_alone = min(dice_alone, (perf_counter() - started) / thrown)
    per_army = thrown / ARMIES
    note = f"{1 / (musters * per_army):,.0f} armies per second, {per_army:.1f} dice each"
    return [("full random musters / the randint calls they use", musters / dice_alone, note, ("<=", 10))]
