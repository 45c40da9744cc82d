"""Sealed words: a seed that no captain can steer, built from one word of each."""

from __future__ import annotations

import secrets
import unicodedata
from collections.abc import Iterable
from hashlib import sha256


def normal_word(word: str) -> str:
    """A word as it counts: however a phone composed or capitalised it, in any alphabet, the same word is the same."""
    once = unicodedata.normalize("NFC", word).casefold()
    return " ".join(unicodedata.normalize("NFC", once).split())


def seal(words: Iterable[str]) -> bytes:
    """The seed of these words, in the order given. Lengths are mixed in, so ("ab", "c") is not ("a", "bc")."""
    digest = sha256(b"mice-at-arms/seal/1")
    for word in words:
        raw = normal_word(word).encode("utf-8")
        digest.update(len(raw).to_bytes(4, "big") + raw)
    return digest.digest()


def fresh_seed() -> bytes:
    """A seed nobody knows, for the service's own dice."""
    return secrets.token_bytes(32)
