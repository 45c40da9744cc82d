"""What a group's log records about its nights, as frozen dataclasses. ``groups.codec`` reads and writes them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal, TypeGuard, get_args

from dataclass_json import Count, Text
from groups.entries import GroupEntry, Number

MAX_DATES = 12
MAX_TITLE = 80
MAX_PLACE = 200
MAX_PLAN = 2000
MAX_ITEM = 80

AnswerWord = Literal["yes", "maybe", "no"]
Title = Annotated[str, Text("The title", MAX_TITLE, empty=True)]


def is_answer(word: str) -> TypeGuard[AnswerWord]:
    return word in get_args(AnswerWord)


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
    place: Annotated[str, Text("The place", MAX_PLACE, empty=True)]
    plan: Annotated[str, Text("The plan", MAX_PLAN, empty=True)]
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
