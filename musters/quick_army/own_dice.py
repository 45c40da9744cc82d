"""A quick army with your own dice. Nothing is stored: the URL holds the answers so far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from django.http import QueryDict

from musters.core.army_code import code_of
from musters.display import Roster, build_roster
from musters.quick_army.army_request import QuickCall
from musters.wizard.display import QuestionDisplay, RolledStep, Stage, build_question, build_stages, describe_step
from pages.number_parsing import parse_int
from refusal import Refusal
from rulebook.muster.army import Army
from rulebook.muster.muster import Muster, answer_question, replay_muster

MAX_ANSWERS = 200


@dataclass(frozen=True, slots=True)
class AnswerOwnDice(QuickCall):
    a: Annotated[str, "the answers so far, separated by spaces"] = ""


@dataclass(frozen=True, slots=True)
class OwnDiceDisplay:
    """What the page shows."""

    call: QuickCall
    answers: tuple[str, ...]
    muster: Muster
    question: QuestionDisplay | None
    stages: tuple[Stage, ...]
    last_steps: tuple[RolledStep, ...]
    so_far: Roster
    fields: tuple[tuple[str, str], ...]  # hidden fields of each form

    @property
    def dice(self) -> str:
        return "typed"

    @property
    def done_count(self) -> int:
        return sum(stage.state not in ("now", "next") for stage in self.stages)

    @property
    def back(self) -> str:
        """The query without the last answer."""
        query = QueryDict(mutable=True)
        for name, value in self.fields:
            if name != "a":
                query.appendlist(name, value)
        if self.answers[:-1]:
            query["a"] = " ".join(self.answers[:-1])
        return query.urlencode()


def own_dice_display(asked: AnswerOwnDice) -> OwnDiceDisplay:
    given = tuple(asked.a.split())
    if len(given) > MAX_ANSWERS:
        raise Refusal("This link has more answers than a muster has questions.", status=404)
    muster = replay_muster(asked.call, list(map(_value, given)))
    fields = [("loyalty", str(asked.loyalty)), *(("lost", str(house)) for house in asked.lost)]
    if asked.siege:
        fields += [("siege", asked.siege), ("rebels", str(asked.rebel_rolls))]
    if given:
        fields.append(("a", " ".join(given)))
    last = muster.steps[-1:]
    return OwnDiceDisplay(
        asked,
        given,
        muster,
        build_question(muster, None, [], ""),
        build_stages(muster, None, []),
        tuple([describe_step(step, [], None) for step in last]),
        build_roster(Army(muster.units, asked.loyalty, asked.siege)),
        tuple(fields),
    )


def query_after_answer(display: OwnDiceDisplay, value: str) -> str:
    """The query after this answer, or a refusal."""
    after = answer_question(display.muster, _value(value))
    query = QueryDict(mutable=True)
    for name, kept in display.fields:
        if name != "a":
            query.appendlist(name, kept)
    query["a"] = " ".join([*display.answers, str(after.answers[-1].value)])
    return query.urlencode()


def finished_code(display: OwnDiceDisplay) -> str:
    return code_of(display.muster)


def _value(given: str) -> int | str:
    number = parse_int(given, signed=True)
    return given.strip() if number is None else number
