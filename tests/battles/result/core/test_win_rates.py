"""Counting battles: intervals that say how little three games prove."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from battles.telling.tally import Game, Part, Taken, tallied, wilson


def test_wilson_intervals_as_in_the_tables():
    """Newcombe 1998: 81 of 263 gives 0.2553 to 0.3662, 0 of 20 gives 0 to 0.1611."""
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=1e-4)
    assert wilson(0, 20) == pytest.approx((0.0, 0.1611), abs=1e-4)
    assert wilson(0, 0) == (0.0, 1.0)


@given(st.integers(1, 500), st.data())
def test_the_share_lies_within_its_interval(played, data):
    won = data.draw(st.integers(0, played))
    low, high = wilson(won, played)
    assert 0 <= low <= won / played <= high <= 1


def part(letter, result, **more):
    return Part(letter, "attacker" if letter == "A" else "defender", result, **more)


def test_three_games_are_no_proof_and_thirty_are():
    three = tallied([Game("ambush", (part("A", "won"), part("B", "lost")))] * 3).scenarios["ambush"]
    assert (three.played, three.won, three.says_something) == (3, 3, False)
    thirty = tallied([Game("ambush", (part("A", "won"), part("B", "lost")))] * 30).scenarios["ambush"]
    assert thirty.says_something


def test_units_are_counted_once_a_battle_and_every_one_that_was_removed():
    units = (
        Taken("hoppers", None, True),
        Taken("hoppers", None, False),
        Taken("rat_riders", "wizard", False),
        Taken(None, None, True),
    )
    found = tallied(
        [Game("ambush", (part("A", "won", units=units, person=7, kingdom=("c:k1", "Oakhold")), part("B", "lost")))]
    )
    hoppers = found.units["hoppers"]
    assert (hoppers.played, hoppers.won, hoppers.fielded, hoppers.removed) == (1, 1, 2, 1)
    assert found.heroes["wizard"].won == 1
    assert found.people["7"].played == 1
    assert found.kingdoms["c:k1"].name == "Oakhold"
    assert found.sides["ambush:B"].lost == 1


def test_a_draw_is_half_a_win():
    found = tallied([Game(None, (part("A", "drawn"), part("B", "drawn")))]).scenarios[""]
    assert (found.share, found.drawn, found.lost) == (0.5, 1, 0)
