"""A night as a calendar file, the calendar and the feed of a group, and the page with their addresses."""

from __future__ import annotations

from dataclasses import asdict, replace
from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.text import slugify
from django.views.decorators.http import require_safe

from gamenights.calendar.events import CalendarNight, write_calendar
from gamenights.calendar.feed_tokens import find_group, list_addresses
from gamenights.calendar.selectors import list_for_calendar, list_news
from gamenights.nights.permissions import can_see_evening
from gamenights.nights.selectors import get_visible_night
from gamenights.notices.core.notice_formats import write_atom
from groups.models import Group
from groups.permissions import require_member
from groups.selectors import get_visible_group
from pages.site_address_for_guests import base_url
from people.login_required import person_required
from refusal import Refusal


@require_safe
def night_file(request: HttpRequest, code: str) -> HttpResponse:
    """/nights/<code>/calendar.ics"""
    night = get_visible_night(request, code)
    rows = list_for_calendar(night.group, [night])
    if not can_see_evening(night, request.who):
        rows = [replace(row, place="", text="") for row in rows]
    if not rows:
        raise Refusal("This night has no date yet. Vote on one first.", status=409)
    response = _calendar(night.group, rows)
    response["Content-Disposition"] = f'attachment; filename="{slugify(night.name) or "night"}-{night.day}.ics"'
    return response


@require_safe
def group_calendar(request: HttpRequest, token: str) -> HttpResponse:
    group = find_group(token)
    return _calendar(group, list_for_calendar(group))


def _calendar(group: Group, nights: list[CalendarNight]) -> HttpResponse:
    host = urlsplit(base_url()).hostname or "localhost"
    data = write_calendar(nights, name=group.name, zone=group.tzinfo, host=host)
    return HttpResponse(data, content_type="text/calendar; charset=utf-8", headers={"Cache-Control": "no-store"})


@require_safe
def group_feed(request: HttpRequest, token: str) -> HttpResponse:
    group = find_group(token)
    data = write_atom(
        list_news(group),
        title=group.name,
        feed_url=base_url() + request.path,
        page_url=base_url() + group.get_absolute_url(),
        feed_id=f"tag:{urlsplit(base_url()).hostname},2026:group-{group.code}",
    )
    return HttpResponse(data, content_type="application/atom+xml; charset=utf-8", headers={"Cache-Control": "no-store"})


@person_required
@require_safe
def addresses(request: HttpRequest, code: str) -> HttpResponse:
    """The addresses to subscribe to, made for this member alone."""
    group = get_visible_group(request.who, code)
    require_member(group, request.who)
    context = {"group": group, **asdict(list_addresses(group, request.who.person))}
    return render(request, "gamenights/calendar/addresses.html", context)
