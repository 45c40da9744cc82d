"""The sheets of a campaign: its map, its kingdoms, and everything for tonight in one file."""

from collections.abc import Iterator
from dataclasses import dataclass

from battles.new_battle import services as new_battle_services
from battles.permissions import permissions_of
from battles.slip.display import printable_slip
from campaign import selectors as campaign_selectors
from campaign.chronicle.sentences import Names
from campaign.chronicle.state import State
from campaign.display import KingdomRow, battle_rows, kingdom_rows, names_for, season_text
from campaign.map.display import build_map_display
from campaign.models import Campaign
from musters import permissions as musters_permissions
from musters.models import Muster
from people.requester import Who
from printing.sheet_registry import (
    CAMPAIGN,
    Content,
    Sheet,
    Subject,
    format_range,
    pick,
    register_sheets,
    typeset,
)
from printing.sheets import battle_sheets, rules_sheets
from rulebook.campaign.campaign_map import TERRITORY_KINDS
from rulebook.campaign.vp_spending import PRICES
from rulebook.data.muster_table import MUSTER_TABLE
from rulebook.data.scenarios import SCENARIO, Scenario
from rulebook.muster.army import HOUSES
from text import format_signed


def my_campaigns(who: Who) -> Iterator[Subject]:
    for campaign, _ in campaign_selectors.own_campaigns(who).running[:12]:
        yield Subject(campaign.code, campaign.name)


def back_to_campaign(campaign: Campaign) -> tuple[str, str]:
    return campaign.get_absolute_url(), campaign.name


# ── The map of a campaign with its standings, from A4 to A2 ──────────────────────────────────────────────


STATUS = {"frozen": "frozen", "solo": "played by the solo rules", "playing": "", "gone": "dissolved"}


def kingdom_standing(row: KingdomRow) -> dict[str, object]:
    return {
        "number": row.on_map.number,
        **pick(row, "name", "arms", "holds", "vp", "sworn"),
        "ruler": row.regent or row.ruler,
        "status": STATUS[row.status],
        "loyalty": format_signed(row.loyalty),
        "houses": len(row.houses),
    }


def gather_map(campaign: Campaign) -> Content:
    state = campaign_selectors.state_as_read(campaign)
    names = names_for(campaign, state)
    rows = kingdom_rows(state, names, set())
    return {
        "campaign": campaign.name,
        "season": season_text(state),
        "kingdoms": [kingdom_standing(row) for row in rows],
        "battles": [
            {
                **pick(battle, "number", "attacker", "defender", "place"),
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
        gather_map,
        find=campaign_selectors.get_visible_campaign,
        name=lambda campaign: f"Map of {campaign.name}",
        subjects=my_campaigns,
        papers=("a4", "letter", "a3", "a2"),
        back=back_to_campaign,
        hint="For A2 you need a print shop; A4 fits a fridge door.",
    )
)


# ── Kingdom sheets: one page per kingdom of a campaign, or blank ones ────────────────────────────────────


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
    return {
        **pick(row, "name", "arms"),
        "ruler": row.regent or row.ruler,
        "loyalty": format_signed(row.loyalty),
        "vp": str(row.vp),
        "places": places,
        "houses": [pick(house, "number", "name", "arms", "lost") for house in row.houses],
    }


def gather_kingdoms(campaign: Campaign) -> Content:
    state = campaign_selectors.state_as_read(campaign)
    names = names_for(campaign, state)
    pages = [kingdom_page(row, state, names) for row in kingdom_rows(state, names, set())]
    return {"campaign": campaign.name, "pages": pages or blank_page(None)["pages"], **ruler_aid()}


register_sheets(
    Sheet(
        "kingdoms",
        "Kingdom sheets",
        "One page per kingdom: arms, land, houses, loyalty, points and a battle log.",
        CAMPAIGN,
        "kingdoms.typ",
        gather_kingdoms,
        find=campaign_selectors.get_visible_campaign,
        name=lambda campaign: f"Kingdoms of {campaign.name}",
        subjects=my_campaigns,
        back=back_to_campaign,
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


# ── Tonight's sheets: slips, rosters and scenarios of the open battles, the map and the rules ────────────


# More battles than anyone plays in one evening.
MAX_BATTLES = 8


@dataclass(frozen=True, slots=True)
class Tonight:
    campaign: Campaign
    who: Who


def find_tonight(who: Who, code: str) -> Tonight:
    return Tonight(campaign_selectors.get_visible_campaign(who, code), who)


def gather_tonight(tonight: Tonight) -> Content:
    """Everything this person can see and report, and a blank slip."""
    campaign, who = tonight.campaign, tonight.who
    state = campaign_selectors.state_as_read(campaign)
    slips: list[Content] = []
    armies: list[Content] = []
    played: dict[str, Scenario] = {}
    for number in list(state.battles)[:MAX_BATTLES]:
        battle = new_battle_services.get_campaign_battle(campaign, number, state)
        if battle is None:
            continue
        if who.person is not None and permissions_of(battle, who, state).report:
            slips.append(battle_sheets.slip_content(printable_slip(battle, state, who)))
        if battle.scenario in SCENARIO:
            played[battle.scenario] = SCENARIO[battle.scenario]
        for muster in Muster.objects.filter(campaign=campaign, battle=number).taken():
            muster.campaign = campaign
            if not musters_permissions.is_hidden_from(state, muster, who):
                armies.append(battle_sheets.roster_content(battle_sheets.roster_of_muster(muster)))
    slips += battle_sheets.blank_slip_content(SCENARIO["pitched_battle"])["slips"]
    parts: dict[str, Content] = {
        "slips": {"slips": slips},
        "rosters": {"rosters": armies},
        "scenarios": {
            "title": "Tonight",
            "booklet": False,
            "scenarios": list(map(rules_sheets.scenario_page, played.values())),
        },
        "map": gather_map(campaign),
        "quick": rules_sheets.gather(None),
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
        gather_tonight,
        find=find_tonight,
        name=lambda tonight: f"Tonight: {tonight.campaign.name}",
        subjects=my_campaigns,
        back=lambda tonight: back_to_campaign(tonight.campaign),
        scope="run",
    )
)
