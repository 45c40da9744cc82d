"""Whole campaigns through the pages: two players with four battles and a siege, and three players."""

from __future__ import annotations

import re

import pytest

from battles.models import Battle
from campaign import selectors as campaign_selectors
from tests.battles.sample_campaigns import a_campaign, fresh

pytestmark = pytest.mark.django_db


def words(response) -> str:
    """The page without <bdi> and without the templates' white space."""
    page = re.sub(r"</?bdi>", "", response.content.decode())
    return re.sub(r"\s+", " ", page).replace("> <", "><")


class Campaign:
    """A campaign played from its pages: every step is what a browser would send."""

    def __init__(self, row, people: dict) -> None:
        self.row, self.people, self.taps = row, people, 0

    @property
    def state(self):
        return campaign_selectors.state_of(fresh(self.row))

    def key(self) -> str:
        self.taps += 1
        return f"tap-number-{self.taps:04}"

    def roll_off(self, who, *rolls: tuple[str, int]) -> str:
        """Enter the dice; returns who attacks."""
        address = f"/campaigns/{self.row.code}/roll-off/"
        answer = who.client.post(address, {"key": self.key(), **{f"roll-{k}": str(n) for k, n in rolls}})
        assert answer.status_code == 302, words(answer)
        return self.state.attack_roll.winner

    def declare(self, attacker: str, target: str) -> Battle:
        who = self.people[attacker]
        data = {"key": self.key(), "attacker": attacker, "target": target, "seen": self.state.holders[target]}
        answer = who.client.post(f"/campaigns/{self.row.code}/declare/", data)
        assert answer.status_code == 302, words(answer)
        page = who.client.get(answer.url)
        return Battle.objects.get(code=page.url.split("/")[2])

    def set_up(self, battle: Battle, **data) -> None:
        who = self.people[battle.sides[0]["kingdom"]]
        answer = who.client.post(f"/battles/{battle.code}/set-up/", {"key": self.key(), **data})
        assert answer.status_code == 302, words(answer)

    def report(self, battle: Battle, by: str, **data) -> None:
        answer = self.people[by].client.post(f"/battles/{battle.code}/report/", {"key": self.key(), **data})
        assert answer.status_code == 302, words(answer)

    def agree(self, battle: Battle, by: str) -> None:
        client = self.people[by].client
        page = words(client.get(battle.get_absolute_url()))
        form = re.search(
            r'name="version" value="(\d+)"><input type="hidden" name="seen" value="([^"]+)">'
            r'<button[^>]*value="(\d+)"><span>Confirm',
            page,
        )
        data = {"key": self.key(), "version": form[1], "seen": form[2], "as": form[3]}
        assert client.post(f"/battles/{battle.code}/answer/", data).status_code == 302


