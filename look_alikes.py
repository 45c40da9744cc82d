"""Names that look like another name: invisible characters, two alphabets in a word, a word of another alphabet.

A whole Cyrillic word can be an honest name (Вера) and still look like a Latin one (Bepa), so it is only refused where
the other name is known: two different names with the same ``shape_of`` look alike. So do WiIIow and Willow.
"""

import unicodedata
from collections.abc import Iterable

from refusal import Refusal

JOINERS = "\u200c\u200d"
FILLERS = "\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0"
ALPHABETS = ("LATIN", "CYRILLIC", "GREEK")

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
# A capital I and a bar are a small l in most fonts.
_SAME_STROKE = str.maketrans("I|", "ll")


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


def shape_of(name: str) -> str:
    """The same for all names that look the same. A word is read as Latin if each of its letters has a twin there."""
    return " ".join(_to_latin(word) for word in name.split()).translate(_SAME_STROKE)


def looks_like(name: str, other: str) -> bool:
    return name != other and shape_of(name) == shape_of(other)


def require_plain_names(names: Iterable[str]) -> None:
    """Refuse names with characters that cannot be seen, or with two alphabets in a word."""
    for name in names:
        if drop_invisible(name) != name:
            raise Refusal(f"“{drop_invisible(name)[:80]}” has invisible characters. Type it again.", field="name")
        if mixed := find_mixed_word(name):
            raise Refusal(f"“{mixed[:80]}” mixes letters of two alphabets. Use one for each word.", field="name")


def look_alike_refusal(name: str) -> Refusal:
    return Refusal(f"“{name[:80]}” looks like another name. Choose a different name.", field="name")


def _to_latin(word: str) -> str:
    letters = [_TO_LATIN.get(char, char) for char in word]
    return "".join(letters) if all(_alphabet(char) in ("LATIN", "") for char in letters) else word


def _alphabet(char: str) -> str:
    """Of the alphabets that share the shapes of letters; "" for everything else."""
    first = unicodedata.name(char, "").partition(" ")[0]
    return first if first in ALPHABETS else ""
