"""Odds of roll-offs, lost houses and random events over several rounds, against every possible die."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from refusal import Refusal
from rulebook.campaign.roll_off import RollOff
from rulebook.data.battlefield import EVENTS, event_for_roll, has_event
from rulebook.data.house_rules import Options
from rulebook.data.muster_table import MusterCall
from rulebook.odds.muster import army_odds, house_odds, lost_houses_odds
from rulebook.odds.rolls import event_count_odds, event_odds, reroll_odds, roll_off_odds


def walk(rolling: RollOff, depth: int) -> dict[str, Fraction]:
    """Every die, rolled by the roll-off itself; those who still tie at the end have equal chances."""
    if rolling.winner is not None:
        return {rolling.winner: Fraction(1)}
    waiting = rolling.waiting
    if depth == 0:
        return {player: Fraction(1, len(waiting)) for player in waiting}
    values: dict[str, Fraction] = {}
    for faces in product(range(1, 11), repeat=len(waiting)):
        after = rolling.with_rolls(dict(zip(waiting, faces, strict=True)))
        for player, chance in walk(after, depth - 1).items():
            values[player] = values.get(player, Fraction(0)) + chance / 10 ** len(waiting)
    return values


@pytest.mark.parametrize(
    ("rolling", "depth"),
    [
        (RollOff.start(["a", "b"]), 1),
        (RollOff.start(["a", "b", "c"]), 1),
        (RollOff.start(["a", "b"]).with_roll("a", 7), 1),
        (RollOff.start(["a", "b", "c"]).with_roll("a", 7), 2),
        (RollOff.start(["a", "b", "c"]).with_rolls({"a": 7, "b": 7}), 1),
        (RollOff.start(["a", "b", "c"]).with_rolls({"a": 7, "b": 7, "c": 2}).with_roll("b", 3), 1),
        (RollOff.start(["a", "b", "c"], passing=["a"]).with_rolls({"a": 10, "b": 4}), 1),
        (RollOff.start(["a", "b", "c"]).with_rolls({"a": 5, "b": 5, "c": 5}).with_rolls({"a": 9, "c": 9}), 1),
    ],
)
def test_roll_off_odds_match_every_roll(rolling: RollOff, depth: int) -> None:
    """ATTACKER-01, R-68, R-74"""
    odds = roll_off_odds(rolling)
    assert sum(odds.values()) == 1
    walked = walk(rolling, depth)
    assert odds == {player: walked.get(player, Fraction(0)) for player in rolling.players}


def test_everybody_has_the_same_chance_before_the_first_die() -> None:
    """ATTACKER-01"""
    assert set(roll_off_odds(RollOff.start(list("abcde"))).values()) == {Fraction(1, 5)}


def test_a_bought_die_only_helps() -> None:
    """ATTACKER-02, R-57"""
    rolling = RollOff.start(["a", "b"], vp={"a": 1}).with_rolls({"a": 4, "b": 8})
    odds = reroll_odds(rolling, "a")
    assert (odds.wins, odds.ties, odds.before) == ((9, 10), (8,), 0)
    assert odds.wins_at_once == Fraction(1, 5)
    assert odds.after == Fraction(1, 5) + Fraction(1, 10) / 2
    with pytest.raises(Refusal, match="choose which die"):
        roll_off_odds(rolling.buy_reroll("a", 9))


@pytest.mark.parametrize("loyalty", [-3, -1, 0])
@pytest.mark.parametrize("lost", [(), (1, 3)])
def test_lost_houses_match_every_muster(loyalty: int, lost: tuple[int, ...]) -> None:
    """MUSTER-05"""
    call = MusterCall(loyalty, lost)
    nobody, loyal = house_odds(loyalty).nobody, 4 - len(lost)
    counted = [Fraction(0)] * (loyal + 1)
    for gone in product((False, True), repeat=loyal):
        chance = Fraction(1)
        for house in gone:
            chance *= nobody if house else 1 - nobody
        counted[sum(gone)] += chance
    assert lost_houses_odds(call).chances == tuple(counted)
    assert army_odds(call).any_fealty_lost == 1 - counted[0]
    twice = lost_houses_odds(call, 2)
    assert twice.chance(0) == counted[0] ** 2, "a house stays if it stays twice"
    assert sum(twice.chances) == 1


def test_fealty_below_the_limit_of_a_house_rule() -> None:
    """R-11 does not change what a capped loyalty loses."""
    assert (
        lost_houses_odds(MusterCall(-9, options=Options(loyalty_cap=1))).mean
        == lost_houses_odds(MusterCall(-1, options=Options(loyalty_cap=1))).mean
    )


def test_events_over_two_rounds_match_every_die() -> None:
    """EVENT-01, EVENT-02"""
    seen = dict.fromkeys((event.key for event in EVENTS), 0)
    rounds: list[str | None] = [
        event_for_roll(second).key if has_event(first) else None for first, second in product(range(1, 11), repeat=2)
    ]
    for one, two in product(rounds, repeat=2):
        for key in {one, two} - {None}:
            seen[str(key)] += 1
    assert event_odds(2) == {key: Fraction(number, 10**4) for key, number in seen.items()}
    assert event_count_odds(2).chances == (Fraction(49, 100), Fraction(42, 100), Fraction(9, 100))
    assert event_odds(1) == event_odds()
    with pytest.raises(Refusal, match="number of rounds is 0"):
        event_count_odds(0)
