"""Clean names without changing them more than necessary: any alphabet, trimmed, limited in length."""

from __future__ import annotations

import unicodedata

from refusal import Refusal

MAX_STORED = 200
MAX_SHOWN = 80

# Characters that would change the direction of the text around a name.
_OVERRIDES = dict.fromkeys(map(ord, "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"))


_JOINERS = "\u200c\u200d"
_FILLERS = "\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0"
_LOOK_ALIKE = {"LATIN", "CYRILLIC", "GREEK"}


def clean_text(text: str) -> str:
    """Normalise to NFC, collapse white space, drop control characters and lone surrogates."""
    text = unicodedata.normalize("NFC", text).translate(_OVERRIDES)
    text = "".join(" " if unicodedata.category(c) in ("Cc", "Zl", "Zp", "Zs") else c for c in text)
    return " ".join("".join(c for c in text if unicodedata.category(c) != "Cs").split())


def clean_name(text: object, what: str = "name", *, is_new: bool = True) -> str:
    """The name ready to be stored, or a refusal. A new name must not pass for another that only looks the same."""
    if not isinstance(text, str):
        raise Refusal(f"The {what} must be text.", field="name")
    name = clean_text(text)
    if is_new:
        name = clean_text(drop_invisible(name))
        if mixed := find_mixed_word(name):
            raise Refusal(
                f"“{shorten_name(mixed)}” mixes letters of two alphabets. Use one for each word.", field="name"
            )
    if not any(not unicodedata.category(c).startswith(("C", "Z", "M")) for c in name):
        raise Refusal(f"The {what} is empty. Enter at least one letter.", field="name")
    if len(name) > MAX_STORED:
        raise Refusal(f"The {what} has {len(name)} characters. The limit is {MAX_STORED}.", field="name")
    return name


def drop_invisible(text: str) -> str:
    """Without soft hyphens, zero-width spaces and the like. Joiners stay where they shape letters or emoji."""
    kept = []
    for before, char in zip(("", *text), text, strict=False):
        joins = char in _JOINERS and before and not _alphabet(before)
        if joins or (unicodedata.category(char) != "Cf" and char not in _FILLERS):
            kept.append(char)
    return "".join(kept)


def find_mixed_word(name: str) -> str:
    """A word with letters of two alphabets that look alike, such as a Cyrillic a in a Latin name; or ""."""
    return next((word for word in name.split() if len({_alphabet(char) for char in word} - {""}) > 1), "")


def _alphabet(char: str) -> str:
    """Of the alphabets that share the shapes of letters; "" for everything else."""
    first = unicodedata.name(char, "").partition(" ")[0]
    return first if first in _LOOK_ALIKE else ""


def shorten_name(name: str) -> str:
    """At most 80 characters, with an ellipsis if it was cut."""
    return name if len(name) <= MAX_SHOWN else name[: MAX_SHOWN - 1].rstrip() + "…"


def inline_name(name: str) -> str:
    """A name inside a sentence, shortened, with its writing direction isolated by invisible characters."""
    return f"\u2068{shorten_name(name)}\u2069"
