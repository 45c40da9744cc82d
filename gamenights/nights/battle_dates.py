"""Dates for a declared battle: propose them from its page, vote on them, and see there when it is played."""

from __future__ import annotations

import datetime as dt

from django.db.models import QuerySet
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.utils import timezone

from battles.battle_titles import title_and_subtitle
from battles.display import BATTLE_PAGE
from battles.models import Battle
from campaign.selectors import state_as_read
from gamenights.nights.models import Attendance, DateOption, Night
from groups.models import Group
from groups.permissions import is_member
from pages.drawn_parts import PagePart
from people.requester import Who
from prepared_queries import prepared_query


def register() -> None:
    BATTLE_PAGE.register(dates_part)


def find_declared_battle(group: Group, who: Who, code: str) -> Battle | None:
    """The open battle that a night of this group is planned for."""
    if not code:
        return None
    found = Battle.objects.visible_to(who).open().filter(campaign__group=group)
    return get_object_or_404(found.select_related("campaign__log", "campaign__snapshot"), code=code)


def suggest_title(battle: Battle) -> str:
    state = state_as_read(battle.campaign) if battle.campaign else None
    return f"Battle {battle.number}: {title_and_subtitle(battle, state)[0]}"[:80]


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
