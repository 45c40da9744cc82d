"""A rule that is only text."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rule:
    key: str
    title: str
    text: str
    rules: tuple[str, ...]
