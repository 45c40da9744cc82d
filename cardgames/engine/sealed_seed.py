"""Sealed chance: a promise of the seed before the game, checked by anybody after it.

The service shows ``promise(seed, salt)`` at the start and both values at the end. With players' words added, not even
the service could have chosen the deal.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from hmac import compare_digest

from chance import seal_words


def make_promise(seed: bytes, salt: bytes) -> str:
    return sha256(b"mice-at-arms/promise/1" + len(seed).to_bytes(4, "big") + seed + salt).hexdigest()


def is_promise_kept(seed: bytes, salt: bytes, promised: str) -> bool:
    return compare_digest(make_promise(seed, salt), promised)


def sealed_seed(words: Iterable[str], secret: bytes) -> bytes:
    """The seed of everybody's words and the service's own secret, so that no one of them decides it."""
    return sha256(b"mice-at-arms/sealed-seed/1" + seal_words(words) + secret).digest()
