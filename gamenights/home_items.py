"""Nights on the home page: tonight, and invitations without an answer; changes of plays that wait for consent."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone

from gamenights.nights.selectors import own_nights
from gamenights.plays.display import build_proposal
from gamenights.plays.models import Play, PlayPlayer
from gamenights.plays.values import day_of, format_day
from groups.models import Group
from pages import home_items as pages_home_items
from pages.home_items import HomeItem
from people.requester import Who
from prepared_queries import prepared_query

MAX_ITEMS = 6


def register() -> None:
    pages_home_items.register_source(night_items, tonight=True)
    pages_home_items.register_source(proposal_items, rows=_plays_with_proposals)


def _plays_with_proposals(who: Who, since: dt.datetime | None = None) -> QuerySet[Play]:
    mine = PlayPlayer.objects.filter(person__in=who.person.all_ids() if who.person else ()).values("play")
    hosted = Group.objects.hosted_by(who).values("pk")
    asked = (Q(pk__in=mine) & ~Q(group__consent=Group.Consent.HOST)) | Q(group__in=hosted)
    return Play.objects.filter(asked, waiting_entry__isnull=False).select_related("group", "game")


@prepared_query
def _first_plays_with_proposals(who: Who) -> QuerySet[Play]:
    return _plays_with_proposals(who)[:MAX_ITEMS]


def night_items(request: HttpRequest) -> Iterator[HomeItem]:
    if request.who.person is None:
        return
    now = timezone.now()
    nights = sorted(own_nights(request.who, now).open, key=lambda one: (one.day or dt.date.min, one.pk))
    for night in nights[:MAX_ITEMS]:
        url, title = night.get_absolute_url(), f"{night.group.name}: {night.name}"
        if night.day is not None and night.day == day_of(now, night.group.tzinfo):
            yield HomeItem("tonight", title, night.place or "Tonight.", url, "Go to the night", "c-candle")
        elif night.day is None:
            yield HomeItem("me", title, "Vote on the date.", url, "Vote", "c-candle")
        elif not night.is_answered:
            yield HomeItem("me", title, "Will you come?", url, "Answer", "c-candle")


def proposal_items(request: HttpRequest) -> Iterator[HomeItem]:
    """Changes of plays that wait for this person's consent."""
    if request.who.person is None:
        return
    for play in _first_plays_with_proposals(request.who):
        proposal = build_proposal(play, request.who)
        if proposal and proposal.can_agree:
            title = f"{play.game.name}, {format_day(play.day)}"
            yield HomeItem(
                "me", title, f"{proposal.text} {proposal.detail}".strip(), play.get_absolute_url(), "Decide", "c-hand"
            )
