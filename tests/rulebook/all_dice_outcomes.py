"""Every possible roll, played out one by one with the engine that resolves attacks at the table."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import TypeVar

from rulebook.battle.attack_situations import Rally
from rulebook.battle.dice import DiceRequest, Script, follow_script
from rulebook.battle.morale import MoraleTestResult, take_morale_test

R = TypeVar("R")


def resume_script(script: Script[R], faces: Sequence[int]) -> DiceRequest | R | None:
    """The next question, or the result."""
    progress = follow_script(script, faces)
    return progress.ask or progress.result


def all_faces(ask: DiceRequest) -> Iterator[tuple[tuple[int, ...], int]]:
    """Every possible roll of the requested dice."""
    for faces in product(range(1, 11), repeat=ask.count):
        yield faces, 1


def classes(ask: DiceRequest) -> Iterator[tuple[tuple[int, ...], int]]:
    """Group faces with the same effect: a miss, a hit. Morale, spells and the like stay face by face."""
    if ask.what not in ("hit", "re-roll", "extra", "save", "blessed save"):
        yield from all_faces(ask)
        return
    for good in product((False, True), repeat=ask.count):
        faces, ways = [], 1
        for die, hit in zip(ask.dice, good, strict=True):
            faces.append(die.needed if hit else die.needed - 1)
            ways *= 11 - die.needed if hit else die.needed - 1
        yield tuple(faces), ways


def every_way(
    script: Callable[[], Script[R]],
    seen: Callable[[R], Hashable],
    faces: Callable[[DiceRequest], Iterator[tuple[tuple[int, ...], int]]] = classes,
) -> dict[Hashable, Fraction]:
    """The exact chance of everything ``seen`` makes of a result."""
    chances: dict[Hashable, Fraction] = {}
    waiting: list[tuple[tuple[int, ...], int]] = [((), 1)]
    while waiting:
        rolled, ways = waiting.pop()
        now = resume_script(script(), rolled)
        if isinstance(now, DiceRequest):
            waiting += [((*rolled, *more), ways * times) for more, times in faces(now)]
        else:
            what = seen(now)
            chances[what] = chances.get(what, Fraction(0)) + Fraction(ways, 10 ** len(rolled))
    assert sum(chances.values()) == 1
    return chances


def spread(ways: dict[Hashable, Fraction]) -> dict[Hashable, Fraction]:
    """Leave out what cannot happen."""
    return {key: chance for key, chance in ways.items() if chance}


def rally_over_rounds(situation: Rally, rounds: int) -> Script[tuple[MoraleTestResult, ...]]:
    """A fleeing unit's tests, one each round, until it rallies or scatters or the rounds are over."""
    rungs: list[MoraleTestResult] = []
    for _ in range(rounds):
        rungs.append((yield from take_morale_test(situation)))
        if rungs[-1].outcome != "flee":
            break
        situation = situation.still_fleeing()
    return tuple(rungs)
