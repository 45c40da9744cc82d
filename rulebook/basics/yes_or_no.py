"""A yes or no with its reason, for every question such as "can this unit do that?"."""

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

    def require(self, field: str | None = None) -> None:
        """Raise the reason as a refusal if the answer is no."""
        if not self.yes:
            raise Refusal(self.reason, field=field)


def yes(reason: str, *rules: str) -> Answer:
    return Answer(True, reason, rules)


def no(reason: str, *rules: str) -> Answer:
    return Answer(False, reason, rules)
