"""What may come in: dice of 1 to 10, counts that are not negative, keys that are in a table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

from refusal import Refusal

T = TypeVar("T")

FACES = range(1, 11)


def d10(value: object, what: str = "roll") -> int:
    """A face of a d10, or a refusal that names what came instead."""
    # bool is an int in Python; True on a die is a mistake, so the type is asked for exactly.
    if type(value) is int and 1 <= value <= 10:
        return value
    raise Refusal(f"The {what} is {shown(value)}; a d10 shows 1 to 10.", field=what)


def d10s(values: Iterable[object], what: str = "roll", number: int | None = None) -> tuple[int, ...]:
    """Several faces; with ``number`` exactly that many of them."""
    if isinstance(values, (str, bytes)):
        raise Refusal(f"The {what} is {shown(values)}; a list of d10s is needed.", field=what)
    faces = tuple([d10(value, what) for value in values])
    if number is not None and len(faces) != number:
        raise Refusal(f"The {what} needs {dice(number)}, not {len(faces)}.", field=what)
    return faces


def dice(number: int) -> str:
    return "1 die" if number == 1 else f"{number} dice"


def count(value: object, what: str, *, least: int = 0, most: int | None = None) -> int:
    """A whole number from ``least`` up to ``most``."""
    if type(value) is int and value >= least and (most is None or value <= most):
        return value
    allowed = f"{least} or more" if most is None else f"{least} to {most}"
    raise Refusal(f"The {what} is {shown(value)}; a whole number is needed, {allowed}.", field=what)


def whole(value: object, what: str) -> int:
    """Any whole number, negative ones too (loyalty)."""
    if type(value) is int:
        return value
    raise Refusal(f"The {what} is {shown(value)}; a whole number is needed.", field=what)


def inches(value: object, what: str) -> float:
    """A distance on the table: a finite number, 0 or more."""
    if type(value) in (int, float) and 0 <= value < float("inf"):  # type: ignore[operator]
        return float(value)  # type: ignore[arg-type]
    raise Refusal(f"The {what} is {shown(value)}; a distance in inches is needed, 0 or more.", field=what)


def known(key: object, table: Mapping[str, T], what: str) -> T:
    """The row behind a key, or a refusal that lists the keys there are."""
    if isinstance(key, str) and key in table:
        return table[key]
    raise Refusal(f"There is no {what} {shown(key)}; there are {listed(table)}.", field=what)


def one_of(value: object, allowed: Iterable[str], what: str) -> str:
    """One of a few words, or a refusal that lists them."""
    words = tuple(allowed)
    if isinstance(value, str) and value in words:
        return value
    raise Refusal(f"The {what} is {shown(value)}; it is one of {listed(words)}.", field=what)


def listed(words: Iterable[object], joint: str = "and") -> str:
    """``a, b and c``."""
    said = [str(word) for word in words]
    if len(said) < 2:
        return "".join(said)
    return f"{', '.join(said[:-1])} {joint} {said[-1]}"


def shown(value: object) -> str:
    """A value as a sentence can carry it: short, and with quotes around words."""
    text = f"“{value}”" if isinstance(value, str) else repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
