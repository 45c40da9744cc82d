"""Random events."""

from __future__ import annotations

from fractions import Fraction

import pytest

from refusal import Refusal
from rulebook.data.battlefield import (
    EVENT,
    EVENT_RULES,
    EVENTS,
    allows_move,
    apply_reinforcement_roll,
    event_for_roll,
    event_of,
    has_event,
    move_count,
    round_event,
)
from rulebook.data.house_rules import Options
from rulebook.data.units import UNIT
from rulebook.odds.rolls import event_odds

ON = Options(random_events=True)
RULE = {rule.key: rule for rule in EVENT_RULES}


@pytest.mark.parametrize(("roll", "strikes"), [(1, False), (7, False), (8, True), (10, True)])
def test_event_happens_on_eight_or_more(roll: int, strikes: bool) -> None:
    """EVENT-01"""
    assert has_event(roll) is strikes


def test_events_are_optional() -> None:
    """EVENT-01"""
    with pytest.raises(Refusal, match="has no random events"):
        round_event(9, 4)
    assert round_event(9, 4, ON) is EVENT["storm"]
    assert round_event(7, options=ON) is None


def test_second_die_is_rolled_only_when_there_is_an_event() -> None:
    """EVENT-02"""
    with pytest.raises(Refusal, match="Roll the second die"):
        round_event(8, options=ON)
    with pytest.raises(Refusal, match="no event on 7"):
        round_event(7, 3, ON)


def test_the_table_of_events_is_the_printed_one() -> None:
    """EVENT-02, R-04"""
    assert [event_for_roll(face).key for face in range(1, 11)] == [
        "mud",
        "mud",
        "windy",
        "storm",
        "speech",
        "speech",
        "favourable_wind",
        "favourable_wind",
        "messenger",
        "reinforcements",
    ]
    assert all(event.text for event in EVENTS)
    assert sum(event_odds().values()) == Fraction(3, 10)


def test_an_event_lasts_one_round_for_both_armies() -> None:
    """EVENT-03"""
    assert RULE["how_long"].text == "For that round, for both armies."


@pytest.mark.parametrize(("roll", "moves"), [(1, False), (2, False), (3, True), (10, True)])
def test_in_mud_a_unit_needs_three_or_more_to_move(roll: int, moves: bool) -> None:
    """EVENT-04, R-91"""
    assert allows_move(EVENT["mud"], roll) is moves
    assert allows_move(None)
    assert allows_move(EVENT["storm"])
    with pytest.raises(Refusal, match="Roll a d10 before the unit moves"):
        allows_move(EVENT["mud"])


def test_mud_does_not_stop_flight_or_an_attack() -> None:
    """R-91"""
    assert "can still attack from where it is" in EVENT["mud"].text
    assert "Fleeing units run" in EVENT["mud"].text


@pytest.mark.parametrize(
    ("key", "words", "number"),
    [
        ("windy", "Every shooting attack has a [D]", "EVENT-05"),
        ("storm", "shooting and melee", "EVENT-06"),
        ("favourable_wind", "long range has no [D]", "EVENT-08"),
        ("messenger", "+1 on all its Q rolls", "EVENT-09"),
    ],
)
def test_each_event_says_what_it_does(key: str, words: str, number: str) -> None:
    assert words in EVENT[key].text
    assert number in EVENT[key].rules


def test_after_a_speech_the_first_unit_of_each_army_may_move_twice() -> None:
    """EVENT-07, R-90"""
    assert move_count(EVENT["speech"], first_of_its_army=True) == 2
    assert move_count(EVENT["speech"], first_of_its_army=False) == 1
    assert move_count(EVENT["mud"], first_of_its_army=True) == 1
    assert "each army" in EVENT["speech"].text
    assert "each army" in EVENT["messenger"].text


@pytest.mark.parametrize(("roll", "after"), [(9, 2), (10, 3)])
def test_on_a_ten_one_lost_model_returns(roll: int, after: int) -> None:
    """EVENT-10, R-92"""
    assert apply_reinforcement_roll(UNIT["bow_mice"], 2, roll).models_after == after


def test_reinforcements_never_exceed_strength_or_revive_a_destroyed_unit() -> None:
    """R-92"""
    with pytest.raises(Refusal, match="no models lost"):
        apply_reinforcement_roll(UNIT["bow_mice"], 4, 10)
    with pytest.raises(Refusal, match="A removed unit"):
        apply_reinforcement_roll(UNIT["bow_mice"], 0, 10)
    # A wounded cat has lost no model, so nothing returns to it.
    with pytest.raises(Refusal, match="no models lost"):
        apply_reinforcement_roll(UNIT["battle_cat"], 1, 10)


def test_an_unknown_event_is_refused() -> None:
    with pytest.raises(Refusal, match="There is no event “plague”"):
        event_of("plague")
