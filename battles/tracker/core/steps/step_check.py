"""Importing this module registers every kind of step. ``judge_step`` judges one of them."""

from __future__ import annotations

from dataclasses import dataclass

from battles.tracker.core.state import BattleTerms, Cells, TrackerState
from battles.tracker.core.steps import fights, rounds, sauce_and_castle_damage, set_up, solo_turn, units
from battles.tracker.core.steps.registry import TrackerStep, step_kinds
from battles.tracker.core.steps.step_reads_and_writes import OFFER, RolledGroup, StepDraft
from refusal import Refusal

__all__ = [
    "JudgedStep",
    "fights",
    "judge_step",
    "rounds",
    "sauce_and_castle_damage",
    "set_up",
    "solo_turn",
    "step_kinds",
    "units",
]


@dataclass(frozen=True, slots=True)
class JudgedStep:
    """A judged step, ready for the log: the cells it writes, those it read, and what is said about it."""

    step: TrackerStep
    writes: Cells
    reads: tuple[str, ...]
    sentences: tuple[str, ...]
    dice: tuple[RolledGroup, ...]
    round: int
    changes_nothing: bool

    @property
    def kind(self) -> str:
        return self.step.kind


def judge_step(cells: Cells, terms: BattleTerms, step: TrackerStep) -> JudgedStep:
    """Judge a step against the state and return what it writes. Raises Refusal if the step is impossible."""
    tracker = TrackerState(cells)
    if not tracker.is_set_up and not step.before_set_up:
        raise Refusal("The tracker is not set up yet. Set it up first.", status=409)
    if tracker.is_set_up and step.before_set_up:
        raise Refusal("The tracker is already set up.", status=409)
    draft = StepDraft(tracker, terms)
    step.judge(draft)
    changes = any(now != cells.get(cell) and (now or cells.get(cell)) for cell, now in draft.writes.items())
    if changes and cells.get(OFFER) and OFFER not in draft.writes:
        draft.write(OFFER, None)  # a re-roll is on offer until the next step
    return JudgedStep(
        step,
        draft.writes,
        tuple(sorted(draft.reads)),
        tuple(draft.sentences),
        tuple(draft.dice),
        int(cells.get("round", 0)),
        changes_nothing=not changes,
    )
