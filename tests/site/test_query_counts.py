"""Lists need as many queries for many rows as for a few."""

from __future__ import annotations

from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaign import selectors as campaign_selectors, services as campaign_services
from campaign.chronicle.codec import read_sent
from campaign.founding import services as founding_services
from campaign.invitations import services as invitations_services
from cardgames.decks import services as decks_services
from cardgames.games import house_deck
from cardgames.tables import table_creation
from cardgames.tables.core.acts import HostTable
from musters import services as musters_services
from people import guests as guests_services
from people.passes import services
from people.requester import Who
from tests.campaign.chronicle.sample_wars import joining

LISTS = (
    "/",
    "/nights/",
    "/campaigns/",
    "/battles/",
    "/battles/statistics/",
    "/musters/",
    "/tables/",
    "/tables/decks/",
    "/tables/results/",
    "/print/",
    "/people/",
    "/invitations/",
    "/me/",
    "/me/data/file/",
    "/jobs/",
    "/api/v1/campaigns/",
    "/api/v1/people/",
    "/api/v1/battles/",
    "/api/v1/tables/",
    "/api/v1/passes/",
    "/api/v1/jobs/",
    "/api/v1/tokens/",
    "/api/v1/your-move/",
    "/api/v1/evenings/",
    "/api/v1/musters/",
    "/api/v1/groups/",
    "/api/v1/tables/results/",
    "/api/v1/tables/sheets/",
    "/api/v1/tables/decks/",
)
# Of one campaign, as its people, invitations and reports grow.
OF_A_CAMPAIGN_BY_API = (
    "",
    "entries/",
    "invitations/",
    "guest-links/",
    "petitions/",
    "kingdoms/k1/",
    "targets/?attacker=k1",
)
OF_A_CAMPAIGN = ("", "invite/", "masters/", "house-rules/", "atlas/", "season/", "parts/")


def another_war(number: int, master, player, other):
    """A campaign with a battle being mustered, an invitation and a guest who rules; also a card table and a deck."""
    who, key = Who.of(master), f"number-{number}"
    war = founding_services.found_campaign(who, key=f"war-{key}", name=f"War {number}")
    for kingdom, ruler in (("Oakhold", master), ("Fenwick", player), ("Mole End", other)):
        campaign_services.write(
            war, who, key=f"{kingdom[:4]}-{key}", act=read_sent("kingdom_joins", joining(kingdom, ruler=ruler.pk))
        )
    campaign_services.write(war, who, key=f"terms-{key}", act=read_sent("house_rules", {"terms": {"confirm": "both"}}))
    campaign_services.write(
        war, who, key=f"battle-{key}", act=read_sent("battle_declared", {"attacker": "k1", "target": "k2.border_1"})
    )
    war.refresh_from_db()
    open_battle = next(iter(campaign_selectors.state_of(war).battles))
    musters_services.begin_muster(who, war, open_battle, "k1")
    more_in(war, number, who)
    table_creation.open_table(who, HostTable("monarchs"), key=f"table-{key}")
    decks_services.create_copy(who, house_deck("monarchs"), key=f"deck-{key}", title=f"Deck {number}")
    return war


def more_in(war, number: int, who: Who) -> None:
    invitations_services.create_invitation(war, who, label=f"Table {number}")
    friend = guests_services.add_guest(who, f"Friend {number}", key=f"friend-number-{number}")
    services.issue_link(friend, by=who)
    campaign_services.write(
        war,
        who,
        key=f"realm-number-{number}",
        act=read_sent("kingdom_joins", joining(f"Reach {number}", ruler=friend.pk)),
    )


def queries(client, addresses) -> dict[str, int]:
    values = {}
    for address in addresses:
        client.get(address)  # what is created on the first visit is created now
        with CaptureQueriesContext(connection) as seen:
            assert client.get(address).status_code == 200, address
        values[address] = len(seen)
    return values


def test_lists_need_no_more_queries_for_more_rows(master, player, other_player):
    another_war(0, master, player, other_player)
    few = queries(master.client, LISTS)
    for number in range(1, 4):
        another_war(number, master, player, other_player)
    assert queries(master.client, LISTS) == few


def test_campaign_pages_need_no_more_queries_for_more_people(master, player, other_player):
    war = another_war(0, master, player, other_player)
    addresses = [war.get_absolute_url() + part for part in OF_A_CAMPAIGN]
    addresses += [f"/api/v1{war.get_absolute_url()}{part}" for part in OF_A_CAMPAIGN_BY_API]
    few = queries(master.client, addresses)
    for number in range(1, 4):
        more_in(war, number, Who.of(master))
    assert queries(master.client, addresses) == few