def test_two_players_four_battles_and_a_siege(master, player, other_player):
    """To a castle: both borderlands, the lands, the siege (MAP-01, MAP-09). Taking it wins the campaign (CAMP-02)."""
    war = Campaign(a_campaign(master, [player, other_player], confirm="both"), {"k1": player, "k2": other_player})

    # 1. Oda wins the roll-off and attacks Tam's first borderland; her army yields.
    assert war.roll_off(player, ("k1", 3), ("k2", 8)) == "k2"
    one = war.declare("k2", "k1.border_1")
    war.set_up(one, scenario="pitched_battle")
    war.report(one, "k1", ending="yielded-A", **{"removed-A": ["house-1", "house-2"], "removed-B": ["house-1"]})
    war.agree(one, "k2")
    # k1: 2 kills and the win; k2: one kill.
    assert (war.state.kingdoms["k1"].vp, war.state.kingdoms["k2"].vp) == (4, 1)
    assert (war.state.kingdoms["k1"].loyalty, war.state.kingdoms["k2"].loyalty) == (1, -1)

    # 2. Tam attacks: Hold the Hills, four rounds.
    two = war.declare("k1", "k2.border_1")
    war.set_up(two, die="9", roll="1")
    war.report(
        two, "k2", ending="destroyed-B", **{"mounds-1-A": "1", "mounds-2-A": "2", "mounds-2-B": "1", "mounds-3-A": "3"}
    )
    war.agree(two, "k1")
    assert war.state.holders["k2.border_1"] == "k1"
    assert (war.state.kingdoms["k1"].vp, war.state.kingdoms["k2"].vp) == (4 + 6, 1 + 1)

    # 3. The second borderland: Break Free, and Oda takes side A by her roll; two of hers escape, so she wins.
    three = war.declare("k1", "k2.border_2")
    war.set_up(three, scenario="break_free")
    war.set_up(three, swap="1")
    war.report(three, "k1", ending="over", escaped=["king", "house-1"])
    war.agree(three, "k2")
    assert war.state.holders["k2.border_2"] == "k2"
    assert (war.state.kingdoms["k1"].vp, war.state.kingdoms["k2"].vp) == (10 + 3, 2 + 2)

    # 4. Once more, by crossings; Tam spends one VP in it.
    four = war.declare("k1", "k2.border_2")
    war.set_up(four, scenario="secure_the_crossing")
    war.report(
        four,
        "k1",
        ending="counted",
        **{"removed-B": ["house-3"], "crossings-A": "2", "crossings-B": "1", "spent-A": "1"},
    )
    war.agree(four, "k2")
    # k1: 1 kill, 2 crossings, 2 for the win, less 1 spent.
    assert (war.state.kingdoms["k1"].vp, war.state.kingdoms["k2"].vp) == (13 + 5 - 1, 4 + 1)

    # 5. The lands fall in an Ambush on the marchers.
    five = war.declare("k1", "k2.lands")
    war.set_up(five, scenario="ambush")
    war.report(five, "k1", ending="routed-B", **{"removed-B": ["house-1", "house-2"]})
    war.agree(five, "k2")
    assert war.state.holders["k2.lands"] == "k1"

    # 6. The siege: its scenario and its sides are given. Seven units a side.
    siege = war.declare("k1", "k2.castle")
    assert (siege.scenario, siege.siege) == ("siege", True)
    page = words(player.client.get(f"/battles/{siege.code}/report/"))
    assert page.count('name="removed-A"') == 7
    war.report(
        siege,
        "k1",
        ending="yielded-B",
        **{"removed-A": ["train-1"], "removed-B": ["garrison-1", "garrison-2", "house-4"]},
    )
    war.agree(siege, "k2")
    assert war.state.winner == "k1"
    assert war.state.holders["k2.castle"] == "k1"
    assert set(war.state.holders.values()) == {"k1"}
    page = words(player.client.get(siege.get_absolute_url()))
    assert "They fought a siege." in page
    # The campaign is won: nothing more can be declared.
    late = other_player.client.post(
        f"/campaigns/{war.row.code}/declare/",
        {"key": war.key(), "attacker": "k2", "target": "k1.border_1", "seen": "k1"},
    )
    assert late.status_code == 409


def test_three_players_fight_a_campaign(master, player, other_player, make_person):
    """One report is enough here; two battles cannot share a kingdom; a third kingdom can go on."""
    third = make_person("Ivo")
    people = {"k1": player, "k2": other_player, "k3": third}
    war = Campaign(a_campaign(master, [player, other_player, third]), people)
    assert war.roll_off(third, ("k1", 7), ("k2", 2), ("k3", 5)) == "k1"
    one = war.declare("k1", "k2.border_1")
    busy = third.client.post(
        f"/campaigns/{war.row.code}/declare/",
        {"key": war.key(), "attacker": "k3", "target": "k1.border_1", "seen": "k1"},
    )
    assert busy.status_code == 409
    assert "Oakhold is already in battle 1." in words(busy)
    war.set_up(one, scenario="take_the_fortress")
    war.report(
        one, "k2", ending="fortress-B", **{"removed-A": ["house-1", "house-2", "house-3"], "removed-B": ["house-1"]}
    )
    assert (war.state.kingdoms["k2"].vp, war.state.holders["k2.border_1"]) == (6, "k2")
    two = war.declare("k3", "k2.border_1")
    war.set_up(two, scenario="chevauchee")
    war.report(two, "k3", ending="ablaze", **{"removed-A": ["house-1"], "silent-B": ["4"]})
    state = war.state
    assert (state.kingdoms["k3"].vp, state.holders["k2.border_1"]) == (6, "k3")
    assert state.kingdoms["k2"].houses[3].lost
    three = war.declare("k1", "k2.border_2")
    war.set_up(three, scenario="last_stand")
    war.report(three, "k1", ending="held_out", **{"removed-B": ["house-1"]})
    assert war.state.holders["k2.border_2"] == "k1"
    # Both borderlands have fallen, one of them to each: either may go for the lands now (MAP-08, R-75).
    four = war.declare("k3", "k2.lands")
    war.set_up(four, scenario="aftermath")
    war.report(four, "k3", ending="draw")
    assert war.state.holders["k2.lands"] == "k2"
    page = words(master.client.get("/battles/statistics/"))
    assert "4 battles." in page
    assert "Chevauchee, side A" in page
    assert Battle.objects.filter(stage="confirmed").count() == 4


