"""A group with a host and three members, and a night that is on."""

from __future__ import annotations

import datetime as dt

import pytest
from django.utils import timezone

from gamenights.nights import services as nights_services
from gamenights.nights.entries import PlanNight
from groups import services as groups_services
from groups.entries import FoundGroup
from people.requester import Who


@pytest.fixture
def group(master, player, other_player, guest):
    found = groups_services.found_group(
        Who.of(master), "the-burdock-group", FoundGroup(name="The Burdock Table", zone="Europe/Berlin")
    )
    for person in (player, other_player, guest):
        groups_services.add_member(found, person)
    return found


@pytest.fixture
def night(group, master):
    return nights_services.start_tonight(group, Who.of(master), key="tonight-we-play")


@pytest.fixture
def coming(group, master):
    """A night in a week."""
    start = timezone.now() + dt.timedelta(days=7)
    return nights_services.plan_night(
        group, Who.of(master), "in-a-week-then", PlanNight(dates=(start,), title="Long Candle")
    )
