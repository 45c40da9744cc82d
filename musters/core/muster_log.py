"""A muster's own log: what each entry means, and the state they add up to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from musters.core.army_json import call_from_json
from refusal import Refusal
from rulebook.data.muster_table import MusterCall
from rulebook.muster.muster import Muster, replay_muster
from rulebook.muster.questions import CHOICE_KINDS, MusterAnswer

# begun / begun_anew: the fixed call. answered: one tap, an answer or dice. thrown_again: a paid re-roll.
# kept: which of its rolls counts. taken_back: keep this many answers. agreed: changes in the campaign, accepted.
BEGUN, ANEW, ANSWERED, AGAIN, KEPT, BACK, AGREED = (
    "begun",
    "begun_anew",
    "answered",
    "thrown_again",
    "kept",
    "taken_back",
    "agreed",
)

Body = Mapping[str, Any]


@dataclass(slots=True)
class MusterState:
    """What the entries add up to."""

    call: MusterCall
    answers: list[Any] = field(default_factory=list)
    agreed: Body | None = None
    runs: int = 1
    fresh: int = 0  # answers of the last tap, which the page animates

    def muster(self) -> Muster:
        return replay_muster(self.call, self.answers)


def fold_entries(entries: Iterable[tuple[str, Body]]) -> MusterState:
    """Fold the entries in order. The first fixes the call."""
    state: MusterState | None = None
    for act, body in entries:
        if state is None or act in (BEGUN, ANEW):
            state = MusterState(call_from_json(body["call"]), runs=state.runs + 1 if state else 1)
            continue
        state.fresh = 0
        if act == ANSWERED:
            state.answers += body["answers"]
            state.fresh = len(body["answers"])
        elif act == AGAIN:
            last = MusterAnswer.read(state.answers[-1])
            state.answers[-1] = MusterAnswer(body["roll"], (*last.thrown, body["roll"])).plain()
            state.fresh = 1
        elif act == KEPT:
            last = MusterAnswer.read(state.answers[-1])
            state.answers[-1] = MusterAnswer(body["value"], last.thrown).plain()
        elif act == BACK:
            state.answers = state.answers[: body["to"]]
        elif act == AGREED:
            state.agreed = body["facts"]
    if state is None:
        raise Refusal("This muster's log is empty. Begin the muster again.", status=409)
    return state


def answers_after_undo(muster: Muster, typed: bool) -> int | None:
    """How many answers stay after an undo, or None if it is impossible.

    A typed die can be corrected until the next one, with the choices after it. A die rolled by the site stays; the
    choices after it can be undone. Nothing that cost VP can be undone.
    """
    to = len(muster.steps)
    while to:
        step = muster.steps[to - 1]
        if step.answer.rerolls or step.answer.value in ("buy", "regain"):
            return None if to == len(muster.steps) else to
        if step.kind not in CHOICE_KINDS:
            return to - 1 if typed else to if to < len(muster.steps) else None
        to -= 1
    return 0 if muster.steps else None
