"""Kinds of step: each is a frozen dataclass whose fields are what somebody entered, and whose ``judge`` applies it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar, TypeVar

from battles.tracker.core.steps.step_reads_and_writes import StepDraft
from dataclass_json import Count, Text, Whole
from rulebook.checks import look_up

MAX_NUMBER = 10**9
MAX_KEY = 40

UnitId = Annotated[str, Text("The unit", MAX_KEY)]
SideId = Annotated[str, Text("The side", MAX_KEY)]
PieceKey = Annotated[str, Text("The castle piece", MAX_KEY)]
Number = Annotated[int, Whole("The number", -MAX_NUMBER, MAX_NUMBER)]
Inches = Annotated[float, Whole("The distance", 0, 1000)]
RollsBySide = Annotated[Mapping[SideId, Number], Count("Rolls", 8)]
CountBySide = Annotated[Mapping[SideId, Number], Count("Sides", 8)]


@dataclass(frozen=True, slots=True)
class TrackerStep:
    """One step. ``before_set_up``: it is allowed only before the tracker is set up, and no other step is."""

    kind: ClassVar[str]
    before_set_up: ClassVar[bool] = False

    def judge(self, draft: StepDraft) -> None:
        """Write what the step changes into the draft, or raise a Refusal."""


S = TypeVar("S", bound=type[TrackerStep])
_kinds: dict[str, type[TrackerStep]] = {}


def register_step(step: S) -> S:
    _kinds[step.kind] = step
    return step


def get_step(kind: object) -> type[TrackerStep]:
    return look_up(kind, _kinds, "step")


def step_kinds() -> tuple[str, ...]:
    return tuple(_kinds)
