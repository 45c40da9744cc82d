"""What is sent about a night, and what a group's log records about it, as frozen dataclasses."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal, TypeGuard, get_args

from cardgames.games import SHELF
from dataclass_json import Ask, Clean, Count, OneOf, Says, Text
from groups.entries import GroupEntry, Number
from people.name_validation import clean_text
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


@dataclass(frozen=True)
class ChangeNight:
    """What is left out stays as it is."""

    title: Title
    starts_at: Annotated[dt.datetime | None, Ask("Starts")]
    place: Place
    plan: Plan


@dataclass(frozen=True)
class Arrive:
    """A code and a name are enough."""

    name: Name = ""
    known: Known = ""


@dataclass(frozen=True)
class AnswerNight(Arrive):
    answer: Annotated[AnswerWord, Says("Choose yes, maybe or no.")] = "yes"


@dataclass(frozen=True)
class DateVote:
    id: int
    answer: Annotated[AnswerWord, Says("Choose yes, maybe or no.")]


@dataclass(frozen=True)
class VoteOnDates(Arrive):
    answers: Annotated[tuple[DateVote, ...], Count("Answers", 100)] = ()


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


@dataclass(frozen=True, slots=True)
class NightPlanned(GroupEntry):
    """``dates`` are voted on."""

    key: ClassVar[str] = "night_planned"

    title: Title
    starts_at: dt.datetime | None
    dates: Annotated[tuple[dt.datetime, ...], Count("Dates", MAX_DATES)]
    battle: Number | None = None


@dataclass(frozen=True, slots=True)
class NightEntry(GroupEntry):
    """Something about a night that is planned already."""

    night: Number


@dataclass(frozen=True, slots=True)
class NightChanged(NightEntry):
    key: ClassVar[str] = "night_changed"

    title: Title
    place: Place
    plan: Plan
    starts_at: dt.datetime | None


@dataclass(frozen=True, slots=True)
class NightClosed(NightEntry):
    key: ClassVar[str] = "night_closed"


@dataclass(frozen=True, slots=True)
class NightReopened(NightEntry):
    key: ClassVar[str] = "night_reopened"


@dataclass(frozen=True, slots=True)
class InvitationAnswered(NightEntry):
    key: ClassVar[str] = "night_answered"

    person: Number
    answer: AnswerWord


@dataclass(frozen=True, slots=True)
class CheckedIn(NightEntry):
    key: ClassVar[str] = "night_checked_in"

    person: Number


@dataclass(frozen=True, slots=True)
class CheckedOut(NightEntry):
    key: ClassVar[str] = "night_left"

    person: Number


@dataclass(frozen=True, slots=True)
class PersonClaimed(NightEntry):
    """A newcomer says that they are ``known``."""

    key: ClassVar[str] = "night_claimed"

    person: Number
    known: Number


@dataclass(frozen=True, slots=True)
class ClaimAnswered(NightEntry):
    key: ClassVar[str] = "night_claim_answered"

    person: Number
    known: Number
    agree: bool


@dataclass(frozen=True, slots=True)
class ClaimUndone(NightEntry):
    key: ClassVar[str] = "night_claim_undone"

    person: Number
    known: Number


@dataclass(frozen=True, slots=True)
class CoHostSet(NightEntry):
    key: ClassVar[str] = "night_co_host"

    person: Number
    co_host: bool


@dataclass(frozen=True, slots=True)
class NightHandedOver(NightEntry):
    key: ClassVar[str] = "night_handed_over"

    person: Number


@dataclass(frozen=True, slots=True)
class BringItemAdded(NightEntry):
    key: ClassVar[str] = "bring_added"

    what: Annotated[str, Text("The thing to bring", MAX_ITEM)]


@dataclass(frozen=True, slots=True)
class BringItemEntry(NightEntry):
    item: Number


@dataclass(frozen=True, slots=True)
class BringItemTaken(BringItemEntry):
    key: ClassVar[str] = "bring_take"


@dataclass(frozen=True, slots=True)
class BringItemLeft(BringItemEntry):
    key: ClassVar[str] = "bring_leave"


@dataclass(frozen=True, slots=True)
class BringItemRemoved(BringItemEntry):
    key: ClassVar[str] = "bring_remove"


@dataclass(frozen=True, slots=True)
class DatesVoted(NightEntry):
    """``answers`` by the number of the date."""

    key: ClassVar[str] = "dates_voted"

    person: Number
    answers: Annotated[Mapping[str, AnswerWord], Count("Dates", MAX_DATES)]


@dataclass(frozen=True, slots=True)
class DateChosen(NightEntry):
    key: ClassVar[str] = "date_chosen"

    starts_at: dt.datetime


@dataclass(frozen=True, slots=True)
class NightTableOpened(NightEntry):
    key: ClassVar[str] = "table_opened"

    table: Annotated[str, Text("The code", 16)]


@dataclass(frozen=True, slots=True)
class GameVoted(NightEntry):
    """A second vote takes the first back."""

    key: ClassVar[str] = "game_vote"

    game: Number


ENTRIES: tuple[type[GroupEntry], ...] = (
    NightPlanned, NightChanged, NightClosed, NightReopened, InvitationAnswered, CheckedIn, CheckedOut, PersonClaimed,
    ClaimAnswered, ClaimUndone, CoHostSet, NightHandedOver, BringItemAdded, BringItemTaken, BringItemLeft,
    BringItemRemoved, DatesVoted, DateChosen, NightTableOpened, GameVoted,
)  # fmt: skip
