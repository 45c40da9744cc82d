"""Exact odds of an attack compared with one simulated attack by the same engine, without caching."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from time import perf_counter

from rulebook.battle.attack_situations import Melee, Shooting
from rulebook.battle.combat import attack_in_melee, shoot
from rulebook.battle.dice import run_script
from rulebook.battle.unit_in_play import Place, UnitInPlay, cached_casualty_order, new_unit
from rulebook.odds.attack import melee_odds, morale_ways, shooting_odds

ROUNDS = 7
TIMES = 40
TARGET = 2_000

SITUATIONS: tuple[Melee | Shooting, ...] = (
    Melee(new_unit("mice_at_arms", "champion"), new_unit("mice_at_arms", "cleric"), charged=True),
    Melee(new_unit("mice_at_arms", "assassin"), UnitInPlay("mice_at_arms", 5, "snake_slayer", blessed=True)),
    Melee(new_unit("rat_riders", "barbarian", spear=True), new_unit("king", "musician"), charged=True),
    Melee(new_unit("king"), new_unit("battle_cat", spear=True, shield=True), Place("mound"), Place(flanked=1)),
    Melee(
        UnitInPlay("bow_mice", 4, kissed=1),
        new_unit("field_mice", ladybug=True),
        target_at=Place("barrier", king="near"),
    ),
    Melee(new_unit("hoppers"), new_unit("rat_riders"), battling_back=True, event="storm"),
    Shooting(
        new_unit("bow_mice", "ranger"), new_unit("mice_at_arms", "wizard"), 12, target_at=Place("tall_patch", bearers=1)
    ),
    Shooting(new_unit("ballista"), new_unit("king", "standard_bearer"), 20),
)


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
            cached_casualty_order.cache_clear()
            morale_ways.cache_clear()
            if isinstance(situation, Melee):
                melee_odds(situation)
            else:
                shooting_odds(situation)


def _roll() -> None:
    random = Random(10)
    dice = iter(lambda: random.randint(1, 10), 0)
    for situation in SITUATIONS:
        for _ in range(TIMES):
            run_script(attack_in_melee(situation) if isinstance(situation, Melee) else shoot(situation), dice)


def run() -> list[tuple[str, float, str, tuple[str, float]]]:
    exact, rolled = _best(_work_out), _best(_roll)
    note = (
        f"{1 / exact:,.0f} situations per second (target {TARGET:,}), caches cleared before each; "
        f"an attack is rolled in {rolled * 1e6:.0f} µs"
    )
    return [("attack odds / one simulated attack", exact / rolled, note, ("<=", 30))]
