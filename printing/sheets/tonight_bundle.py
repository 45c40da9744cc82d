"""Tonight's sheets: slips, rosters and scenarios of the open battles, the map and the rules in one file."""

from __future__ import annotations

from dataclasses import dataclass

from battles.battle_stage import project_stage
from battles.new_battle import services as new_battle_services
from battles.permissions import permissions_of
from battles.slip.display import printable_slip
from campaign import selectors as campaign_selectors
from campaign.models import Campaign
from musters import permissions as musters_permissions
from musters.models import Muster
from people.requester import Who
from printing.sheet_registry import CAMPAIGN, Content, Sheet, register_sheets
from printing.sheets import (
    battle_slips,
    campaign_map,
    campaign_sheet_base,
    muster_rosters,
    quick_reference,
    scenario_sheets,
)
from rulebook.data.scenarios import SCENARIO, Scenario

# More battles than anyone plays in one evening.
MAX_BATTLES = 8


@dataclass(frozen=True, slots=True)
class Tonight:
    campaign: Campaign
    who: Who


def find(who: Who, code: str) -> Tonight:
    return Tonight(campaign_sheet_base.find_campaign(who, code), who)


def gather(tonight: Tonight) -> Content:
    """Everything this person can see and report, and a blank slip."""
    campaign, who = tonight.campaign, tonight.who
    state = campaign_selectors.state_as_read(campaign)
    slips: list[Content] = []
    armies: list[Content] = []
    played: dict[str, Scenario] = {}
    for number in list(state.battles)[:MAX_BATTLES]:
        row = new_battle_services.get_campaign_battle(campaign, number, state)
        if row is None:
            continue
        battle = project_stage(row, state)
        if who.person is not None and permissions_of(battle, who, state).report:
            slips.append(battle_slips.slip_content(printable_slip(battle, state, who)))
        if battle.scenario in SCENARIO:
            played[battle.scenario] = SCENARIO[battle.scenario]
        for muster in Muster.objects.filter(campaign=campaign, battle=number).taken():
            muster.campaign = campaign
            if not musters_permissions.is_hidden_from(state, muster, who):
                armies.append(muster_rosters.roster_content(muster_rosters.roster_of_muster(muster)))
    slips += battle_slips.blank_slip_content(SCENARIO["pitched_battle"])["slips"]
    parts: dict[str, Content] = {
        "slips": {"slips": slips},
        "rosters": {"rosters": armies},
        "scenarios": {
            "title": "Tonight",
            "booklet": False,
            "scenarios": [scenario_sheets.scenario_page(one) for one in played.values()],
        },
        "map": campaign_map.gather(campaign),
        "quick": quick_reference.gather(None),
    }
    order = ["slips", *(["rosters"] if armies else []), *(["scenarios"] if played else []), "map", "quick"]
    return {"parts": parts, "order": order}


register_sheets(
    Sheet(
        "tonight",
        "Tonight's sheets",
        "One file for tonight: slips, armies and scenarios of the open battles, a blank slip, "
        "the map and the quick reference.",
        CAMPAIGN,
        "tonight.typ",
        gather,
        find=find,
        name=lambda tonight: f"Tonight: {tonight.campaign.name}",
        subjects=campaign_sheet_base.my_campaigns,
        back=lambda tonight: campaign_sheet_base.back_to_campaign(tonight.campaign),
        scope="run",
    )
)
