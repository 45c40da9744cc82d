"""Kills and luck, unit by unit, from the steps of a tracker."""

from __future__ import annotations

from fractions import Fraction

from battles.tracker.core.logged_steps import active_steps, read_feats
from tests.battles.tracker.core.memory_tracker import Play


def begun() -> Play:
    play = Play()
    play.begin()
    return play


def test_the_attacker_slays_what_falls_in_its_attack():
    play = begun()
    play.do("token", unit="B5", token="flees", on=True)
    play.do("fight", unit="A3", target="B5", how="charge")
    (kill,) = read_feats(active_steps(play.steps)).kills
    assert (kill.slayer.side, kill.slayer.house) == ("A", 2)
    assert (kill.victim.side, kill.victim.house) == ("B", 4)


def test_an_undone_attack_counts_for_nothing():
    play = begun()
    play.do("token", unit="B5", token="flees", on=True)
    play.do("fight", unit="A3", target="B5", how="charge")
    play.undo(play.steps[-1].number)
    assert read_feats(active_steps(play.steps)).kills == []


def test_luck_compares_the_attackers_dice_with_what_was_needed():
    play = begun()
    play.do("fight", unit="A4", target="B4", how="shoot")
    play.do("dice", fight="A4", faces=[10, 1, 1, 1])
    luck = {unit.house: one for unit, one in read_feats(active_steps(play.steps)).luck.items()}
    assert luck[3].dice == 4
    assert luck[3].successes == 1
    assert Fraction(0) < luck[3].expected < 4
