"""A second implementation of Of Mice and Monarchs: the plain generator used in the benchmarks plays the same games."""

from __future__ import annotations

import pytest

from bench.bare_monarchs import Bare
from cardgames.engine import FastRng
from cardgames.games import new_table, replay


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_two_implementations_agree_on_every_decision(seats: int) -> None:
    decisions = 0
    for number in range(12):
        seed, rng = b"second %d" % number, FastRng(number)
        live = replay(new_table("monarchs", seats, seed=seed))
        script = Bare(seed, seats).play()
        ask = next(script)
        while True:
            assert live.asked_seats == (ask.seat,)
            assert live.single is not None
            assert sorted(live.single.options) == sorted(ask.options)
            key = sorted(ask.options)[rng.below(len(ask.options))]
            live.choose(ask.seat, key)
            decisions += 1
            try:
                ask = script.send(ask.options[key])
            except StopIteration as end:
                winners, scores = end.value
                break
        assert live.result is not None
        assert (list(live.result.winners), list(live.result.scores)) == (winners, scores)
    assert decisions > 500
