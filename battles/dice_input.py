"""Dice as players type them, and dice thrown here."""

from __future__ import annotations

import re
import secrets

from chance import Dice
from refusal import Refusal

MOST = 60


def typed(words: str, what: str = "dice") -> list[int]:
    """Faces typed with anything between them: "7 3 10", "7,3,10". A 0 is a 10, as many dice have it printed."""
    if len(words) > 400:
        raise Refusal("That is more than any roll needs.", field=what)
    found = [int(face) for face in re.findall(r"\d+", words)]
    if len(found) > MOST:
        raise Refusal(f"{len(found)} dice are more than any roll needs.", field=what)
    return [10 if face == 0 else face for face in found]


def thrown(number: int, seed: bytes = b"") -> list[int]:
    """Fair dice from the system's own chance, or from a seed only this house knows."""
    return Dice(seed or secrets.token_bytes(32)).d10s(min(number, MOST))
