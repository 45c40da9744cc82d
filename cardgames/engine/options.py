"""Options of a table: each with its default, its choices and the sentence that explains it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from refusal import Refusal


@dataclass(frozen=True, slots=True)
class Option:
    """One option. ``choices`` are (value, label); the first is the default. ``ledger`` is the rule it belongs to."""

    key: str
    label: str
    text: str
    choices: tuple[tuple[Any, str], ...]
    ledger: str

    @property
    def default(self) -> Any:
        return self.choices[0][0]


def switch(key: str, label: str, text: str, ledger: str) -> Option:
    """An option that is off unless switched on."""
    return Option(key, label, text, ((False, "off"), (True, "on")), ledger)


def complete_options(options: Sequence[Option], given: Mapping[str, Any]) -> dict[str, Any]:
    """All options with their values: those given, else the defaults. Unknown ones and unknown values are refused."""
    known = {option.key for option in options}
    for key in given:
        if key not in known:
            raise Refusal(f"This game has no option {key!r}.", field=str(key))
    settled = {}
    for option in options:
        value = given.get(option.key, option.default)
        if not any(value == choice and type(value) is type(choice) for choice, _ in option.choices):
            raise Refusal(f"{option.label} cannot be set to {value!r}.", field=option.key)
        settled[option.key] = value
    return settled