def test_three_armies_fight_one_campaign_battle(master, player, other_player, make_person):
    """SCEN-01: every army earns its VP; land and loyalty only concern the two who declared it."""
    third = make_person("Ivo")
    people = {"k1": player, "k2": other_player, "k3": third}
    war = Campaign(a_campaign(master, [player, other_player, third], confirm="both"), people)
    before = {key: (realm.vp, realm.loyalty) for key, realm in war.state.kingdoms.items()}
    one = war.declare("k1", "k2.border_1")
    war.set_up(one, scenario="ambush")
    address = f"/battles/{one.code}/report/"
    assert "Add a third army" not in words(player.client.get(address))
    refused = player.client.get(f"{address}?with=k3")
    assert (refused.status_code, "Only a Pitched Battle can" in words(refused)) == (422, True)
    war.set_up(one, scenario="pitched_battle")
    name = war.state.kingdoms["k3"].name
    assert f'href="?with=k3">Add {name}' in words(player.client.get(address))
    fields = {
        "winner": "C",
        "fate-B-house-1": "A",
        "fate-B-house-2": "A",
        "fate-C-king": "B",
        "fate-A-king": "C",
    }
    wrong = player.client.post(f"{address}?with=k3", {"key": war.key(), **fields, "fate-C-king": "C"})
    assert wrong.status_code == 422
    assert words(wrong).count(" selected>removed by") == 3
    looked = words(player.client.post(f"{address}?with=k3", {"key": war.key(), **fields, "preview": "1"}))
    assert "another army in the same battle" in looked
    assert player.client.post(f"{address}?with=k3", {"key": war.key(), **fields}).status_code == 302
    page = words(other_player.client.get(one.get_absolute_url()))
    assert f"{name} won." in page
    # The other side gets the same form.
    assert "can gain or lose land and" in words(other_player.client.get(address))
    war.agree(one, "k2")
    after = {key: (realm.vp, realm.loyalty) for key, realm in war.state.kingdoms.items()}
    earned = {key: after[key][0] - before[key][0] for key in after}
    assert earned == {"k1": 2, "k2": 1, "k3": 1 + 2}
    assert all(after[key][1] == before[key][1] for key in after)
    assert war.state.holders["k2.border_1"] == "k2"
    page = words(third.client.get(one.get_absolute_url()))
    assert f"{name} won the day." in page
    assert page.count('class="side-row"') == 3
    assert page.count("<em>removed</em>") == 4
    hero = words(third.client.get(f"/battles/heroes/{war.row.code}/k3/1/"))
    assert "Battle 1" in hero or "battle 1" in hero, "the third army's houses fought too"
    tables = words(master.client.get("/battles/statistics/"))
    assert name in tables
    # Corrected by its outcome: the third army keeps its VP.
    entry = Battle.objects.get(pk=one.pk).entry
    assert third.client.get(f"/battles/of/{war.row.code}/1/correct/").url.endswith(f"/entries/{entry}/amend/")
