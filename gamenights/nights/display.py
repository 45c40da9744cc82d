"""A night ready to draw: who is here, the tables, the plays so far."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated

from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from battles.models import Battle
from cardgames.games import GAMES
from cardgames.models import Table
from dataclass_json import Ask, PageOnly, stored_as
from gamenights.nights import permissions
from gamenights.nights.models import Attendance, DateOption, DateVote, Night
from gamenights.nights.selectors import own_nights
from gamenights.plays.display import PlayRow, build_play_rows
from gamenights.plays.selectors import plays_of_night
from gamenights.plays.values import day_of
from gamenights.shelf.selectors import suggest_for_night
from groups.models import Group
from groups.permissions import is_member
from heraldry import Arms
from pages.cached_parts import PagePart
from pages.fields.columns_and_rows import take
from pages.home_items import HomeItem
from people.models import Person
from people.name_validation import inline_name
from people.requester import Who
from prepared_queries import prepared_query
from text import join_list


@dataclass(frozen=True)
class NightRow:
    code: str
    name: str
    day: dt.date | None
    starts_at: dt.datetime | None
    ends_at: dt.datetime | None
    place: str
    closed_at: dt.datetime | None


@dataclass(frozen=True, slots=True)
class PersonRow:
    api_name = "NightPerson"

    pk: PageOnly[int]
    code: Annotated[str, Ask("Person", "The person's code.")] = field(metadata=stored_as("person"))
    name: str
    arms: PageOnly[Arms]
    text: PageOnly[str]
    is_me: PageOnly[bool]
    is_here: bool
    answer: Attendance.Answer
    co_host: bool


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """A newcomer who says they are someone the group knows; hosts answer with the act confirm or deny."""

    api_name = "NightClaim"

    attendance: int
    person: str
    claims: Annotated[str, Ask("Claims", "The name of the person they say they are.")]


@dataclass(frozen=True, slots=True)
class ConfirmedRow:
    """Two people whom a host merged; the act split separates them again."""

    api_name = "NightMerge"

    attendance: int
    known: Annotated[str, Ask("Known", "The person the group knew.")]
    name: Annotated[str, Ask("Name", "Who they are now.")]


@dataclass(frozen=True, slots=True)
class SeatRow:
    name: str
    arms: Arms
    is_asked: bool


@dataclass(frozen=True, slots=True)
class TableRow:
    api_name = "NightTable"

    title: str = field(metadata=stored_as("game"))
    code: str
    url: PageOnly[str]
    text: str = field(metadata=stored_as("state"))
    arms: PageOnly[tuple[Arms, ...]]
    people: PageOnly[tuple[int, ...]]
    free_seat: PageOnly[int | None]
    is_mine: PageOnly[bool]
    is_asked: PageOnly[bool]
    seats: PageOnly[tuple[SeatRow, ...]] = ()


@dataclass(frozen=True, slots=True)
class BringRow:
    id: int
    what: str
    by: Annotated[str, Ask("By", "Who brings it, if anybody does yet.")]
    is_mine: PageOnly[bool]


@dataclass(frozen=True, slots=True)
class DateRow:
    id: int
    starts_at: dt.datetime
    yes: tuple[str, ...]
    maybe: tuple[str, ...]
    no: tuple[str, ...]
    mine: str
    is_best: PageOnly[bool]


@dataclass(frozen=True, slots=True)
class VoteRow:
    key: str
    name: str
    about: str
    reason: str
    count: int
    mine: bool
    arms: tuple[Arms, ...]


@dataclass(frozen=True, kw_only=True)
class NightDisplay(NightRow):
    """Place, plan, plays and what to bring of a private group's night are empty until you answer or check in."""

    api_name = "NightDetail"

    plan: str
    host_name: Annotated[str, Ask("Host", "The host's name.")] = field(metadata=stored_as("host"))
    people: tuple[PersonRow, ...]
    claims: Annotated[tuple[ClaimRow, ...], Ask("Claims", "Empty unless you run the night.")]
    confirmed: Annotated[tuple[ConfirmedRow, ...], Ask("Merged", "Empty unless you run the night.")] = field(
        metadata=stored_as("merged")
    )
    bring: tuple[BringRow, ...]
    dates: tuple[DateRow, ...]
    tables: tuple[TableRow, ...]

    night: PageOnly[Night]
    plays: PageOnly[tuple[PlayRow, ...]]
    can_run: PageOnly[bool]
    can_take_part: PageOnly[bool]
    can_see_evening: PageOnly[bool]
    is_over: PageOnly[bool]
    is_today: PageOnly[bool]
    me: PageOnly[PersonRow | None]
    call: PageOnly[TableRow | None]
    version: PageOnly[int]
    votes: PageOnly[tuple[VoteRow, ...]]

    @property
    def vote_count(self) -> int:
        return sum(row.count for row in self.votes)

    @property
    def here(self) -> tuple[PersonRow, ...]:
        return tuple(row for row in self.people if row.is_here)

    def who_answered(self, answer: str) -> tuple[PersonRow, ...]:
        """Of those who are not here."""
        return tuple(row for row in self.people if row.answer == answer and not row.is_here)

    @property
    def last_plays(self) -> tuple[PlayRow, ...]:
        """For a screen that holds five."""
        return self.plays[-5:]

    @property
    def plan_comes_first(self) -> bool:
        """Until the day itself, when and where matters more than what to play."""
        return not self.is_over and not self.is_today and self.night.day is not None

    @property
    def is_on(self) -> bool:
        return bool(self.here) and not self.is_over


