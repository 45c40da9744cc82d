"""A quick army with your own dice, as JSON: nothing is stored, the address holds the answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from rest_framework.request import Request

from musters.quick_army.own_dice import AnswerOwnDice, finished_code, own_dice_display
from pages.api.operations import PublicAPIView, Query, operation


@dataclass(frozen=True, slots=True)
class OwnDiceQuestion:
    title: str
    text: str
    die: Annotated[bool, "answer with the face of a d10"]
    choices: Annotated[tuple[str, ...], "or with one of these"]


@dataclass(frozen=True, slots=True)
class OwnDiceAnswer:
    api_name = "OwnDice"

    answers: tuple[str, ...]
    question: OwnDiceQuestion | None
    code: Annotated[str, "of the finished army; empty before"]


class OwnDice(PublicAPIView):
    @operation("musters_own_dice")
    def get(self, request: Request, query: Query[AnswerOwnDice]) -> OwnDiceAnswer:
        """The next question of a muster with your own dice, or the code of its army."""
        display = own_dice_display(query.value)
        if (asked := display.question) is None:
            return OwnDiceAnswer(display.answers, None, finished_code(display))
        choices = tuple(choice.key for choice in asked.choices)
        return OwnDiceAnswer(display.answers, OwnDiceQuestion(asked.title, asked.text, asked.die, choices), "")
