"""The plainest row there is: a rule that is told, not reckoned."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rule:
    key: str
    title: str
    text: str
    rules: tuple[str, ...]
