"""What may come in: dice, counts, keys."""

from __future__ import annotations

import pytest

from refusal import Refusal
from rulebook.rolls import FACES, count, d10, d10s, inches, known, listed, one_of, whole


@pytest.mark.parametrize("face", FACES)
def test_a_d10_shows_one_to_ten(face: int) -> None:
    assert d10(face) == face


@pytest.mark.parametrize("value", [0, 11, -1, True, False, 3.0, "7", None, [5]])
def test_a_roll_outside_one_to_ten_is_refused_by_name(value: object) -> None:
    with pytest.raises(Refusal) as refused:
        d10(value, "muster roll")
    shown = f"“{value}”" if isinstance(value, str) else repr(value)
    assert refused.value.sentence == f"The muster roll is {shown}; a d10 shows 1 to 10."
    assert refused.value.status == 422


def test_several_dice_must_be_as_many_as_asked() -> None:
    assert d10s([1, 10], number=2) == (1, 10)
    with pytest.raises(Refusal, match="needs 3 dice, not 2"):
        d10s([1, 10], "attack", number=3)
    with pytest.raises(Refusal, match="a d10 shows 1 to 10"):
        d10s([1, 12], "attack")
    with pytest.raises(Refusal, match="a list of d10s"):
        d10s("12", "attack")


@pytest.mark.parametrize("value", [-1, 2.5, True, "3", None])
def test_a_count_is_a_whole_number_and_not_negative(value: object) -> None:
    with pytest.raises(Refusal, match="a whole number is needed, 0 or more"):
        count(value, "models lost")


def test_a_count_has_the_bounds_it_is_given() -> None:
    assert count(4, "models", most=4) == 4
    with pytest.raises(Refusal, match="The models is 5; a whole number is needed, 0 to 4"):
        count(5, "models", most=4)


def test_loyalty_may_be_negative_but_not_half() -> None:
    assert whole(-3, "loyalty") == -3
    with pytest.raises(Refusal, match=r"The loyalty is 0\.5"):
        whole(0.5, "loyalty")


@pytest.mark.parametrize("value", [-0.1, float("inf"), float("nan"), True, "8", None])
def test_a_distance_is_finite_and_not_negative(value: object) -> None:
    assert inches(8, "range") == 8.0
    with pytest.raises(Refusal, match="a distance in inches"):
        inches(value, "range")


def test_an_unknown_key_is_named_with_the_keys_there_are() -> None:
    assert known("a", {"a": 1}, "letter") == 1
    with pytest.raises(Refusal, match="There is no letter “z”; there are a and b"):
        known("z", {"a": 1, "b": 2}, "letter")
    with pytest.raises(Refusal, match="There is no letter 3"):
        known(3, {"a": 1}, "letter")
    with pytest.raises(Refusal, match="it is one of left and right"):
        one_of("up", ("left", "right"), "direction")


def test_words_are_listed_as_a_sentence_lists_them() -> None:
    assert listed([]) == ""
    assert listed(["a"]) == "a"
    assert listed(["a", "b"]) == "a and b"
    assert listed("abc", "or") == "a, b or c"
