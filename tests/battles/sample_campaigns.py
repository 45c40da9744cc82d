"""Small worlds for the battles' tests: campaigns with two or three kingdoms, created through the services."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from battles.models import Battle
from campaign import services as campaign_services
from campaign.chronicle.codec import read_sent
from campaign.founding import services as founding_services
from campaign.invitations import services as invitations_services
from campaign.models import Campaign
from people.models import Person
from people.requester import Who
from tests.campaign.chronicle.sample_wars import NAMES, joining


def a_campaign(
    master: Person,
    rulers: list[Person | None],
    *,
    joins: Sequence[Person] = (),
    confirm: str = "one",
    key: str = "campaign",
) -> Campaign:
    """One kingdom for each ruler; ``confirm`` is the term by which results are confirmed; ``joins`` only watch."""
    who = Who.of(master)
    campaign = founding_services.found_campaign(
        who, key=f"{key}-founded", name="The War of the Hedges", season="Spring"
    )
    for number, ruler in enumerate(rulers):
        body = joining(NAMES[number], ruler=ruler.pk if ruler else None)
        campaign_services.write(campaign, who, key=f"{key}-joins-{number}", act=read_sent("kingdom_joins", body))
    for person in joins:
        invitations_services.join_campaign(campaign, Who.of(person), key=f"{key}-watches-{person.pk}")
    if confirm != "one":
        campaign_services.write(
            campaign, who, key=f"{key}-terms", act=read_sent("house_rules", {"terms": {"confirm": confirm}})
        )
    return fresh(campaign)


def fresh(campaign: Campaign) -> Campaign:
    return Campaign.objects.select_related("log").get(pk=campaign.pk)


def declare(campaign: Campaign, who: Who, attacker: str, target: str, *, key: str = "", **more: Any) -> Battle:
    body = {"attacker": attacker, "target": target, **more}
    done = campaign_services.write(
        campaign,
        who,
        key=key or f"declare-{attacker}-{target}".replace(".", "-"),
        act=read_sent("battle_declared", body),
    )
    return Battle.objects.get(campaign=campaign, number=done["body"]["battle"])


def declared(campaign: Campaign, master: Who) -> Battle:
    """An open Pitched Battle between the first two kingdoms."""
    return declare(campaign, master, "k1", "k2.border_1", scenario="pitched_battle")
