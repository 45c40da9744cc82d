"""Print tonight: one file with all an evening needs. Slips, rosters and scenarios of the open battles, the map, the rules."""

from __future__ import annotations

from dataclasses import dataclass

from battles import opening
from battles.rights import rights
from battles.slip_views import sheet_of
from battles.standing import settled
from campaign import reading
from campaign.models import Campaign
from musters import may
from musters.models import Muster
from people.who import Who
from printing.sheet import CAMPAIGN, Content, Sheet, register
from printing.sheets import campaign_map, of_campaigns, quick_reference, rosters, scenarios, slips
from rulebook.scenarios import SCENARIO, Scenario

# An evening has no more battles than tables.
MOST_BATTLES = 8


@dataclass(frozen=True, slots=True)
class Evening:
    campaign: Campaign
    who: Who


def find(who: Who, code: str) -> Evening:
    return Evening(of_campaigns.find(who, code), who)


def gather(evening: Evening) -> Content:
    """What this one may see and report, and a blank slip for whoever musters at the table."""
    campaign, who = evening.campaign, evening.who
    state = reading.state_of(campaign)
    told: list[Content] = []
    armies: list[Content] = []
    played: dict[str, Scenario] = {}
    for number in list(state.battles)[:MOST_BATTLES]:
        row = opening.of_campaign(campaign, number, state)
        if row is None:
            continue
        battle = settled(row, state)
        if who.person is not None and rights(battle, who, state).report:
            told.append(slips.content(sheet_of(battle, state, who)))
        if battle.scenario in SCENARIO:
            played[battle.scenario] = SCENARIO[battle.scenario]
        for muster in Muster.objects.filter(campaign=campaign, battle=number).taken().select_related("campaign__log"):
            if not may.hidden_from(state, muster, who):
                armies.append(rosters.content(rosters.of_muster(muster)))
    told += slips.blank(SCENARIO["pitched_battle"])["slips"]
    parts: dict[str, Content] = {
        "slips": {"slips": told},
        "rosters": {"rosters": armies},
        "scenarios": {
            "title": "Tonight",
            "booklet": False,
            "scenarios": [scenarios.page(one) for one in played.values()],
        },
        "map": campaign_map.gather(campaign),
        "quick": quick_reference.gather(None),
    }
    order = ["slips", *(["rosters"] if armies else []), *(["scenarios"] if played else []), "map", "quick"]
    return {"parts": parts, "order": order}


register(
    Sheet(
        "tonight",
        "Print tonight",
        "One file with everything the evening needs: slips, armies and scenarios of the open battles, a blank slip, the map and the rules at a glance.",
        CAMPAIGN,
        "tonight.typ",
        gather,
        find=find,
        name=lambda evening: f"Tonight: {evening.campaign.name}",
        subjects=of_campaigns.mine,
        back=lambda evening: of_campaigns.back(evening.campaign),
    )
)
