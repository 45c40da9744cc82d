"""Nights for calendars, and the news of a group for feed readers."""

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated

from django.core import signing
from django.http import Http404
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from dataclass_json import Ask
from gamenights.nights.calendar_events import CalendarNight
from gamenights.nights.models import Night
from gamenights.notices.notice_formats import Notice
from gamenights.plays.models import Play
from gamenights.plays.selectors import load_facts
from gamenights.recap.facts import describe_result, name_game
from groups.models import Group, Member
from log.models import Entry
from pages.site_address_for_guests import base_url
from people.models import Person
from people.name_validation import inline_name

CHANGES = ("night_changed", "night_closed", "night_reopened", "night_handed_over", "date_chosen")
KEEP_PAST = dt.timedelta(days=365)
MAX_NEWS = 50


def list_for_calendar(group: Group, nights: Iterable[Night] | None = None) -> list[CalendarNight]:
    """Nights with a date, of the last year and to come, with how often each was changed."""
    if nights is None:
        since = timezone.now().date() - KEEP_PAST
        nights = (
            Night.objects.filter(group=group, day__gte=since).select_related("host__merged_into").order_by("day", "pk")
        )
    rows = list(nights)
    changes: dict[int, list[dt.datetime]] = {night.pk: [night.made_at] for night in rows}
    entries = Entry.objects.filter(log=group.log_id, act__in=CHANGES).order_by("number")
    for night, at in entries.values_list("body__night", "entered_at"):
        if night in changes:
            changes[night].append(at)
    return [_calendar_night(night, changes[night.pk]) for night in rows if night.day is not None]


def _calendar_night(night: Night, changes: list[dt.datetime]) -> CalendarNight:
    assert night.day is not None
    is_cancelled = bool(night.closed_at and night.starts_at and night.closed_at < night.starts_at)
    text = f"{inline_name(night.host.root.name)} hosts."
    return CalendarNight(
        key=str(night.pk),
        title=night.name,
        day=night.day,
        starts_at=night.starts_at,
        changed_at=max(changes),
        place=night.place,
        text=f"{text}\n{night.plan}" if night.plan else text,
        url=base_url() + night.get_absolute_url(),
        changes=len(changes) - 1,
        is_cancelled=is_cancelled,
    )


def list_news(group: Group) -> list[Notice]:
    """Nights and plays of the group, as entries of its feed."""
    last = Play.objects.filter(group=group).standing().order_by("-logged_at").values_list("pk", flat=True)[:MAX_NEWS]
    news = [
        Notice(
            key=f"play-{play.uuid}",
            title=name_game(play),
            text=describe_result(play),
            at=play.logged_at or timezone.now(),
            url=f"{base_url()}/groups/{group.code}/plays/{play.uuid}/",
        )
        for play in load_facts(Play.objects.filter(pk__in=list(last)))
    ]
    for night in Night.objects.filter(group=group).order_by("-made_at")[:MAX_NEWS]:
        day = f"{night.day:%A} {night.day.day} {night.day:%B %Y}" if night.day else "Vote on a date"
        text = f"{day}, {night.place}" if night.place else day
        news.append(
            Notice(f"night-{night.pk}", night.name, f"{text}.", night.made_at, base_url() + night.get_absolute_url())
        )
    return news


# ── Addresses that need no log-in ──────────────────────────────────────────────────────────────────────

SALT = "gamenights.calendar"


def make_token(group: Group, person: Person) -> str:
    return signing.dumps([group.pk, person.pk, _proof(person)], salt=SALT, compress=True)


@dataclass(frozen=True)
class Addresses:
    calendar: Annotated[str, Ask("Calendar", "iCalendar, to subscribe to.")]
    feed: Annotated[str, Ask("Feed", "Atom.")]


def list_addresses(group: Group, person: Person) -> Addresses:
    """The calendar and the feed, made for this member alone."""
    token = make_token(group, person)
    return Addresses(
        base_url() + reverse("gamenights:group_calendar", args=[token]),
        base_url() + reverse("gamenights:group_feed", args=[token]),
    )


def _proof(person: Person) -> str:
    """Changes with the root, the account and its password, for a guest with whoever looks after them, and whenever
    credentials end: an address from before a merge must not work again once the merge is undone."""
    account = person.root.account
    log_in = f"{account.pk}/{account.password}" if account else f"kept by {person.root.keeper_id}"
    ended = [f"/{row.credentials_ended_at.isoformat()}" for row in (person, person.root) if row.credentials_ended_at]
    return salted_hmac(SALT, f"{person.root.pk}/{log_in}{''.join(ended)}").hexdigest()[:16]


def find_group(token: str) -> Group:
    """The group of a member's address, or 404."""
    try:
        group, person, proof = signing.loads(token, salt=SALT)
    except (signing.BadSignature, ValueError, TypeError):
        raise Http404 from None
    row = Person.objects.filter(pk=person, forgotten_at=None).select_related("account", "merged_into__account").first()
    if row is None or not constant_time_compare(proof, _proof(row)):
        raise Http404
    roles = (Member.Role.HOST, Member.Role.MEMBER)
    memberships = Member.objects.filter(group=group, person__in=row.root.all_ids(), role__in=roles)
    member = memberships.select_related("group__log").first()
    if member is None:
        raise Http404
    return member.group
