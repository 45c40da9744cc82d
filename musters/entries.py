"""What pages and programs send about a muster."""

from dataclasses import dataclass
from typing import Annotated

from dataclass_json import Text, Whole
from json_input import MAX_NUMBER
from musters.core.auto_roll import MAX_WORD_LENGTH

Token = Annotated[str, Text("The question", 80)]
Die = Annotated[int, Whole("The roll", -MAX_NUMBER, MAX_NUMBER)]  # whether a d10 has that face is asked of the rulebook


@dataclass(frozen=True, slots=True)
class BeginMuster:
    campaign: Annotated[str, Text("The campaign", 50)]
    battle: Annotated[int, Whole("The battle", 1, 10**6)]
    kingdom: Annotated[str, Text("The kingdom", 8)]


@dataclass(frozen=True, slots=True)
class AnswerQuestion:
    """A d10 if dice are typed, the key of a choice, or nothing: the site rolls."""

    question: Token
    answer: int | str | None = None


@dataclass(frozen=True, slots=True)
class RerollDie:
    question: Token
    roll: Die | None = None


@dataclass(frozen=True, slots=True)
class GiveWord:
    """A word for sealed dice; ``absent`` draws one for the absent player."""

    word: Annotated[str, Text("The word", MAX_WORD_LENGTH, empty=True)] = ""
    absent: bool = False


@dataclass(frozen=True, slots=True)
class KeepRoll:
    """Which roll of a re-rolled die counts."""

    question: Token
    roll: Die


@dataclass(frozen=True, slots=True)
class UndoAnswer:
    question: Token


@dataclass(frozen=True, slots=True)
class AcceptChanges:
    """After the campaign changed: go on with the old values, or ``anew`` with the new ones."""

    anew: bool = False
