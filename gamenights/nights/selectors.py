"""Finds nights that a visitor may see, and what a night is about."""

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Length
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone

from battles.models import Battle
from battles.side_display import title_and_subtitle
from campaign.selectors import state_as_read
from cardgames import selectors
from cardgames.models import MAX_TABLE_CODE
from gamenights.nights.models import Attendance, Night, NightQuerySet, is_open_at
from gamenights.plays.models import Play
from gamenights.plays.values import day_of
from groups.models import Group
from people.models import Person
from people.requester import Who
from prepared_queries import prepared_query


def _night_by_code(code: str) -> NightQuerySet:
    return Night.objects.filter(code=code).select_related("group__log", "host__merged_into", "battle")


@prepared_query
def _own_night(who: Who, code: str) -> QuerySet[Night]:
    return _night_by_code(code).of(who)


def get_visible_night(request: HttpRequest, code: str) -> Night:
    """The night with this code. A wrong code counts as a guess."""
    night = _own_night.first(request.who, code) if request.who.is_known else None
    if night is None:
        with selectors.CODE_LIMIT.attempt(request) as attempt:
            night = _night_by_code(code).visible_to(request.who).first()
            if night is None:
                attempt.fail()
    if night is None:
        raise Http404
    return night


def find_in_night(night: Night, **by: object) -> Person:
    """Someone of this night or its group, by ``pk`` or ``code``."""
    known = Person.objects.filter(forgotten_at=None, **by)
    came = Attendance.objects.filter(night=night).values("person")
    member = night.group.members.values("person")
    return get_object_or_404(known.filter(pk__in=came) | known.filter(pk__in=member))


def find_attendance(night: Night, pk: int) -> Attendance:
    return get_object_or_404(night.attendances.select_related("person", "claims", "confirmed__merged_into"), pk=pk)


def find_by_code(code: str, who: Who | None) -> str:
    """For the page where people type a code: the night's address, or ""."""
    nights = Night.objects.filter(code=code)
    nights = nights if who is None else nights.visible_to(who)
    return reverse("gamenights:night", args=[code]) if nights.exists() else ""


def count_open_codes() -> int:
    """How many nights a stranger could open by guessing at codes as short as a table's."""
    nights = Night.objects.visible_to(Who()).annotate(letters=Length("code"))
    return nights.filter(letters__lte=MAX_TABLE_CODE).count()


@dataclass(frozen=True, slots=True)
class OwnNights:
    """Nights of a person's groups, and those they came to: newest day first."""

    open: tuple[Night, ...]  # with ``is_answered``
    played: tuple[Night, ...]  # of the days that were asked for, with plays
    days: frozenset[dt.date]


@prepared_query
def _own_nights(who: Who, now: dt.datetime, days: tuple[dt.date, ...]) -> QuerySet[Night]:
    mine = Attendance.objects.filter(night=OuterRef("pk"), person__in=who.person.all_ids() if who.person else ())
    rows = Night.objects.of(who).annotate(is_answered=Exists(mine.exclude(answer=""))).select_related("group")
    if not days:
        return rows.open(now)
    rows = rows.annotate(has_plays=Exists(Play.objects.filter(night=OuterRef("pk"))))
    return rows.filter(is_open_at(now) | Q(day__in=days, has_plays=True))


def own_nights(who: Who, now: dt.datetime | None = None, days: Iterable[dt.date] = ()) -> OwnNights:
    """Read once per request, however many parts of a page ask; whoever needs played nights of some days asks first."""
    kept: OwnNights | None = who.read_once.get("own_nights")
    wanted = frozenset(days)
    if kept is None or not wanted <= kept.days:
        now = now or timezone.now()
        rows = _own_nights(who, now, tuple(wanted))
        is_open = [night for night in rows if not night.is_over(now)]
        played = [night for night in rows if night.day in wanted and night.has_plays]
        kept = who.read_once["own_nights"] = OwnNights(tuple(is_open), tuple(played), wanted)
    return kept


def upcoming_nights(who: Who) -> list[Night]:
    """Open nights of this person: those with a date first, soonest first."""
    nights = own_nights(who).open
    return sorted(nights, key=lambda night: (night.starts_at is None, night.starts_at or night.made_at))


def night_of_person(person: Person | None, now: dt.datetime | None = None) -> Night | None:
    """The open night where this person is checked in."""
    if person is None:
        return None
    rows = Attendance.objects.filter(person__in=person.all_ids(), here_at__isnull=False, left_at=None)
    nights = Night.objects.filter(pk__in=rows.values("night")).open(now or timezone.now())
    return nights.select_related("group").order_by(F("starts_at").desc(nulls_last=True)).first()


def night_on(group: Group, day: dt.date) -> Night | None:
    """The one that is not closed, if there are several."""
    return Night.objects.filter(group=group, day=day).order_by(F("closed_at").asc(nulls_first=True), "-pk").first()


def find_night_for_play(group: Group, day: dt.date, now: dt.datetime | None = None) -> Night | None:
    """The night that a play of this day of the calendar belongs to: after midnight, the evening that is still on."""
    moment = now or timezone.now()
    night = night_on(group, day)
    if night is None and day == moment.astimezone(group.tzinfo).date():
        night = night_on(group, day_of(moment, group.tzinfo))
    return night


def find_namesakes(group: Group, name: str) -> list[tuple[Person, dt.date | None]]:
    """People of this group with this name and without an account, and the last night they came to."""
    rows = group.members.filter(person__name__iexact=name.strip(), person__forgotten_at=None, person__account=None)
    people = {row.person.root.pk: row.person.root for row in rows.select_related("person__merged_into")}
    namesakes = []
    for person in people.values():
        if person.has_account:
            continue
        came = Attendance.objects.filter(person__in=person.all_ids(), night__group=group, here_at__isnull=False)
        namesakes.append((person, came.order_by("-night__day").values_list("night__day", flat=True).first()))
    return namesakes


def find_declared_battle(group: Group, who: Who, code: str) -> Battle | None:
    """The open battle that a night of this group is planned for."""
    if not code:
        return None
    battles = Battle.objects.visible_to(who).open().filter(campaign__group=group)
    return get_object_or_404(battles.select_related("campaign__log", "campaign__snapshot"), code=code)


def suggest_title(battle: Battle) -> str:
    state = state_as_read(battle.campaign) if battle.campaign else None
    return f"Battle {battle.number}: {title_and_subtitle(battle, state)[0]}"[:80]


def nights_of(ids: tuple[int, ...]) -> list[dict[str, object]]:
    """What they add to the file of somebody's own data."""
    rows = Attendance.objects.filter(person__in=ids).select_related("night").order_by("pk")
    return [
        {"night": row.night.name, "day": row.night.day, "answer": row.answer, "here_at": row.here_at} for row in rows
    ]
