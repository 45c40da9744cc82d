"""Nights as JSON: everything their pages do. People are named by their codes.

    POST /api/v1/nights/BRIM4KXT/bring/   {"key": "a-key-of-the-app", "what": "Cheese"}
    201  {"code": "BRIM4KXT", "name": "Longer Candle", "bring": [{"id": 7, "what": "Cheese", "by": ""}], …}

Every operation takes the same steps: find the night (404 for whoever cannot see it), check who asks (403), read what
was sent (422, when ``sent`` is first asked for its key or value), call a service, show the night as it is now.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Annotated, Literal

from django.shortcuts import get_object_or_404
from rest_framework.request import Request
from rest_framework.views import APIView

from cardgames.tables.seats import seat_and_watch_passes as table_passes, seating
from dataclass_json import Ask, Text, stored_as
from gamenights.nights import permissions, services
from gamenights.nights.calendar_feeds import Addresses, list_addresses
from gamenights.nights.display import NightDisplay, NightRow, TableRow, build_night
from gamenights.nights.entries import (
    AddBringItem,
    AnswerNight,
    Arrive,
    ChangeBringItem,
    ChangeNight,
    ChooseDate,
    OpenTable,
    PlanNight,
    VoteOnDates,
)
from gamenights.nights.models import Night
from gamenights.nights.selectors import find_attendance, find_declared_battle, find_in_night, get_visible_night
from gamenights.plays.api import PlayAnswer, build_answers
from gamenights.plays.selectors import plays_of_night
from gamenights.recap.display import build_recap
from gamenights.recap.facts import ResultLine, TableRow as RecapTableRow
from groups.api import GroupDetail
from groups.display import GroupDisplay, build_people
from groups.selectors import get_group_as_member, get_visible_group
from pages.api.operations import Changes, Nothing, Sent, operation
from pages.api_pagination import Page, paginate
from pages.fields.columns_and_rows import as_rows, extend, take
from people.api_tokens.scopes import RUN
from people.models import Person
from people.passes.shown_secrets import show_secret
from people.requester import Who
from refusal import Refusal

MAX_NIGHTS = 100


@dataclass(frozen=True, kw_only=True)
class NightDetailWithPlays(NightDisplay):
    api_name = "NightDetail"

    logged: tuple[PlayAnswer, ...] = field(metadata=stored_as("plays"))


def _show(request: Request, night: Night) -> NightDetailWithPlays:
    """The night as it is now."""
    fresh = Night.objects.select_related("group__log", "host__merged_into", "battle").get(pk=night.pk)
    display = build_night(fresh, request.who)
    plays = tuple(build_answers(plays_of_night(fresh))) if display.can_see_evening else ()
    return extend(NightDetailWithPlays, display, logged=plays)


# ── Planning ─────────────────────────────────────────────────────────────────────────────────────────────


class NightList(APIView):
    @operation("nights_list")
    def get(self, request: Request, code: str) -> Page[NightRow]:
        """The nights of a group, the last planned first; the next page is in the Link header."""
        group = get_visible_group(request.who, code)
        return paginate(request, Night.objects.filter(group=group), ["-pk"], as_rows(NightRow))

    @operation("nights_plan", status=201)
    def post(self, request: Request, code: str, sent: Sent[PlanNight]) -> NightDetailWithPlays:
        """Plan a night."""
        group = get_group_as_member(request.who, code)
        planned = sent.value
        battle = find_declared_battle(group, request.who, planned.battle)
        return _show(request, services.plan_night(group, request.who, sent.key, planned, battle=battle))


@dataclass(frozen=True)
class GroupWithNightsDisplay(GroupDisplay):
    api_name = "GroupWithNights"

    nights: tuple[NightRow, ...]


class GroupWithNights(GroupDetail):
    """A group with its last nights."""

    @operation("groups_show")
    def get(self, request: Request, code: str) -> GroupWithNightsDisplay:
        """One group with its people and its last nights."""
        group = get_visible_group(request.who, code)
        nights = tuple(as_rows(NightRow)(Night.objects.filter(group=group)[:MAX_NIGHTS]))
        return take(GroupWithNightsDisplay, group, people=build_people(group), nights=nights)


class NightTonight(APIView):
    @operation("nights_tonight", status=201)
    def post(self, request: Request, code: str, sent: Sent[Nothing]) -> NightDetailWithPlays:
        """The night that is on, or a new one. You are checked in."""
        group = get_group_as_member(request.who, code)
        return _show(request, services.start_tonight(group, request.who, key=sent.key))


class NightDetail(APIView):
    scopes = {"PATCH": RUN}
    needs_no_log_in = ("GET",)

    @operation("nights_show")
    def get(self, request: Request, code: str) -> NightDetailWithPlays:
        """A night: who comes, who is here, what to bring, dates to vote on, tables and plays."""
        return _show(request, get_visible_night(request, code))

    @operation("nights_change")
    def patch(self, request: Request, code: str, sent: Changes[ChangeNight]) -> NightDetailWithPlays:
        """Change its title, place, plan or start."""
        night = get_visible_night(request, code)
        permissions.require_run(night, request.who)
        changed = sent.onto(take(ChangeNight, night, starts_at=None))
        services.change_night(night, request.who, sent.key, changed)
        return _show(request, night)


# ── Who comes, who is here, who runs it ──────────────────────────────────────────────────────────────────

IS_THAT_YOU = "The group knows somebody of this name. Send “known”: their code if it is you, or “nobody”."


def _do_as_guest(request: Request, night: Night, came: Arrive, then: Callable[[Who], object]) -> None:
    """Do it as whoever asks; a newcomer becomes a guest first. A name the group knows is asked about, never merged."""
    if request.who.is_known or not came.name:
        request.who.require_person()
        then(request.who)
        return
    try:
        services.come_by_name(request._request, night, came.name, came.known, then)
    except services.IsThatYou as asked:
        rows = [{"person": person.code, "last_here": day and day.isoformat()} for person, day in asked.namesakes]
        raise Refusal(IS_THAT_YOU, status=409, field="known", fresh={"namesakes": rows}) from None


class NightAnswer(APIView):
    needs_no_log_in = ("POST",)

    @operation("nights_answer")
    def post(self, request: Request, code: str, sent: Sent[AnswerNight]) -> NightDetailWithPlays:
        """Say whether you come. The night's code and a name are enough."""
        night = get_visible_night(request, code)
        answer = sent.value
        _do_as_guest(request, night, answer, lambda who: services.answer_invitation(night, who, sent.key, answer))
        return _show(request, night)


