"""Sealed words: a seed built from one word of each player, so nobody can steer it."""

from __future__ import annotations

import secrets
import unicodedata
from collections.abc import Iterable
from hashlib import sha256


def normalise_word(word: str) -> str:
    """The word without differences of case, spacing or Unicode form."""
    once = unicodedata.normalize("NFC", word).casefold()
    return " ".join(unicodedata.normalize("NFC", once).split())


def seal_words(words: Iterable[str]) -> bytes:
    """The seed of these words, in this order. Lengths count, so ("ab", "c") is not ("a", "bc")."""
    digest = sha256(b"mice-at-arms/seal/1")
    for word in words:
        raw = normalise_word(word).encode("utf-8")
        digest.update(len(raw).to_bytes(4, "big") + raw)
    return digest.digest()


def new_seed() -> bytes:
    """A random seed for the site's own dice."""
    return secrets.token_bytes(32)
