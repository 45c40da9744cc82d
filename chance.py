"""Chance that never changes: the same seed gives the same dice on every machine and in every year.

Standard library only. Python's own ``random`` promises a stable ``random()`` but not stable ``shuffle`` or
``randint`` between versions, and a printed army code must still give the same army in ten years. So these dice are
SHA-256 over a counter, read as bytes, with rejection so that every face is equally likely.
"""

import secrets
import unicodedata
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import TypeVar

T = TypeVar("T")
# The steps of a shuffle, from the 255th card down: its place, and for every byte the place it changes with. The highest
# bytes are skipped where low places would otherwise be more likely.
MAX_CARDS, SKIPPED = 255, 255
SHUFFLE_STEPS = tuple(
    (size - 1, bytes(range(size)) * (256 // size) + bytes([SKIPPED]) * (256 % size)) for size in range(MAX_CARDS, 1, -1)
)


class Dice:
    """A stream of dice from a seed. The same seed always gives the same rolls."""

    __slots__ = ("_bytes", "_counter", "_faces", "_key")

    def __init__(self, seed: bytes | str) -> None:
        raw = seed.encode("utf-8") if isinstance(seed, str) else seed
        self._key = sha256(b"mice-at-arms/dice/1\x00" + raw).digest()
        self._counter = 0
        self._bytes: list[int] = []
        self._faces: list[int] = []

    def _block(self) -> bytes:
        block = sha256(self._key + self._counter.to_bytes(8, "big")).digest()
        self._counter += 1
        return block

    def _byte(self) -> int:
        if not self._bytes:
            self._bytes = list(self._block()[::-1])
        return self._bytes.pop()

    def d10(self) -> int:
        """One ten-sided die, 1 to 10. Bytes of 250 and over are skipped, or low faces would be more likely."""
        while not self._faces:
            self._faces = [byte % 10 + 1 for byte in reversed(self._block()) if byte < 250]
        return self._faces.pop()

    def d10s(self, count: int) -> list[int]:
        return [self.d10() for _ in range(count)]

    def below(self, limit: int) -> int:
        """A whole number from 0 up to but not including ``limit``."""
        if limit < 1:
            raise ValueError(f"below() needs a limit of at least 1, not {limit}")
        if limit == 1:
            return 0
        width = ((limit - 1).bit_length() + 7) // 8
        span = 256**width
        fair = span - span % limit
        while True:
            value = 0
            for _ in range(width):
                value = value << 8 | self._byte()
            if value < fair:
                return value % limit

    def choice(self, things: Sequence[T]) -> T:
        return things[self.below(len(things))]

    def shuffled(self, things: Iterable[T]) -> list[T]:
        """A new list in random order (Fisher and Yates, from the end)."""
        pile = list(things)
        for last in range(len(pile) - 1, MAX_CARDS - 1, -1):
            other = self.below(last + 1)
            pile[last], pile[other] = pile[other], pile[last]
        # ``below`` spelled out for limits of one byte: every table that is loaded shuffles its decks again.
        unused = self._bytes
        for last, places in SHUFFLE_STEPS[MAX_CARDS - min(len(pile), MAX_CARDS) :]:
            while True:
                if not unused:
                    unused = self._bytes = list(self._block()[::-1])
                if (other := places[unused.pop()]) != SKIPPED:
                    break
            pile[last], pile[other] = pile[other], pile[last]
        return pile

    def child(self, label: str) -> "Dice":
        """An independent stream for one part, so that an extra die in one part does not shift another."""
        return Dice(self._key + b"\x00" + label.encode("utf-8"))


# ── Sealed words: a seed built from one word of each player, so nobody can steer it ──────────────────────


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
