"""The map of a campaign with its standings: a poster from A4 to A2."""

from __future__ import annotations

from typing import Any

from campaign import reading
from campaign.map.sheet import map_sheet
from campaign.models import Campaign
from campaign.sheet import KingdomRow, battle_rows, kingdom_rows, season_words
from printing.sheet import CAMPAIGN, Content, Sheet, register
from printing.sheets import of_campaigns
from printing.words import loyalty
from rulebook.scenarios import SCENARIO

STATUS = {"frozen": "frozen", "solo": "played by the table", "playing": "", "gone": "dissolved"}


def standing(row: KingdomRow) -> dict[str, Any]:
    return {
        "number": row.crown.number,
        "name": row.name,
        "arms": row.arms,
        "ruler": row.regent or row.ruler,
        "status": STATUS[row.status],
        "holds": row.holds,
        "loyalty": loyalty(row.loyalty),
        "vp": row.vp,
        "sworn": row.sworn,
        "houses": len(row.houses),
    }


def gather(campaign: Campaign) -> Content:
    state = reading.state_of(campaign)
    names = of_campaigns.named(campaign, state)
    rows = kingdom_rows(state, names, set())
    return {
        "campaign": campaign.name,
        "season": season_words(state),
        "kingdoms": [standing(row) for row in rows],
        "battles": [
            {
                "number": battle.number,
                "attacker": battle.attacker,
                "defender": battle.defender,
                "place": battle.place,
                "scenario": SCENARIO[battle.scenario].name if battle.scenario in SCENARIO else "",
            }
            for battle in battle_rows(state, names)
        ],
        "map": map_sheet(state, seed=campaign.code, title=f"Map of {campaign.name}") if rows else None,
    }


register(
    Sheet(
        "campaign-map",
        "Map and standings",
        "The realm as it stands, for the wall: every territory with its holder, and who rules what.",
        CAMPAIGN,
        "map.typ",
        gather,
        find=of_campaigns.find,
        name=lambda campaign: f"Map of {campaign.name}",
        subjects=of_campaigns.mine,
        papers=("a4", "letter", "a3", "a2"),
        back=of_campaigns.back,
        hint="A2 is for a print shop; at home, A4 sheets are enough for a fridge door.",
    )
)
