"""A second implementation of Royal Menagerie: the plain generator used in the benchmarks plays the same games."""

from __future__ import annotations

from bench.bare_menagerie import Bare
from cardgames.engine import FastRng
from cardgames.games import new_table, replay


def test_two_implementations_agree_on_every_decision() -> None:
    decisions = 0
    for number in range(60):
        seed, rng = b"second %d" % number, FastRng(number)
        live = replay(new_table("menagerie", 4, seed=seed))
        script = Bare(seed).play()
        ask = next(script)
        while True:
            assert live.asked_seats == (ask.seat,)
            assert sorted(live.single.options) == sorted(ask.options)
            key = sorted(ask.options)[rng.below(len(ask.options))]
            live.choose(ask.seat, key)
            decisions += 1
            try:
                ask = script.send(ask.options[key])
            except StopIteration as end:
                outcome, winners, scores = end.value
                break
        assert live.result is not None
        assert (live.result.outcome, list(live.result.winners), list(live.result.scores)) == (
            outcome,
            sorted(winners),
            scores,
        )
    assert decisions > 4000