class NightCheckIn(APIView):
    needs_no_log_in = ("POST",)

    @operation("nights_check_in")
    def post(self, request: Request, code: str, sent: Sent[Arrive]) -> None:
        """Check in: you are here. The night's code and a name are enough."""
        night = get_visible_night(request, code)
        _do_as_guest(request, night, sent.value, lambda who: services.check_in(night, who, key=sent.key))


class NightLeave(APIView):
    @operation("nights_leave")
    def post(self, request: Request, code: str, sent: Sent[Nothing]) -> None:
        """You have left."""
        night = get_visible_night(request, code)
        request.who.require_person()
        services.check_out(night, request.who, key=sent.key)


@dataclass(frozen=True)
class ActOfNight:
    api_name = "NightAct"

    act: Literal[
        "close", "reopen", "hand_over", "check_in", "check_out", "co_host", "no_co_host", "confirm", "deny", "split"
    ]
    person: Annotated[str, Ask("Person", f"A code, for {', '.join(services.OF_A_PERSON)}."), Text("The person", 16)] = (
        ""
    )
    attendance: Annotated[int, Ask("Attendance", "From claims or, for split, from merged.")] = 0


class NightActs(APIView):
    scopes = {"POST": RUN}

    @operation("nights_act")
    def post(self, request: Request, code: str, sent: Sent[ActOfNight]) -> NightDetailWithPlays:
        """What the host and co-hosts do: close, reopen, co-hosts, hand-over, checking others in, "Is that you?"."""
        night = get_visible_night(request, code)
        permissions.require_run(night, request.who)
        wanted, key = sent.value, sent.key
        if wanted.act in services.OF_THE_NIGHT:
            services.OF_THE_NIGHT[wanted.act](night, request.who, key=key)
        elif wanted.act in services.OF_A_PERSON:
            person = find_in_night(night, code=wanted.person)
            services.OF_A_PERSON[wanted.act](night, request.who, key=key, person=person)
        else:
            attendance = find_attendance(night, wanted.attendance)
            services.OF_A_CLAIM[wanted.act](night, request.who, key=key, attendance=attendance)
        return _show(request, night)


