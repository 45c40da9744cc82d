"""The word list for slips: many, short, plain, and hard to confuse."""

from __future__ import annotations

import re

from battles.slip.access_codes import word_list

WORDS = word_list()


def test_there_are_enough_words_and_all_are_short_and_plain():
    assert len(WORDS) >= 2048
    assert len(set(WORDS)) == len(WORDS)
    assert all(re.fullmatch(r"[a-z]{4,8}", word) for word in WORDS)
    assert list(WORDS) == sorted(WORDS)


def test_no_word_is_a_prefix_of_another():
    whole = set(WORDS)
    assert not [word for word in WORDS if any(word[:at] in whole for at in range(3, len(word)))]


def test_no_two_words_differ_by_one_typo():
    """One letter changed, left out, added, or two neighbours swapped."""
    seen: dict[str, str] = {}
    for word in WORDS:
        for at in range(len(word)):
            gap = f"{word[:at]}_{word[at + 1 :]}"
            assert seen.setdefault(gap, word) == word
    whole = set(WORDS)
    for word in WORDS:
        assert not {word[:at] + word[at + 1 :] for at in range(len(word))} & whole
        swapped = {word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in range(len(word) - 1)} - {word}
        assert not swapped & whole
