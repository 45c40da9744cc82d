"""Counting battles, with intervals that show how little three games prove."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from battles.result.core.win_rates import Game, GameSide, UnitResult, tally_games, wilson_interval


def test_wilson_intervals_as_in_the_tables():
    """Newcombe 1998: 81 of 263 gives 0.2553 to 0.3662, 0 of 20 gives 0 to 0.1611."""
    assert wilson_interval(81, 263) == pytest.approx((0.2553, 0.3662), abs=1e-4)
    assert wilson_interval(0, 20) == pytest.approx((0.0, 0.1611), abs=1e-4)
    assert wilson_interval(0, 0) == (0.0, 1.0)


@given(st.integers(1, 500), st.data())
def test_the_share_lies_within_its_interval(played, data):
    won = data.draw(st.integers(0, played))
    low, high = wilson_interval(won, played)
    assert 0 <= low <= won / played <= high <= 1


def part(letter, result, **more):
    return GameSide(letter, "attacker" if letter == "A" else "defender", result, **more)


def test_three_wins_are_inconclusive_and_thirty_are_not():
    three = tally_games([Game("ambush", (part("A", "won"), part("B", "lost")))] * 3).scenarios["ambush"]
    assert (three.played, three.won, three.is_conclusive) == (3, 3, False)
    thirty = tally_games([Game("ambush", (part("A", "won"), part("B", "lost")))] * 30).scenarios["ambush"]
    assert thirty.is_conclusive


def test_a_unit_counts_once_per_battle_and_every_removal_counts():
    units = (
        UnitResult("hoppers", None, True),
        UnitResult("hoppers", None, False),
        UnitResult("rat_riders", "wizard", False),
        UnitResult(None, None, True),
    )
    found = tally_games(
        [Game("ambush", (part("A", "won", units=units, person=7, kingdom=("c:k1", "Oakhold")), part("B", "lost")))]
    )
    hoppers = found.units["hoppers"]
    assert (hoppers.played, hoppers.won, hoppers.fielded, hoppers.removed) == (1, 1, 2, 1)
    assert found.heroes["wizard"].won == 1
    assert found.people["7"].played == 1
    assert found.kingdoms["c:k1"].name == "Oakhold"
    assert found.sides["ambush:B"].lost == 1


def test_a_draw_is_half_a_win():
    found = tally_games([Game(None, (part("A", "drawn"), part("B", "drawn")))]).scenarios[""]
    assert (found.share, found.drawn, found.lost) == (0.5, 1, 0)