def build_night(night: Night, who: Who, *, watched_by: Who | None = None) -> NightDisplay:
    """``watched_by``: whose screen it is shown on, if nobody on it is to be "you"."""
    inside = permissions.can_see_evening(night, watched_by or who)
    mine = set(who.person.all_ids()) if who.person else set()
    tables = build_table_rows(night, mine)
    rows = list(night.attendances.select_related("person__merged_into", "claims", "confirmed__merged_into"))
    people = _people(night, rows, mine, tables)
    over = night.is_over()
    can_run = permissions.can_run(night, who)
    return take(
        NightDisplay,
        night,
        night=night,
        people=people,
        tables=tables,
        plays=tuple(build_play_rows(plays_of_night(night), night.group)) if inside else (),
        bring=_bring(night, mine) if inside else (),
        dates=_dates(night, mine),
        can_run=can_run,
        can_take_part=permissions.can_take_part(night, who),
        can_see_evening=inside,
        place=night.place if inside else "",
        plan=night.plan if inside else "",
        is_over=over,
        is_today=night.day is not None and night.day <= day_of(timezone.now(), night.group.tzinfo),
        me=next((row for row in people if row.is_me), None),
        host_name=night.host.root.name,
        call=next((row for row in tables if row.is_mine and row.is_asked), None),
        version=night.group.log.version,
        claims=tuple(ClaimRow(row.pk, row.person.root.code, row.claims.name) for row in rows if can_run and row.claims),
        confirmed=tuple(
            ConfirmedRow(row.pk, inline_name(row.confirmed.name), inline_name(row.confirmed.root.name))
            for row in rows
            if can_run and row.confirmed and row.confirmed.merged_into
        ),
        votes=_votes(night, people, mine) if inside and not over else (),
    )


def _bring(night: Night, mine: set[int]) -> tuple[BringRow, ...]:
    return tuple(
        BringRow(item.pk, item.what, inline_name(item.person.root.name) if item.person else "", item.person_id in mine)
        for item in night.bring_items.select_related("person__merged_into")
    )


def _people(
    night: Night, rows: list[Attendance], mine: set[int], tables: tuple[TableRow, ...]
) -> tuple[PersonRow, ...]:
    """One row for each person, those who are here first."""
    seated = {pk: row.code for row in tables for pk in row.people}
    best: dict[int, Attendance] = {}
    for row in sorted(rows, key=lambda row: (not row.is_here, not row.answer)):
        best.setdefault(row.person.root.pk, row)
    return tuple(_person_row(night, row, mine, seated) for row in best.values())


def _person_row(night: Night, row: Attendance, mine: set[int], seated: dict[int, str]) -> PersonRow:
    person: Person = row.person.root
    is_me = person.pk in mine
    is_host = night.host_id in (person.pk, row.person_id)
    words = ["you"] if is_me else []
    if person.pk in seated:
        words.append(f"table {seated[person.pk]}")
    elif is_host:
        words.append("host")
    elif row.co_host:
        words.append("co-host")
    return PersonRow(
        pk=person.pk,
        code=person.code,
        name=person.name,
        arms=person.arms,
        text=", ".join(words),
        is_me=is_me,
        is_here=row.is_here,
        answer=Attendance.Answer(row.answer),
        co_host=row.co_host,
    )


def build_table_rows(night: Night, mine: set[int]) -> tuple[TableRow, ...]:
    """The open tables of this night."""
    tables = Table.objects.open().filter(night_table__night=night).defer("deck", "seed").order_by("pk")
    return tuple(_table_row(table, mine) for table in tables.prefetch_related("seat_set__person__merged_into"))


def _table_row(table: Table, mine: set[int]) -> TableRow:
    seats = list(table.seat_set.all())
    roots = [seat.person.root for seat in seats if seat.person]
    free = [seat.number for seat in seats if seat.is_free and not seat.bot]
    own = {seat.number for seat in seats if seat.person and seat.person.root.pk in mine and not seat.bot}
    names = [inline_name(seat.person.root.name) for seat in seats if seat.person and seat.number in table.asked]
    if table.state == Table.State.LOBBY:
        text = f"{len(free)} free {'seat' if len(free) == 1 else 'seats'}" if free else "about to begin"
    else:
        text = f"{join_list(names)} {'plays' if len(names) == 1 else 'play'}" if names else "in progress"
    return TableRow(
        title=GAMES[table.game, table.rules].title,
        code=table.code,
        url=table.get_absolute_url(),
        text=f"table {table.code}, {text}",
        arms=tuple(person.arms for person in roots),
        people=tuple(person.pk for person in roots),
        free_seat=free[0] if free and table.state == Table.State.LOBBY and not own else None,
        is_mine=bool(own),
        is_asked=bool(own & set(table.asked)),
        seats=tuple(
            SeatRow(inline_name(seat.person.root.name), seat.person.root.arms, seat.number in table.asked)
            for seat in seats
            if seat.person
        ),
    )


