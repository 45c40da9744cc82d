"""What game nights show on a group's page."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils import timezone

from campaign.models import Campaign
from gamenights.nights.models import Night
from gamenights.plays.display import build_play_rows
from gamenights.plays.models import Play
from groups.models import Group
from groups.registry import GROUP_PAGE
from pages.drawn_parts import PagePart

MAX_NIGHTS, MAX_PLAYS = 40, 5


def register() -> None:
    GROUP_PAGE.register(nights_part, order=10)
    GROUP_PAGE.register(plays_part, order=20)
    GROUP_PAGE.register(campaigns_part, order=40)


def nights_part(request: HttpRequest, group: Group, role: str) -> PagePart:
    now = timezone.now()
    found = list(Night.objects.filter(group=group).order_by("-day", "-pk")[:MAX_NIGHTS])
    coming = [night for night in found if not night.is_over(now)]
    coming.sort(key=lambda night: (night.starts_at is None, night.starts_at or night.made_at))
    values = {"coming": coming, "past": [night for night in found if night.is_over(now)]}
    return PagePart("gamenights/nights/_of_group.html", values)


def plays_part(request: HttpRequest, group: Group, role: str) -> PagePart:
    last = Play.objects.filter(group=group).standing().order_by("-day", "-logged_at").values("pk")[:MAX_PLAYS]
    rows = build_play_rows(Play.objects.filter(pk__in=list(last.values_list("pk", flat=True))), group)
    return PagePart("gamenights/plays/_of_group.html", {"plays": rows[::-1]})


def campaigns_part(request: HttpRequest, group: Group, role: str) -> PagePart:
    mine = (
        Campaign.objects.run_by(request.who).filter(group=None, archived_at=None) if role else Campaign.objects.none()
    )
    found = Campaign.objects.filter(group=group).visible_to(request.who)
    return PagePart("gamenights/_campaigns_of_group.html", {"campaigns": list(found), "addable": list(mine[:20])})
