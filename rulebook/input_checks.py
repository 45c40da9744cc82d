"""Checks of input (dice, counts, distances, keys of a table), and a yes or no with its reason."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from refusal import Refusal
from text import join_list

T = TypeVar("T")

FACES = range(1, 11)


def check_d10(value: object, what: str = "roll") -> int:
    """The face of a d10, or a refusal."""
    # bool is an int in Python, so check the exact type.
    if type(value) is int and 1 <= value <= 10:
        return value
    raise Refusal(f"The {what} is {quote_value(value)}. A d10 shows 1 to 10.", field=what)


def check_d10s(values: Iterable[object], what: str = "roll", number: int | None = None) -> tuple[int, ...]:
    """Several faces; with ``number``, exactly that many."""
    if isinstance(values, (str, bytes)):
        raise Refusal(f"The {what} is {quote_value(values)}. Give a list of d10s.", field=what)
    faces = tuple([check_d10(value, what) for value in values])
    if number is not None and len(faces) != number:
        raise Refusal(f"The {what} needs {format_dice(number)}, not {len(faces)}.", field=what)
    return faces


def format_dice(number: int) -> str:
    return "1 die" if number == 1 else f"{number} dice"


def check_count(value: object, what: str, *, least: int = 0, most: int | None = None) -> int:
    """A whole number from ``least`` up to ``most``."""
    if type(value) is int and value >= least and (most is None or value <= most):
        return value
    allowed = f"{least} or more" if most is None else f"{least} to {most}"
    raise Refusal(f"The {what} is {quote_value(value)}. Give a whole number, {allowed}.", field=what)


def check_whole_number(value: object, what: str) -> int:
    """Any whole number, negative ones too (loyalty)."""
    if type(value) is int:
        return value
    raise Refusal(f"The {what} is {quote_value(value)}. Give a whole number.", field=what)


def check_inches(value: object, what: str) -> float:
    """A distance on the table: a finite number, 0 or more."""
    if type(value) in (int, float) and 0 <= value < float("inf"):  # type: ignore[operator]
        return float(value)  # type: ignore[arg-type]
    raise Refusal(f"The {what} is {quote_value(value)}. Give a distance in inches, 0 or more.", field=what)


def look_up(key: object, table: Mapping[str, T], what: str) -> T:
    """The row of a key, or a refusal that lists the keys."""
    if isinstance(key, str) and key in table:
        return table[key]
    raise Refusal(f"There is no {what} {quote_value(key)}. Choose one of {join_list(table)}.", field=what)


def check_one_of(value: object, allowed: Iterable[str], what: str) -> str:
    """One of a few words, or a refusal that lists them."""
    words = tuple(allowed)
    if isinstance(value, str) and value in words:
        return value
    raise Refusal(f"The {what} is {quote_value(value)}. Choose one of {join_list(words)}.", field=what)


def quote_value(value: object) -> str:
    """A value for use in a sentence: shortened, with quotes around words."""
    text = f"“{value}”" if isinstance(value, str) else repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


@dataclass(frozen=True, slots=True)
class Answer:
    """A yes or no with its reason, for every question such as "can this unit do that?"."""

    yes: bool
    reason: str
    rules: tuple[str, ...]

    def __bool__(self) -> bool:
        return self.yes

    def require(self, field: str | None = None) -> None:
        """Raise the reason as a refusal if the answer is no."""
        if not self.yes:
            raise Refusal(self.reason, field=field)


def yes(reason: str, *rules: str) -> Answer:
    return Answer(True, reason, rules)


def no(reason: str, *rules: str) -> Answer:
    return Answer(False, reason, rules)
