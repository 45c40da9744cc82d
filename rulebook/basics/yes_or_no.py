"""A yes or a no with its reason, for every question of the form "may this unit do that"."""

from __future__ import annotations

from dataclasses import dataclass

from refusal import Refusal


@dataclass(frozen=True, slots=True)
class Answer:
    yes: bool
    reason: str
    rules: tuple[str, ...]

    def __bool__(self) -> bool:
        return self.yes

    def insist(self, field: str | None = None) -> None:
        """Raise the reason as a refusal where the answer is no."""
        if not self.yes:
            raise Refusal(self.reason, field=field)


def yes(reason: str, *rules: str) -> Answer:
    return Answer(True, reason, rules)


def no(reason: str, *rules: str) -> Answer:
    return Answer(False, reason, rules)
