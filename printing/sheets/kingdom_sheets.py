"""Kingdom sheets: one page per kingdom of a campaign, or blank ones."""

from __future__ import annotations

from campaign import selectors as campaign_selectors
from campaign.chronicle.sentences import Names
from campaign.chronicle.state import State
from campaign.display import KingdomRow, kingdom_rows
from campaign.models import Campaign
from printing.sheet_registry import CAMPAIGN, Content, Sheet, register_sheets
from printing.sheets import campaign_sheet_base
from printing.typographic_characters import format_loyalty, format_range, typeset
from rulebook.campaign.territories import TERRITORY_KINDS
from rulebook.campaign.vp_spending import PRICES
from rulebook.data.muster_table import MUSTER_TABLE
from rulebook.muster.army import HOUSES


def ruler_aid() -> Content:
    """The muster table and the prices."""
    return {
        "muster": [[format_range(row.low, row.high), row.name, row.hero] for row in MUSTER_TABLE],
        "prices": [[str(price.vp), price.name] for price in PRICES],
        "places": [[place.key, place.name, typeset(place.text)] for place in TERRITORY_KINDS],
    }


def blank_page(_: None) -> Content:
    page = {
        "name": "",
        "arms": None,
        "ruler": "",
        "loyalty": "",
        "vp": "",
        "places": [{"key": place.key, "word": place.name, "name": "", "holder": ""} for place in TERRITORY_KINDS],
        "houses": [{"number": number, "name": "", "arms": None, "lost": False} for number in HOUSES],
    }
    return {"campaign": "", "pages": [page], **ruler_aid()}


def kingdom_page(row: KingdomRow, state: State, names: Names) -> dict[str, object]:
    places = []
    for place in TERRITORY_KINDS:
        key = f"{row.id}.{place.key}"
        holder = state.holders.get(key, row.id)
        places.append(
            {
                "key": place.key,
                "word": place.name,
                "name": state.place_name(key),
                "holder": "" if holder == row.id else names.kingdom(holder),
            }
        )
    houses = [
        {"number": house.number, "name": house.name, "arms": house.arms, "lost": house.lost} for house in row.houses
    ]
    return {
        "name": row.name,
        "arms": row.arms,
        "ruler": row.regent or row.ruler,
        "loyalty": format_loyalty(row.loyalty),
        "vp": str(row.vp),
        "places": places,
        "houses": houses,
    }


def gather(campaign: Campaign) -> Content:
    state = campaign_selectors.state_as_read(campaign)
    names = campaign_sheet_base.names_in(campaign, state)
    pages = [kingdom_page(row, state, names) for row in kingdom_rows(state, names, set())]
    return {"campaign": campaign.name, "pages": pages or blank_page(None)["pages"], **ruler_aid()}


register_sheets(
    Sheet(
        "kingdoms",
        "Kingdom sheets",
        "One page per kingdom: arms, land, houses, loyalty, points and a battle log.",
        CAMPAIGN,
        "kingdoms.typ",
        gather,
        find=campaign_sheet_base.find_campaign,
        name=lambda campaign: f"Kingdoms of {campaign.name}",
        subjects=campaign_sheet_base.my_campaigns,
        back=campaign_sheet_base.back_to_campaign,
    ),
    Sheet(
        "kingdom-sheet",
        "Blank kingdom sheet",
        "For groups that play on paper: land, houses, loyalty, points and battles to fill in.",
        CAMPAIGN,
        "kingdoms.typ",
        blank_page,
    ),
)
