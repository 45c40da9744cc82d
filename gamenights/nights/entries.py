"""What is sent about a night, and what a group's log records about it, as frozen dataclasses."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal, TypeGuard, get_args

from cardgames.games import SHELF
from dataclass_json import ALWAYS, Ask, AtMost, Clean, Count, OneOf, Says, Text
from groups.entries import Act, Number
from people.name_validation import MAX_STORED, clean_text
from refusal import Refusal

MAX_DATES = 12
MAX_ITEM = 80

AnswerWord = Literal["yes", "maybe", "no"]


def is_answer(word: str) -> TypeGuard[AnswerWord]:
    return word in get_args(AnswerWord)


# ── Sent ─────────────────────────────────────────────────────────────────────────────────────────────────

Title = Annotated[str, Text("The title", 80, empty=True), Clean(clean_text), Ask("Title")]
Place = Annotated[str, Text("The place", 200, empty=True), Clean(clean_text), Ask("Place")]
Plan = Annotated[
    str, Text("The plan", 2000, empty=True), Clean(str.strip), Ask("Plan", "What you play, and when.", lines=3)
]
Name = Annotated[
    str,
    Ask("Your name", "Without a log-in. The token then belongs to a new guest of the night's host."),
    Text("The name", 1000, empty=True),
    AtMost(MAX_STORED),
]
Known = Annotated[
    str,
    Ask("Is that you?", "The code of the person you are, which the host confirms, or “nobody”."),
    Text("The person", 16, empty=True),
]


@dataclass(frozen=True)
class PlanNight:
    """One date fixes it; several are voted on."""

    dates: Annotated[tuple[dt.datetime, ...], Count("Dates", MAX_DATES)]
    title: Title = ""
    place: Place = ""
    plan: Plan = ""
    battle: Annotated[str, Ask("Battle", "The code of a declared battle."), Text("The battle", 20, empty=True)] = ""


@dataclass(frozen=True, kw_only=True)
class ChangeNight:
    """What is left out stays as it is."""

    title: Title
    starts_at: Annotated[dt.datetime | None, Ask("Starts")] = field(default=None, metadata=ALWAYS)
    place: Place
    plan: Plan


@dataclass(frozen=True)
class Arrive:
    """A code and a name are enough."""

    name: Name = ""
    known: Known = ""


@dataclass(frozen=True)
class GiveAnswer:
    answer: Annotated[AnswerWord, Says("Choose yes, maybe or no.")]


@dataclass(frozen=True)
class AnswerNight(Arrive, GiveAnswer):
    """Whether you come."""


@dataclass(frozen=True)
class DateVote:
    id: int
    answer: Annotated[AnswerWord, Says("Choose yes, maybe or no.")]


@dataclass(frozen=True)
class VoteOnDates(Arrive):
    answers: Annotated[tuple[DateVote, ...], Count("Answers", 100)] = field(kw_only=True)


@dataclass(frozen=True)
class ChooseDate:
    id: int


def _clean_item(text: str) -> str:
    if not (item := clean_text(text)):
        raise Refusal("Enter what to bring.", field="what")
    if len(item) > MAX_ITEM:
        raise Refusal(f"Keep it to {MAX_ITEM} characters.", field="what")
    return item


@dataclass(frozen=True)
class AddBringItem:
    what: Annotated[str, Clean(_clean_item), Text("The thing to bring", MAX_ITEM)]


@dataclass(frozen=True)
class ChangeBringItem:
    act: Annotated[Literal["take", "leave", "remove"], Says("Choose take, leave or remove.")]


def _list_games() -> list[tuple[str, str]]:
    return [(key, game.title) for key, game in SHELF.items()]


@dataclass(frozen=True)
class OpenTable:
    game: Annotated[str, OneOf(_list_games, "Choose a game.")]


# ── Stored ───────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class NightPlanned:
    """``dates`` are voted on."""

    title: Title
    starts_at: dt.datetime | None
    dates: Annotated[tuple[dt.datetime, ...], Count("Dates", MAX_DATES)]
    battle: Number | None = None


@dataclass(frozen=True)
class ClaimAnswered:
    agree: bool


@dataclass(frozen=True)
class CoHostSet:
    co_host: bool


@dataclass(frozen=True)
class DatesVoted:
    """``answers`` by the number of the date."""

    answers: Annotated[Mapping[str, AnswerWord], Count("Dates", MAX_DATES)]


@dataclass(frozen=True)
class DateChosen:
    starts_at: dt.datetime


NIGHT = ("night",)
PERSON = ("night", "person")
CLAIM = ("night", "person", "known")  # a newcomer says that they are ``known``
ITEM = ("night", "item")

ACTS = {
    "night_planned": Act(NightPlanned),
    "night_changed": Act(ChangeNight, NIGHT),
    "night_closed": Act(about=NIGHT),
    "night_reopened": Act(about=NIGHT),
    "night_answered": Act(GiveAnswer, PERSON),
    "night_checked_in": Act(about=PERSON),
    "night_left": Act(about=PERSON),
    "night_claimed": Act(about=CLAIM),
    "night_claim_answered": Act(ClaimAnswered, CLAIM),
    "night_claim_undone": Act(about=CLAIM),
    "night_co_host": Act(CoHostSet, PERSON),
    "night_handed_over": Act(about=PERSON),
    "bring_added": Act(AddBringItem, NIGHT),
    "bring_take": Act(about=ITEM),
    "bring_leave": Act(about=ITEM),
    "bring_remove": Act(about=ITEM),
    "dates_voted": Act(DatesVoted, PERSON),
    "date_chosen": Act(DateChosen, NIGHT),
    "table_opened": Act(about=("night", "table")),
    "game_vote": Act(about=("night", "game")),
}
