"""Checks of input: dice, counts, keys."""

from __future__ import annotations

import pytest

from refusal import Refusal
from rulebook.input_checks import (
    FACES,
    check_count,
    check_d10,
    check_d10s,
    check_inches,
    check_one_of,
    check_whole_number,
    look_up,
)
from text import join_list


@pytest.mark.parametrize("face", FACES)
def test_a_d10_shows_one_to_ten(face: int) -> None:
    assert check_d10(face) == face


@pytest.mark.parametrize("value", [0, 11, -1, True, False, 3.0, "7", None, [5]])
def test_a_roll_outside_one_to_ten_is_refused_by_name(value: object) -> None:
    with pytest.raises(Refusal) as refused:
        check_d10(value, "muster roll")
    shown = f"“{value}”" if isinstance(value, str) else repr(value)
    assert refused.value.sentence == f"The muster roll is {shown}. A d10 shows 1 to 10."
    assert refused.value.status == 422


def test_number_of_dice_must_match_the_request() -> None:
    assert check_d10s([1, 10], number=2) == (1, 10)
    with pytest.raises(Refusal, match="needs 3 dice, not 2"):
        check_d10s([1, 10], "attack", number=3)
    with pytest.raises(Refusal, match="A d10 shows 1 to 10"):
        check_d10s([1, 12], "attack")
    with pytest.raises(Refusal, match="a list of d10s"):
        check_d10s("12", "attack")


@pytest.mark.parametrize("value", [-1, 2.5, True, "3", None])
def test_a_count_is_a_whole_number_and_not_negative(value: object) -> None:
    with pytest.raises(Refusal, match="Give a whole number, 0 or more"):
        check_count(value, "models lost")


def test_count_must_be_within_its_bounds() -> None:
    assert check_count(4, "models", most=4) == 4
    with pytest.raises(Refusal, match=r"The models is 5\. Give a whole number, 0 to 4"):
        check_count(5, "models", most=4)


def test_loyalty_may_be_negative_but_not_half() -> None:
    assert check_whole_number(-3, "loyalty") == -3
    with pytest.raises(Refusal, match=r"The loyalty is 0\.5"):
        check_whole_number(0.5, "loyalty")


@pytest.mark.parametrize("value", [-0.1, float("inf"), float("nan"), True, "8", None])
def test_a_distance_is_finite_and_not_negative(value: object) -> None:
    assert check_inches(8, "range") == 8.0
    with pytest.raises(Refusal, match="a distance in inches"):
        check_inches(value, "range")


def test_unknown_key_is_refused_with_the_known_keys() -> None:
    assert look_up("a", {"a": 1}, "letter") == 1
    with pytest.raises(Refusal, match=r"There is no letter “z”\. Choose one of a and b"):
        look_up("z", {"a": 1, "b": 2}, "letter")
    with pytest.raises(Refusal, match="There is no letter 3"):
        look_up(3, {"a": 1}, "letter")
    with pytest.raises(Refusal, match="Choose one of left and right"):
        check_one_of("up", ("left", "right"), "direction")


def test_words_are_joined_with_commas_and_and() -> None:
    assert join_list([]) == ""
    assert join_list(["a"]) == "a"
    assert join_list(["a", "b"]) == "a and b"
    assert join_list("abc", "or") == "a, b or c"
