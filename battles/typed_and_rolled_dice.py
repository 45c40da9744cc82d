"""Dice typed by players, and dice rolled by the server."""

import re
import secrets

from chance import Dice
from refusal import Refusal

MAX_DICE = 60


def parse_dice(words: str, what: str = "dice") -> list[int]:
    """Faces separated by anything: "7 3 10", "7,3,10". A 0 is a 10, as printed on many dice."""
    if len(words) > 400:
        raise Refusal("That is too many dice for one roll.", field=what)
    faces = [int(face) for face in re.findall(r"\d+", words)]
    if len(faces) > MAX_DICE:
        raise Refusal(f"{len(faces)} dice are too many for one roll.", field=what)
    return [10 if face == 0 else face for face in faces]


def roll_dice(number: int, seed: bytes = b"") -> list[int]:
    """Fair dice, random or from a secret seed."""
    return Dice(seed or secrets.token_bytes(32)).d10s(min(number, MAX_DICE))
