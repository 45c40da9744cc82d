"""The map of a campaign with its standings, from A4 to A2."""

from __future__ import annotations

from campaign import selectors as campaign_selectors
from campaign.display import KingdomRow, battle_rows, kingdom_rows, season_text
from campaign.map.display import build_map_display
from campaign.models import Campaign
from printing.sheet_registry import CAMPAIGN, Content, Sheet, register_sheets
from printing.sheets import campaign_sheet_base
from printing.typographic_characters import format_loyalty
from rulebook.data.scenarios import SCENARIO

STATUS = {"frozen": "frozen", "solo": "played by the solo rules", "playing": "", "gone": "dissolved"}


def kingdom_standing(row: KingdomRow) -> dict[str, object]:
    return {
        "number": row.on_map.number,
        "name": row.name,
        "arms": row.arms,
        "ruler": row.regent or row.ruler,
        "status": STATUS[row.status],
        "holds": row.holds,
        "loyalty": format_loyalty(row.loyalty),
        "vp": row.vp,
        "sworn": row.sworn,
        "houses": len(row.houses),
    }


def gather(campaign: Campaign) -> Content:
    state = campaign_selectors.state_as_read(campaign)
    names = campaign_sheet_base.names_in(campaign, state)
    rows = kingdom_rows(state, names, set())
    return {
        "campaign": campaign.name,
        "season": season_text(state),
        "kingdoms": [kingdom_standing(row) for row in rows],
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
        "map": build_map_display(state, seed=campaign.code, title=f"Map of {campaign.name}") if rows else None,
    }


register_sheets(
    Sheet(
        "campaign-map",
        "Map and standings",
        "A wall map: every territory with its holder, and the standings.",
        CAMPAIGN,
        "map.typ",
        gather,
        find=campaign_sheet_base.find_campaign,
        name=lambda campaign: f"Map of {campaign.name}",
        subjects=campaign_sheet_base.my_campaigns,
        papers=("a4", "letter", "a3", "a2"),
        back=campaign_sheet_base.back_to_campaign,
        hint="For A2 you need a print shop; A4 fits a fridge door.",
    )
)
