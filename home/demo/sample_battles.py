"""Battles of the demo world: one told unit by unit, with its page and story, and the slip of the one that is open."""

from __future__ import annotations

import datetime as dt

from django.utils import timezone

from battles import forms, reporting, slips
from battles.models import Battle
from campaign import door, reading
from campaign.models import Campaign
from log import door as log_door
from people.who import Who

# Fenwick fights for its own Reedmarch and is beaten off the hills, round by round.
HILLS = {
    "ending": "routed-A",
    "removed": {"A": ("house-1", "house-4"), "B": ("house-2",)},
    "mounds": ((1, 1), (1, 2), (0, 2), (0, 3), (0, 3)),
    "spent": {"B": 1},
}
DAYS_AGO = 6


def fought(campaign: Campaign, who: Who) -> None:
    if log_door.answered(campaign.log_id, who=who.ref, key="demo-hills-told") is not None:
        return
    day = timezone.localdate() - dt.timedelta(days=DAYS_AGO)
    body = {"attacker": "k2", "target": "k2.border_1", "scenario": "hold_the_hills"}
    done = door.do(campaign, who, key="demo-hills", act="battle_declared", body=body, played_on=day, accept_late=True)
    battle = Battle.objects.select_related("campaign__log").get(campaign=campaign, number=done["body"]["battle"])
    state = reading.state_of(Campaign.objects.select_related("log").get(pk=campaign.pk))
    report = forms.report_from(battle, state, {**forms.empty_values(), **HILLS, "played_on": day})
    reporting.lay(battle, who, report, key="demo-hills-told", accept_late=True)


def slip(campaign: Campaign, who: Who) -> None:
    battle = Battle.objects.filter(campaign=campaign).open().first()
    if battle is not None:
        slips.slip_of(battle, who)
