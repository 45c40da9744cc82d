"""Kingdom sheets: one page for each kingdom of a campaign, or blank ones for groups that keep theirs on paper."""

from __future__ import annotations

from typing import Any

from campaign import reading
from campaign.annals.state import State
from campaign.annals.tales import Names
from campaign.models import Campaign
from campaign.sheet import KingdomRow, kingdom_rows
from printing.sheet import CAMPAIGN, Content, Sheet, register
from printing.sheets import of_campaigns
from printing.words import loyalty, span, typeset
from rulebook.army import HOUSES
from rulebook.kingdoms import PLACES
from rulebook.muster_table import MUSTER
from rulebook.spoils import PRICES


def aid() -> Content:
    """What a ruler looks up most: the muster table and the prices."""
    return {
        "muster": [[span(row.low, row.high), row.name, row.hero] for row in MUSTER],
        "prices": [[str(price.vp), price.name] for price in PRICES],
        "places": [[place.key, place.name, typeset(place.text)] for place in PLACES],
    }


def blank(_: None) -> Content:
    page = {
        "name": "", "arms": None, "ruler": "", "loyalty": "", "vp": "",
        "places": [{"key": place.key, "word": place.name, "name": "", "holder": ""} for place in PLACES],
        "houses": [{"number": number, "name": "", "arms": None, "lost": False} for number in HOUSES],
    }  # fmt: skip
    return {"campaign": "", "pages": [page], **aid()}


def filled(row: KingdomRow, state: State, names: Names) -> dict[str, Any]:
    places = []
    for place in PLACES:
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
        "name": row.name, "arms": row.arms, "ruler": row.regent or row.ruler, "loyalty": loyalty(row.loyalty), "vp": str(row.vp),
        "places": places, "houses": houses,
    }  # fmt: skip


def gather(campaign: Campaign) -> Content:
    state = reading.state_of(campaign)
    names = of_campaigns.named(campaign, state)
    pages = [filled(row, state, names) for row in kingdom_rows(state, names, set())]
    return {"campaign": campaign.name, "pages": pages or blank(None)["pages"], **aid()}


register(
    Sheet(
        "kingdoms",
        "Kingdom sheets",
        "One page for each kingdom: arms, land, houses, loyalty, points, and room for the battles to come.",
        CAMPAIGN,
        "kingdoms.typ",
        gather,
        find=of_campaigns.find,
        name=lambda campaign: f"Kingdoms of {campaign.name}",
        subjects=of_campaigns.mine,
        back=of_campaigns.back,
    ),
    Sheet(
        "kingdom-sheet",
        "Blank kingdom sheet",
        "For groups that keep their kingdoms on paper: land, houses, loyalty, points and battles, all to be filled in.",
        CAMPAIGN,
        "kingdoms.typ",
        blank,
    ),
)
