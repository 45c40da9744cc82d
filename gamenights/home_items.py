"""Nights on the home page: tonight, and invitations without an answer; changes of plays that wait for consent."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Q
from django.http import HttpRequest
from django.utils import timezone

from gamenights.nights.day_boundary import day_of
from gamenights.nights.models import Attendance, Night
from gamenights.plays.display import build_proposal
from gamenights.plays.models import Play, PlayPlayer
from gamenights.plays.values import format_day
from groups.models import Group
from pages import home_items as pages_home_items
from pages.home_items import HomeItem

MAX_ITEMS = 6


def register() -> None:
    pages_home_items.register_source(night_items)
    pages_home_items.register_source(proposal_items)


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


def proposal_items(request: HttpRequest) -> Iterator[HomeItem]:
    """Changes of plays that wait for this person's consent."""
    person = request.who.person
    if person is None:
        return
    mine = PlayPlayer.objects.filter(person__in=person.all_ids()).values("play")
    hosted = Group.objects.hosted_by(request.who).values("pk")
    asked = (Q(pk__in=mine) & ~Q(group__consent=Group.Consent.HOST)) | Q(group__in=hosted)
    waiting = Play.objects.filter(asked, waiting_entry__isnull=False).select_related("group", "game")
    for play in waiting[:MAX_ITEMS]:
        proposal = build_proposal(play, request.who)
        if proposal and proposal.can_agree:
            title = f"{play.game.name}, {format_day(play.day)}"
            yield HomeItem(
                "me", title, f"{proposal.text} {proposal.detail}".strip(), play.get_absolute_url(), "Decide", "c-hand"
            )