# ── What to bring, dates, tables ─────────────────────────────────────────────────────────────────────────


class NightBring(APIView):
    @operation("nights_bring_add", status=201)
    def post(self, request: Request, code: str, sent: Sent[AddBringItem]) -> NightDetailWithPlays:
        """Add something to bring."""
        night = get_visible_night(request, code)
        permissions.require_part(night, request.who)
        services.add_bring_item(night, request.who, sent.key, sent.value)
        return _show(request, night)


class NightBringItem(APIView):
    @operation("nights_bring_change")
    def post(self, request: Request, code: str, pk: int, sent: Sent[ChangeBringItem]) -> NightDetailWithPlays:
        """Take it on, leave it to others, or remove it."""
        night = get_visible_night(request, code)
        permissions.require_part(night, request.who)
        item = get_object_or_404(night.bring_items, pk=pk)
        services.change_bring_item(night, request.who, sent.key, sent.value, item=item)
        return _show(request, night)


class NightDates(APIView):
    scopes = {"POST": RUN}
    needs_no_log_in = ("PUT",)

    @operation("nights_dates_vote")
    def put(self, request: Request, code: str, sent: Sent[VoteOnDates]) -> NightDetailWithPlays:
        """Vote on the proposed dates. The night's code and a name are enough."""
        night = get_visible_night(request, code)
        wanted = sent.value
        answers = {row.id: row.answer for row in wanted.answers}

        def vote(who: Who) -> None:
            services.vote_on_dates(night, who, key=sent.key, answers=answers)

        _do_as_guest(request, night, wanted, vote)
        return _show(request, night)

    @operation("nights_dates_fix")
    def post(self, request: Request, code: str, sent: Sent[ChooseDate]) -> NightDetailWithPlays:
        """Fix one of the dates."""
        night = get_visible_night(request, code)
        permissions.require_run(night, request.who)
        option = get_object_or_404(night.date_options, pk=sent.value.id)
        services.choose_date(night, request.who, key=sent.key, option=option)
        return _show(request, night)


class NightTables(APIView):
    @operation("nights_open_table", status=201)
    def post(self, request: Request, code: str, sent: Sent[OpenTable]) -> TableRow:
        """Open a card table in this night, with a seat for everybody who sits nowhere yet."""
        night = get_visible_night(request, code)
        permissions.require_part(night, request.who)
        table = services.open_table(night, request.who, key=sent.key, game=sent.value.game)
        table_passes.grant_watch_pass(request._request, table)
        seating.seat_host(request._request, table, key=sent.key)
        return next(row for row in build_night(night, request.who).tables if row.code == table.code)


# ── The recap ────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class RecapAnswer:
    api_name = "Recap"

    headline: str
    summary: str
    results: tuple[ResultLine, ...]
    table: tuple[RecapTableRow, ...]
    stories: tuple[str, ...]


class NightRecapView(APIView):
    @operation("nights_recap")
    def get(self, request: Request, code: str) -> RecapAnswer:
        """Results, the table of the night, stories and records."""
        night = get_visible_night(request, code)
        permissions.require_evening(night, request.who)
        display = build_recap(night)
        recap = display.recap
        ids = [int(row.person) for row in recap.table if row.person]
        codes = {str(pk): code for pk, code in Person.objects.filter(pk__in=ids).values_list("pk", "code")}
        table = tuple(replace(row, person=codes.get(row.person, "")) for row in recap.table)
        stories = tuple(story.text for story in display.stories)
        return RecapAnswer(recap.headline, recap.summary, recap.results, table, stories)


# ── Calendars ──────────────────────────────────────────────────────────────────────────────────────────


class CalendarAddresses(APIView):
    scopes = {"GET": RUN}  # they need no log-in, and outlive the token

    @operation("groups_calendar")
    def get(self, request: Request, code: str) -> Addresses:
        """Addresses to subscribe to, for you alone: whoever has them sees what you see."""
        group = get_group_as_member(request.who, code)
        show_secret(request._request)
        return list_addresses(group, request.who.require_person())
