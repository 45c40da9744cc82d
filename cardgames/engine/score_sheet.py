"""What a score sheet for printed cards adds up to: the same result as at a digital table, with warnings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NotRequired, TypedDict

from cardgames.engine.game_definition import Result, ScoreLine


@dataclass(frozen=True, slots=True)
class SheetWarning:
    """Figures that cannot be right, at one seat or at the whole table."""

    text: str
    seat: int | None = None

    def as_json(self) -> Mapping[str, Any]:
        return {"seat": self.seat, "text": self.text}


class ScoreSheetJson(TypedDict):
    """In the API."""

    outcome: str | None
    winners: list[int]
    scores: list[int]
    lines: list[list[Mapping[str, Any]]]
    facts: Mapping[str, Any]
    warnings: list[str | Mapping[str, Any]]
    options: Mapping[str, Any]
    sentence: NotRequired[str]


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """Totals, and who won as far as it is known: without an outcome there is no winner yet."""

    scores: tuple[int, ...]
    lines: tuple[tuple[ScoreLine, ...], ...]
    options: Mapping[str, Any]
    warnings: tuple[SheetWarning | str, ...] = ()
    outcome: str | None = None
    winners: tuple[int, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    # How it ended, with the names of the winners still to fill in.
    sentence: str = ""

    @classmethod
    def of(
        cls, played: Result, sentence: str, options: Mapping[str, Any], warnings: tuple[SheetWarning | str, ...]
    ) -> ScoreSheet:
        """The sheet of a result that is certain."""
        return cls(
            played.scores, played.lines, options, warnings, played.outcome, played.winners, played.facts, sentence
        )

    def as_json(self) -> ScoreSheetJson:
        data: ScoreSheetJson = {
            "outcome": self.outcome,
            "winners": list(self.winners),
            "scores": list(self.scores),
            "lines": [[line._asdict() for line in rows] for rows in self.lines],
            "facts": dict(self.facts),
            "warnings": [warning if isinstance(warning, str) else warning.as_json() for warning in self.warnings],
            "options": dict(self.options),
        }
        if self.sentence:
            data["sentence"] = self.sentence
        return data
