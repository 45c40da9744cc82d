"""Names that look like another name: invisible characters, two alphabets in a word, a word of another alphabet.

A whole Cyrillic word can be an honest name (Вера) and still look like a Latin one (Bepa), so it is only a twin where
the other name is known: ``twin_spellings`` says which names to look for.
"""

from __future__ import annotations

import itertools
import string
import unicodedata
from collections.abc import Iterable

from refusal import Refusal

JOINERS = "\u200c\u200d"
FILLERS = "\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0"
ALPHABETS = ("LATIN", "CYRILLIC", "GREEK")
# Names of five words and more are compared as a whole.
MOST_SPELLINGS = 81

# Letters, and the Latin letters of the same shape below them.
_CYRILLIC = (
    "АаВСсԁЕеԌНһІіЈјКкӏМОоРрԚԛЅѕТѴѵԜԝХхУу",
    "AaBCcdEeGHhIiJjKklMOoPpQqSsTVvWwXxYy",
)
_GREEK = (
    "ΑαΒϹϲΕΗΙιϳΚκΜΝΟοΡρΤυνΧΥγΖ",
    "AaBCcEHIijKkMNOoPpTuvXYyZ",
)
_TO_LATIN = dict(zip(*_CYRILLIC, strict=True)) | dict(zip(*_GREEK, strict=True))
_FROM_LATIN = {
    "LATIN": {letter: letter for letter in string.ascii_letters},
    "CYRILLIC": dict(zip(*reversed(_CYRILLIC), strict=True)),
    "GREEK": dict(zip(*reversed(_GREEK), strict=True)),
}


def drop_invisible(text: str) -> str:
    """Without soft hyphens, zero-width spaces and the like. Joiners stay where they shape letters or emoji."""
    kept = []
    for before, char in zip(("", *text), text, strict=False):
        joins = char in JOINERS and before and not _alphabet(before)
        if joins or (unicodedata.category(char) != "Cf" and char not in FILLERS):
            kept.append(char)
    return "".join(kept)


def find_mixed_word(name: str) -> str:
    """A word with letters of two alphabets that look alike, such as a Cyrillic a in a Latin name; or ""."""
    return next((word for word in name.split() if len({_alphabet(char) for char in word} - {""}) > 1), "")


def twin_spellings(name: str) -> set[str]:
    """How this name could be written in other alphabets and look the same."""
    words = [sorted({_rewrite(word, alphabet) for alphabet in ALPHABETS}) for word in name.split()]
    found = {" ".join(choice) for choice in itertools.islice(itertools.product(*words), MOST_SPELLINGS)}
    found |= {" ".join(_rewrite(word, alphabet) for word in name.split()) for alphabet in ALPHABETS}
    return found - {name}


def require_plain_names(names: Iterable[str]) -> None:
    """Refuse names with characters that cannot be seen, or with two alphabets in a word."""
    for name in names:
        if drop_invisible(name) != name:
            raise Refusal(f"“{drop_invisible(name)[:80]}” has invisible characters. Type it again.", field="name")
        if mixed := find_mixed_word(name):
            raise Refusal(f"“{mixed[:80]}” mixes letters of two alphabets. Use one for each word.", field="name")


def twin_refusal(name: str) -> Refusal:
    return Refusal(f"“{name[:80]}” looks like another name in another alphabet. Choose a different name.", field="name")


def _rewrite(word: str, alphabet: str) -> str:
    """The word in this alphabet, letter by letter; as it is, if one letter has no twin there."""
    letters = [_FROM_LATIN[alphabet].get(_TO_LATIN.get(char, char), "") if _alphabet(char) else char for char in word]
    return "".join(letters) if all(letters) else word


def _alphabet(char: str) -> str:
    """Of the alphabets that share the shapes of letters; "" for everything else."""
    first = unicodedata.name(char, "").partition(" ")[0]
    return first if first in ALPHABETS else ""