def _dates(night: Night, mine: set[int]) -> tuple[DateRow, ...]:
    options = list(night.date_options.prefetch_related("votes__person__merged_into"))
    counts = {
        option.pk: sum({"yes": 2, "maybe": 1}.get(vote.answer, 0) for vote in option.votes.all()) for option in options
    }
    best = max(counts.values(), default=0)

    def names(votes: list[DateVote], answer: str) -> tuple[str, ...]:
        return tuple(inline_name(vote.person.root.name) for vote in votes if vote.answer == answer)

    rows = []
    for option in options:
        votes = list(option.votes.all())
        own = next((vote.answer for vote in votes if vote.person.root.pk in mine), "")
        every = (names(votes, "yes"), names(votes, "maybe"), names(votes, "no"))
        rows.append(DateRow(option.pk, option.starts_at, *every, own, bool(best) and counts[option.pk] == best))
    return tuple(rows)


def _votes(night: Night, people: tuple[PersonRow, ...], mine: set[int]) -> tuple[VoteRow, ...]:
    here = sum(row.is_here for row in people) or sum(row.answer == "yes" for row in people)
    arms = {row.pk: row.arms for row in people}
    suggestions = suggest_for_night(night, here, day_of(timezone.now(), night.group.tzinfo))
    return tuple(
        VoteRow(
            key=row.game.key,
            name=row.game.name,
            about=row.about,
            reason=row.reason,
            count=len(row.game.voters),
            mine=bool(mine & set(row.game.voters)),
            arms=tuple(arms[pk] for pk in row.game.voters if pk in arms),
        )
        for row in suggestions
    )


# ── On the group's page ──────────────────────────────────────────────────────────────────────────────────

MAX_NIGHTS = 40


def nights_part(request: HttpRequest, group: Group, role: str) -> PagePart:
    now = timezone.now()
    nights = list(Night.objects.filter(group=group).order_by("-day", "-pk")[:MAX_NIGHTS])
    coming = [night for night in nights if not night.is_over(now)]
    coming.sort(key=lambda night: (night.starts_at is None, night.starts_at or night.made_at))
    values = {"coming": coming, "past": [night for night in nights if night.is_over(now)]}
    return PagePart("gamenights/nights/_of_group.html", values)


# ── On the page of a declared battle ─────────────────────────────────────────────────────────────────────


@prepared_query
def _groups(pk: int) -> QuerySet[Group]:
    return Group.objects.filter(pk=pk)


@prepared_query
def _open_nights_for(battle: int, group: int, now: dt.datetime) -> QuerySet[Night]:
    return Night.objects.filter(battle=battle, group=group).open(now).order_by("-pk")[:1]


def dates_part(request: HttpRequest, battle: Battle) -> PagePart | None:
    """On the page of an open battle of a group's campaign: propose dates, vote, or the date that was fixed."""
    if battle.campaign is None or battle.campaign.group_id is None or battle.is_over:
        return None
    group = _groups.first(battle.campaign.group_id)
    if group is None or not is_member(group, request.who):
        return None
    night = _open_nights_for.first(battle.pk, group.pk, timezone.now())
    values: dict[str, object] = {"battle": battle, "group": group, "night": night}
    if night is not None and night.day is None:
        options = DateOption.objects.filter(night=night)
        mine = request.who.person.all_ids() if request.who.person else []
        values |= {"dates": options.count(), "voted": options.filter(votes__person__in=mine).exists()}
    elif night is not None:
        values["coming"] = night.attendances.filter(answer=Attendance.Answer.YES).count()
    return PagePart("gamenights/nights/_battle_date.html", values)


# ── On the home page ─────────────────────────────────────────────────────────────────────────────────────

MAX_HOME_ITEMS = 6


def night_items(request: HttpRequest) -> Iterator[HomeItem]:
    """Tonight, dates to vote on, and invitations without an answer."""
    if request.who.person is None:
        return
    now = timezone.now()
    nights = sorted(own_nights(request.who, now).open, key=lambda one: (one.day or dt.date.min, one.pk))
    for night in nights[:MAX_HOME_ITEMS]:
        url, title = night.get_absolute_url(), f"{night.group.name}: {night.name}"
        if night.day is not None and night.day == day_of(now, night.group.tzinfo):
            yield HomeItem("tonight", title, night.place or "Tonight.", url, "Go to the night", "c-candle")
        elif night.day is None:
            yield HomeItem("me", title, "Vote on the date.", url, "Vote", "c-candle")
        elif not night.is_answered:
            yield HomeItem("me", title, "Will you come?", url, "Answer", "c-candle")
