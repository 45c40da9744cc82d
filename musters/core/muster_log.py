"""A muster's own log: what each line means, and the muster they lead to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from musters.rolls.plain import call_of
from refusal import Refusal
from rulebook.muster import Muster, replay
from rulebook.muster_questions import CHOICE_KINDS, Answer
from rulebook.muster_table import Call

# begun / begun_anew: the call as pinned. answered: one tap, one answer or several dice. thrown_again: the last die, paid
# for. kept: which of its throws counts. taken_back: the answers before this number stay. agreed: what has changed
# meanwhile, seen and gone on with.
BEGUN, ANEW, ANSWERED, AGAIN, KEPT, BACK, AGREED = (
    "begun", "begun_anew", "answered", "thrown_again", "kept", "taken_back", "agreed",
)  # fmt: skip

Body = Mapping[str, Any]


@dataclass(slots=True)
class Course:
    """What the lines say so far."""

    call: Call
    answers: list[Any] = field(default_factory=list)
    agreed: Body | None = None
    runs: int = 1
    fresh: int = 0  # answers the last tap brought, for a page that shows them fall

    def muster(self) -> Muster:
        return replay(self.call, self.answers)


def folded(lines: Iterable[tuple[str, Body]]) -> Course:
    """The course of these lines, in order. The first pins the call."""
    course: Course | None = None
    for act, body in lines:
        if course is None or act in (BEGUN, ANEW):
            course = Course(call_of(body["call"]), runs=course.runs + 1 if course else 1)
            continue
        course.fresh = 0
        if act == ANSWERED:
            course.answers += body["answers"]
            course.fresh = len(body["answers"])
        elif act == AGAIN:
            last = Answer.read(course.answers[-1])
            course.answers[-1] = Answer(body["roll"], (*last.thrown, body["roll"])).plain()
            course.fresh = 1
        elif act == KEPT:
            last = Answer.read(course.answers[-1])
            course.answers[-1] = Answer(body["value"], last.thrown).plain()
        elif act == BACK:
            course.answers = course.answers[: body["to"]]
        elif act == AGREED:
            course.agreed = body["facts"]
    if course is None:
        raise Refusal("This muster has no beginning.", status=409)
    return course


def back_to(muster: Muster, typed: bool) -> int | None:
    """How many answers stay if the last is taken back; None where it stands.

    A typed die may be corrected until the next one falls, with the choices made on it. A die that the service threw
    stands; of what was chosen since, everything may be chosen again. What cost VP stands.
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
