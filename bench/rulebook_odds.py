"""Exact odds of an attack against one simulated attack by the same engine, nothing remembered in between."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from time import perf_counter

from rulebook import odds
from rulebook.combat import shoot, strike
from rulebook.inplay import Place, UnitInPlay, fresh
from rulebook.script import play
from rulebook.situations import Melee, Shooting

ROUNDS = 7
TIMES = 40
TARGET = 2_000

# fmt: off
SITUATIONS: tuple[Melee | Shooting, ...] = (
    Melee(fresh("mice_at_arms", "champion"), fresh("mice_at_arms", "cleric"), charged=True),
    Melee(fresh("mice_at_arms", "assassin"), UnitInPlay("mice_at_arms", 5, "snake_slayer", blessed=True)),
    Melee(fresh("rat_riders", "barbarian", spear=True), fresh("king", "musician"), charged=True),
    Melee(fresh("king"), fresh("battle_cat", spear=True, shield=True), Place("mound"), Place(flanked=1)),
    Melee(UnitInPlay("bow_mice", 4, kissed=1), fresh("field_mice", ladybug=True), target_at=Place("barrier", king="near")),
    Melee(fresh("hoppers"), fresh("rat_riders"), battling_back=True, event="storm"),
    Shooting(fresh("bow_mice", "ranger"), fresh("mice_at_arms", "wizard"), 12, target_at=Place("tall_patch", bearers=1)),
    Shooting(fresh("ballista"), fresh("king", "standard_bearer"), 20),
)
# fmt: on


def _best(act: Callable[[], None]) -> float:
    """Seconds for one situation in the best round: noise only ever adds time."""
    best = float("inf")
    for _ in range(ROUNDS):
        started = perf_counter()
        act()
        best = min(best, perf_counter() - started)
    return best / (TIMES * len(SITUATIONS))


def _work_out() -> None:
    for situation in SITUATIONS:
        for _ in range(TIMES):
            odds.clear_caches()
            if isinstance(situation, Melee):
                odds.melee(situation)
            else:
                odds.shooting(situation)


def _roll() -> None:
    random = Random(10)
    dice = iter(lambda: random.randint(1, 10), 0)
    for situation in SITUATIONS:
        for _ in range(TIMES):
            play(strike(situation) if isinstance(situation, Melee) else shoot(situation), dice)


def run() -> list[tuple[str, float, str, tuple[str, float]]]:
    exact, rolled = _best(_work_out), _best(_roll)
    note = (
        f"{1 / exact:,.0f} situations per second (target {TARGET:,}), caches cleared before each; "
        f"an attack is rolled in {rolled * 1e6:.0f} µs"
    )
    return [("attack odds / one simulated attack", exact / rolled, note, ("<=", 30))]
