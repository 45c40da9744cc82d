"""Options of a table: each with its default, its choices and the sentence that explains it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from refusal import Refusal
from text import join_list

OptionValue = bool | int | str


@dataclass(frozen=True, slots=True)
class Option:
    """One option. ``choices`` are (value, label); the first is the default. ``ledger`` is the rule it belongs to.

    ``seats`` are the numbers of seats it is for, ``choice_seats`` those of single choices; without, it is for all.
    """

    key: str
    label: str
    text: str
    choices: tuple[tuple[OptionValue, str], ...]
    ledger: str
    seats: tuple[int, ...] = ()
    choice_seats: Mapping[OptionValue, tuple[int, ...]] = field(default_factory=dict)

    @property
    def default(self) -> OptionValue:
        return self.choices[0][0]

    def problem(self, value: Any, seats: int) -> str | None:
        """Why this value cannot be had with so many seats. The default always can."""
        if value == self.default:
            return None
        if self.seats and seats not in self.seats:
            return f"{self.label} can only be changed with {join_list(self.seats, 'or')} players."
        allowed = self.choice_seats.get(value)
        if allowed and seats not in allowed:
            label = next(label for choice, label in self.choices if choice == value)
            return f"{self.label}: “{label}” is only for {join_list(allowed, 'or')} players."
        return None


def switch(key: str, label: str, text: str, ledger: str, seats: tuple[int, ...] = ()) -> Option:
    """An option that is off unless switched on."""
    return Option(key, label, text, ((False, "off"), (True, "on")), ledger, seats)


def complete_options(
    options: Sequence[Option], given: Mapping[str, Any], seats: int | None = None
) -> dict[str, OptionValue]:
    """All options with their values: those given, else the defaults. Unknown ones and unknown values are refused.

    With ``seats`` those that are not for this number of seats are refused too.
    """
    known = {option.key for option in options}
    for key in given:
        if key not in known:
            raise Refusal(f"This game has no option {key!r}.", field=str(key))
    settled = {}
    for option in options:
        value = given.get(option.key, option.default)
        if not any(value == choice and type(value) is type(choice) for choice, _ in option.choices):
            raise Refusal(f"{option.label} cannot be set to {value!r}.", field=option.key)
        problem = option.problem(value, seats) if seats is not None else None
        if problem:
            raise Refusal(problem, field=option.key)
        settled[option.key] = value
    return settled
