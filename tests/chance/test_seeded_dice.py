"""The same seed always rolls the same, and every face is equally likely."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, strategies as st

from chance import Dice, new_seed, normalise_word, seal_words


def test_seed_thorn_rolls_as_in_the_first_release():
    dice = Dice("thorn")
    assert dice.d10s(20) == [5, 6, 6, 10, 4, 10, 7, 1, 9, 2, 10, 4, 8, 6, 6, 6, 5, 8, 1, 3]
    assert dice.below(52) == 8
    assert dice.shuffled(range(10)) == [1, 2, 6, 3, 5, 0, 7, 9, 4, 8]
    assert Dice(b"thorn").d10s(5) == Dice("thorn").d10s(5)
    assert Dice("thorn").child("deck").d10s(8) == Dice("thorn").child("deck").d10s(8)
    assert Dice("thorn").child("deck").d10s(8) != Dice("thorn").child("play").d10s(8)


def chi_square(counts: Counter[int], faces: list[int]) -> float:
    expected = sum(counts.values()) / len(faces)
    return sum((counts[face] - expected) ** 2 / expected for face in faces)


def test_every_face_of_the_d10_is_equally_likely():
    counts = Counter(Dice("fair").d10s(100_000))
    assert set(counts) == set(range(1, 11))
    assert chi_square(counts, list(range(1, 11))) < 27.9  # p = 0.001 at 9 degrees of freedom


@pytest.mark.parametrize("limit", [2, 3, 7, 10, 52, 255, 256, 257, 1000])
def test_below_is_fair_and_in_range(limit):
    dice = Dice(f"below {limit}")
    drawn = [dice.below(limit) for _ in range(20_000)]
    assert min(drawn) >= 0
    assert max(drawn) < limit
    buckets = Counter(value * min(limit, 7) // limit for value in drawn)
    sizes = Counter(value * min(limit, 7) // limit for value in range(limit))
    chi = sum((buckets[b] - 20_000 * size / limit) ** 2 / (20_000 * size / limit) for b, size in sizes.items())
    assert chi < 26


def test_below_zero_is_refused():
    with pytest.raises(ValueError, match="at least 1"):
        Dice("x").below(0)


@given(st.binary(max_size=40), st.lists(st.integers(), max_size=60))
def test_a_shuffle_keeps_every_card(seed, cards):
    assert sorted(Dice(seed).shuffled(cards)) == sorted(cards)


def test_all_orders_of_three_cards_come_up():
    dice = Dice("orders")
    orders = Counter(tuple(dice.shuffled("abc")) for _ in range(6000))
    assert len(orders) == 6
    assert min(orders.values()) > 850


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Thorn", "thorn"),
        ("  thorn ", "THORN"),
        ("Straße", "STRASSE"),
        ("café", "cafe\u0301"),
        ("Мышь", "мышь"),
        ("鼠", "鼠 "),
    ],
)
def test_word_is_the_same_on_every_keyboard(one, other):
    assert normalise_word(one) == normalise_word(other)
    assert seal_words([one, "x"]) == seal_words([other, "X"])


@given(st.text())
def test_normalising_twice_changes_nothing_more(word):
    assert normalise_word(normalise_word(word)) == normalise_word(word)


def test_words_cannot_be_shifted_between_captains():
    assert seal_words(["ab", "c"]) != seal_words(["a", "bc"])
    assert seal_words(["a", "b"]) != seal_words(["b", "a"])


def test_new_seed_is_long_and_unique():
    seeds = {new_seed() for _ in range(100)}
    assert len(seeds) == 100
    assert all(len(seed) == 32 for seed in seeds)
