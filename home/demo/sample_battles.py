"""Sample battles: one reported unit by unit, and the slip of the open one."""

from __future__ import annotations

import datetime as dt

from django.utils import timezone

from battles.models import Battle
from battles.result import forms as result_forms
from battles.result import services as result_services
from battles.result.form_value_types import FormValues
from battles.slip import access_codes
from campaign import selectors as campaign_selectors
from campaign import services as campaign_services
from campaign.chronicle.acts.war import DeclareBattle
from campaign.models import Campaign
from log import services as log_services
from people.requester import Who

# Fenwick fights for its own Reedmarch and is beaten off the hills, round by round.
HILLS: FormValues = {
    **result_forms.empty_values(),
    "ending": "routed-A",
    "removed": {"A": ("house-1", "house-4"), "B": ("house-2",)},
    "mounds": ((1, 1), (1, 2), (0, 2), (0, 3), (0, 3)),
    "spent": {"B": 1},
}
DAYS_AGO = 6


def add_reported_battle(campaign: Campaign, who: Who) -> None:
    if log_services.find_answer(campaign.log_id, who=who.ref, key="demo-hills-told") is not None:
        return
    day = timezone.localdate() - dt.timedelta(days=DAYS_AGO)
    declared = DeclareBattle("k2", "k2.border_1", "hold_the_hills")
    done = campaign_services.write(campaign, who, declared, key="demo-hills", played_on=day, accept_late=True)
    battle = Battle.objects.select_related("campaign__log").get(campaign=campaign, number=done["body"]["battle"])
    state = campaign_selectors.state_of(Campaign.objects.select_related("log").get(pk=campaign.pk))
    report = result_forms.report_from_values(battle, state, {**HILLS, "played_on": day})
    result_services.submit_report(battle, who, report, key="demo-hills-told", accept_late=True)


def add_slip(campaign: Campaign, who: Who) -> None:
    battle = Battle.objects.filter(campaign=campaign).open().first()
    if battle is not None:
        access_codes.get_or_create_slip(battle, who)
