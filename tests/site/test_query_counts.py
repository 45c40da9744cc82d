"""Lists ask the database as often for many rows as for a few."""

from __future__ import annotations

from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaign import chronicle, door, invitations
from cardgames import deck_copies, opening
from cardgames.games import house_deck
from musters import door as musters
from people import keeping, links
from people.who import Who
from tests.campaign.wars import joining

LISTS = (
    "/", "/campaigns/", "/battles/", "/battles/statistics/", "/musters/", "/tables/", "/tables/decks/", "/tables/results/",
    "/print/", "/people/", "/invitations/", "/me/", "/me/data/file/", "/jobs/",
    "/api/v1/campaigns/", "/api/v1/people/", "/api/v1/battles/", "/api/v1/tables/", "/api/v1/passes/", "/api/v1/jobs/",
)  # fmt: skip
# Of one campaign, as its people, invitations and reports grow.
OF_A_CAMPAIGN = ("", "invite/", "masters/", "house-rules/", "atlas/", "season/", "parts/")


def another_war(number: int, master, player, other):
    """A campaign with a battle under muster, an invitation, a friend who rules; a table and a deck besides."""
    who, key = Who.of(master), f"number-{number}"
    war = chronicle.found(who, key=f"war-{key}", name=f"War {number}")
    for realm, ruler in (("Oakhold", master), ("Fenwick", player), ("Mole End", other)):
        door.do(war, who, key=f"{realm[:4]}-{key}", act="kingdom_joins", body=joining(realm, ruler=ruler.pk))
    door.do(war, who, key=f"terms-{key}", act="house_rules", body={"terms": {"confirm": "both"}})
    door.do(war, who, key=f"battle-{key}", act="battle_declared", body={"attacker": "k1", "target": "k2.border_1"})
    war.refresh_from_db()
    open_battle = next(iter(musters.may.state_of(war).battles))
    musters.begin(who, war, open_battle, "k1")
    more_in(war, number, who)
    opening.open_table(who, key=f"table-{key}", game="monarchs")
    deck_copies.make(who, house_deck("monarchs"), key=f"deck-{key}", title=f"Deck {number}")
    return war


def more_in(war, number: int, who: Who) -> None:
    invitations.make(war, who, label=f"Table {number}")
    friend = keeping.add(who, f"Friend {number}", key=f"friend-number-{number}")
    links.issue(friend, by=who)
    door.do(
        war, who, key=f"realm-number-{number}", act="kingdom_joins", body=joining(f"Reach {number}", ruler=friend.pk)
    )


def queries(client, addresses) -> dict[str, int]:
    found = {}
    for address in addresses:
        client.get(address)  # what is made on the first visit is made now
        with CaptureQueriesContext(connection) as seen:
            assert client.get(address).status_code == 200, address
        found[address] = len(seen)
    return found


def test_no_list_asks_more_for_more_rows(master, player, other_player):
    another_war(0, master, player, other_player)
    few = queries(master.client, LISTS)
    for number in range(1, 4):
        another_war(number, master, player, other_player)
    assert queries(master.client, LISTS) == few


def test_no_page_of_a_campaign_asks_more_for_more_people(master, player, other_player):
    war = another_war(0, master, player, other_player)
    addresses = [war.get_absolute_url() + part for part in OF_A_CAMPAIGN]
    few = queries(master.client, addresses)
    for number in range(1, 4):
        more_in(war, number, Who.of(master))
    assert queries(master.client, addresses) == few
