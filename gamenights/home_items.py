"""Nights on the home page: tonight, and invitations without an answer."""

from __future__ import annotations

from collections.abc import Iterator

from django.http import HttpRequest
from django.utils import timezone

from gamenights.nights.models import Attendance, Night
from gamenights.nights.times import day_of
from pages import home_items as pages_home_items
from pages.home_items import HomeItem

MAX_ITEMS = 6


def register() -> None:
    pages_home_items.register_source(night_items)


def night_items(request: HttpRequest) -> Iterator[HomeItem]:
    person = request.who.person
    if person is None:
        return
    now = timezone.now()
    nights = list(Night.objects.of(request.who).open(now).select_related("group").order_by("day", "pk")[:MAX_ITEMS])
    mine = Attendance.objects.filter(night__in=nights, person__in=person.all_ids())
    answers = dict(mine.values_list("night_id", "answer"))
    for night in nights:
        url, title = night.get_absolute_url(), f"{night.group.name}: {night.name}"
        if night.day is not None and night.day == day_of(now, night.group.tzinfo):
            yield HomeItem("tonight", title, night.place or "Tonight.", url, "Go to the night", "c-candle")
        elif night.day is None:
            yield HomeItem("me", title, "Vote on the date.", url, "Vote", "c-candle")
        elif not answers.get(night.pk):
            yield HomeItem("me", title, "Will you come?", url, "Answer", "c-candle")
