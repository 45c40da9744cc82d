"""Campaign pages: few queries at any size, and a description of every change."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaign.invitations import services as invitations_services
from log.models import Entry
from log.services import new_key
from people.requester import Who
from refusal import Refusal
from tests.campaign.chronicle.sample_wars import NAMES, joining
from tests.campaign.test_services import Table

# Log-in, person and campaign included.
MAX_QUERIES = 12


@pytest.fixture
def table(master, player):
    return Table(master, player)


def queries(client, path: str) -> list[str]:
    with CaptureQueriesContext(connection) as seen:
        assert client.get(path).status_code == 200
    return [row["sql"] for row in seen.captured_queries]


def test_page_makes_the_same_few_queries_at_any_size(table, master, make_person):
    path = table.campaign.get_absolute_url()
    master.client.get(path)  # the first visit of all is noted once
    few = queries(master.client, path)
    assert len(few) <= MAX_QUERIES, "\n".join(few)
    for name in NAMES[2:]:
        friend = make_person(f"{name} the friend", account=False)
        table.do("kingdom_joins", joining(name, ruler=friend.pk))
        table.do("note", {"text": "a note"}, who=Who.of(friend))
    for number in range(12):
        entry = table.result("k1", "k2.border_1", points={"k1": number})["entry"]
        table.result("k2", "k2.border_1")
        table.correct("strike", entry, choices={entry + 1: "strike"})
    table.do("battle_declared", {"attacker": "k3", "target": "k4.border_1"})
    master.client.get(path)
    many = queries(master.client, path)
    assert len(many) <= len(few), "\n".join(many)
    # News since the last visit costs one line to remember it.
    table.do("note", {"text": "one more"})
    assert len(queries(master.client, path)) <= MAX_QUERIES


def test_lead_sentence_is_part_of_the_live_update(table, master):
    here = table.campaign.get_absolute_url()
    for path in (here, f"{here}parts/"):
        assert "No battle is open." in master.client.get(path).content.decode().split('id="lead"')[1]
    table.do("battle_declared", {"attacker": "k1", "target": "k2.border_1"})
    for path in (here, f"{here}parts/"):
        assert "Oakhold attacks border_1 of Fenwick" in master.client.get(path).content.decode().split('id="lead"')[1]


# --- what the table settles about itself ----------------------------------------------------------------------------


def post(client, path: str, **data):
    return client.post(path, {"key": new_key(), **data})


def confirmed(shown) -> dict[str, str]:
    """The hidden fields that the preview page sends on."""
    return {**dict(shown.context["carried"]), "seen": shown.context["seen"], "confirm": "1"}


def test_renaming_a_kingdom_writes_only_what_changed(table, master):
    path = f"{table.campaign.get_absolute_url()}kingdoms/k1/looks/"
    form = master.client.get(path).context["form"]
    sent = {**form.initial, "name": "Oakholt", "house_3": "House Sloe"}
    assert master.client.post(path, sent).status_code == 302
    kingdom = table.state.kingdoms["k1"]
    assert (kingdom.name, kingdom.houses[2].name, kingdom.houses[0].name) == ("Oakholt", "House Sloe", "Oakhold Ash")
    again = master.client.post(path, {**form.initial, **sent, "key": "another-key-here"})
    assert again.status_code == 422
    assert "Nothing was changed." in again.content.decode()


def test_arms_of_a_kingdom_and_a_house(table, player):
    base = f"{table.campaign.get_absolute_url()}kingdoms/k2/arms/"
    chosen = {"field": "azure", "charge": "acorn", "charge_tincture": "or"}
    assert post(player.client, base, **chosen).status_code == 302
    assert post(player.client, f"{base}2/", **chosen).status_code == 302
    kingdom = table.state.kingdoms["k2"]
    assert kingdom.arms["field"] == kingdom.houses[1].arms["field"] == "azure"
    assert player.client.get(f"{base}5/").status_code == 404
    assert player.client.get(base.replace("k2", "k1")).status_code == 403


def test_ruler_names_a_regent_and_master_hands_kingdom_to_a_guest(table, master, player):
    path = f"{table.campaign.get_absolute_url()}kingdoms/k2/rule/"
    assert post(player.client, path, what="regent", regent="Wren").status_code == 302
    assert table.state.kingdoms["k2"].regent == master.pk
    # The crown is not the ruler's to give.
    assert post(player.client, path, what="ruler", ruler="Tam").status_code == 422
    assert table.state.kingdoms["k2"].ruler == player.pk
    assert post(master.client, path, what="ruler", ruler="Hazel").status_code == 302
    assert table.campaign.members.get(person=table.state.kingdoms["k2"].ruler).person.name == "Hazel"
    assert post(master.client, path, what="regent", regent="").status_code == 302
    assert table.state.kingdoms["k2"].regent is None


def test_kingdom_is_frozen_then_dissolved_with_heirs(master, player):
    table = Table(master, player, kingdoms=3)
    path = f"{table.campaign.get_absolute_url()}kingdoms/k2/rule/"
    table.result("k2", "k1.border_1")
    table.result("k2", "k3.border_1")
    assert post(master.client, path, what="status", to="frozen").status_code == 302
    assert table.state.kingdoms["k2"].status == "frozen"
    heirs = {"heir-k1.border_1": "k3", "heir-k3.border_1": "k3"}
    shown = post(master.client, path, what="status", to="gone", **heirs)
    assert (shown.status_code, table.state.kingdoms["k2"].status) == (200, "frozen"), "what changes is shown first"
    assert "off the map" in shown.content.decode()
    table.do("agreed_change", {"hold": {"k3.border_2": "k2"}, "why": "a gift"})
    moved = post(master.client, path, **confirmed(shown))
    assert (moved.status_code, table.state.kingdoms["k2"].status) == (409, "frozen"), "it has changed since"
    sent = confirmed(moved)
    assert post(master.client, path, **sent).status_code == 302
    assert post(master.client, path, **sent).status_code == 302, "a second tap is answered, not judged"
    assert table.state.holders["k1.border_1"] == table.state.holders["k3.border_1"] == "k3"
    assert "k2.castle" not in table.state.holders
    assert master.client.get(path).status_code == 404
    assert master.client.get(table.campaign.get_absolute_url()).status_code == 200


def test_war_is_won_as_agreed_and_the_next_one_starts_fresh(table, master, player):
    """The rulebook does not cover this, so the game master writes it after a preview; then the next war starts."""
    table.do("house_rules", {"terms": {"victory_words": "Whoever first holds six territories."}})
    table.result("k1", "k2.border_1", points={"k1": 3})
    here = table.campaign.get_absolute_url()
    assert f"{here}won/" in master.client.get(here).content.decode()
    page = master.client.get(f"{here}won/").content.decode()
    assert "Whoever first holds six territories." in page
    shown = post(master.client, f"{here}won/", kingdom="k1", why="six territories")
    assert (shown.status_code, table.state.winner) == (200, None)
    assert "won by Oakhold" in shown.content.decode()
    assert post(master.client, f"{here}won/", **confirmed(shown)).status_code == 302
    assert table.state.winner == "k1"
    page = master.client.get(here).content.decode()
    assert f'class="btn btn-press" href="{here}wars/1/"' in page
    assert "Declare a winner" not in page
    assert "has already won" in master.client.get(f"{here}won/").content.decode()
    assert master.client.get(f"{here}season/").context["form"].initial["new_war"], "nothing is left to fight over"
    won = master.client.get(f"{here}wars/1/").content.decode()
    assert "wins the war" in won
    assert "Close the season" in won
    assert "Close the season" not in player.client.get(f"{here}wars/1/").content.decode()
    assert "Share the picture" in player.client.get(f"{here}wars/1/").content.decode()
    assert post(master.client, f"{here}season/", turn="close", back="victory").headers["location"] == f"{here}wars/1/"
    assert "Start the next war" in master.client.get(f"{here}wars/1/").content.decode()
    assert master.client.get(f"{here}wars/2/").status_code == 404
    shown = post(master.client, f"{here}season/", turn="open", name="Summer", new_war="on")
    assert "VP of Oakhold" in shown.content.decode()
    assert post(master.client, f"{here}season/", **confirmed(shown)).status_code == 302
    now = table.state
    assert (now.winner, now.season, now.war, now.kingdoms["k1"].vp) == (None, 2, 2, 0)
    won = master.client.get(f"{here}wars/1/").content.decode()
    assert "wins the war" in won, "an earlier war keeps its page"
    assert "Start the next war" not in won


def test_game_master_role_is_shared_handed_over_and_never_empty(table, master, player):
    path = f"{table.campaign.get_absolute_url()}masters/"
    assert post(master.client, path, what="leave", to="").status_code == 422
    assert post(master.client, path, what="share", person=player.pk).status_code == 302
    assert table.state.masters == [master.pk, player.pk]
    shown = post(master.client, path, what="leave", to="")
    assert table.state.masters == [master.pk, player.pk]
    assert "You cannot undo this yourself" in shown.content.decode()
    assert post(master.client, path, **confirmed(shown)).status_code == 302
    assert table.state.masters == [player.pk]
    assert master.client.get(path).status_code == 403
    assert player.client.get(path).status_code == 200


def test_house_rules_store_only_differences_and_everyone_sees_them(table, master, player):
    path = f"{table.campaign.get_absolute_url()}house-rules/"
    form = master.client.get(path).context["form"]
    as_it_stands = {name: form[name].value() or "" for name in form.fields}
    assert master.client.post(path, as_it_stands).status_code == 422
    changed = {
        **as_it_stands,
        "o-loyalty_cap": "3",
        "o-reroll_enemy_dice": "on",
        "house_rules": "No cats on Thursdays.",
    }
    assert master.client.post(path, {**changed, "key": "another-key-here"}).status_code == 302
    assert table.state.options["loyalty_cap"] == 3
    assert "confirm" not in table.state.terms
    page = player.client.get(path).content.decode()
    assert "Loyalty limit: 3" in page
    assert "No cats on Thursdays." in page
    assert player.client.post(path, changed).status_code == 403
    assert "No cats on Thursdays." in master.client.get(table.campaign.get_absolute_url()).content.decode()


def test_typed_roll_off_with_a_tie_and_a_bought_die(table, master):
    """R-68, R-57, R-103"""
    table.do("agreed_change", {"vp": {"k2": 2}, "why": "to begin with"})
    path = f"{table.campaign.get_absolute_url()}roll-off/"
    page = post(master.client, path, **{"roll-k1": "7", "roll-k2": "7"})
    assert "are level" in page.content.decode()
    done = post(master.client, path, throws=page.context["throws"], **{"roll-k1": "9", "roll-k2": "2"})
    assert done.status_code == 302, "decided, so it is written and binds"
    page = master.client.get(path)
    assert page.context["winner"].id == "k1"
    assert [(chance.kingdom.id, chance.wins, chance.ties) for chance in page.context["chances"]] == [("k2", "10", "9")]
    assert post(master.client, path, again="1", buyer="k2", bought="10").status_code == 302
    assert table.state.attack_roll.winner == "k2"
    assert table.state.kingdoms["k2"].vp == 1
    shown = master.client.get(path).context["rows"]
    rows = {row.kingdom.id: [(die.roll, die.kept) for die in row.dice] for row in shown}
    assert rows == {"k1": [(7, True), (9, True)], "k2": [(7, True), (2, False), (10, True)]}


def test_a_bought_die_may_tie_and_those_who_tie_roll_again(table, master):
    """R-68, ATTACKER-02"""
    table.do("agreed_change", {"vp": {"k2": 1}, "why": "to begin with"})
    path = f"{table.campaign.get_absolute_url()}roll-off/"
    post(master.client, path, **{"roll-k1": "9", "roll-k2": "2"})
    post(master.client, path, again="1", buyer="k2", bought="9")
    assert table.state.attack_roll.winner is None
    with pytest.raises(Refusal, match="tied"):
        table.do("battle_declared", {"attacker": "k1", "target": "k2.border_1"})
    post(master.client, path, again="1", **{"roll-k1": "3", "roll-k2": "8"})
    assert table.state.attack_roll.winner == "k2"


def test_winner_of_a_roll_off_has_one_big_button_to_choose_a_target(table, master, player):
    """ATTACKER-03"""
    page = table.campaign.get_absolute_url()
    post(master.client, f"{page}roll-off/", **{"roll-k1": "9", "roll-k2": "2"})
    ruler = table.state.kingdoms["k1"].ruler
    winner, other = (master, player) if ruler == master.pk else (player, master)
    big = f'<a class="btn btn-press" href="{page}targets/?attacker=k1">Choose a target</a>'
    assert big in winner.client.get(page).content.decode()
    assert "Choose a target" not in other.client.get(page).content.decode()
    table.do("battle_declared", {"attacker": "k1", "target": "k2.border_1"})
    assert "Choose a target" not in winner.client.get(page).content.decode()


@pytest.mark.parametrize("dice", ["typed", "service", "sealed"])
def test_roll_off_binds_until_its_battle_is_settled(table, master, player, dice):
    """ATTACKER-01, ATTACKER-03"""
    if dice != "typed":
        table.do("house_rules", {"terms": {"dice": dice}})
    path = f"{table.campaign.get_absolute_url()}roll-off/"
    post(master.client, path, **{"roll-k1": "3", "roll-k2": "8"})
    winner = table.state.attack_roll.winner
    other = "k1" if winner == "k2" else "k2"
    again = post(master.client, path, **{"roll-k1": "3", "roll-k2": "8"})
    assert again.status_code == 422
    assert "attacks next. Choose its target first" in again.content.decode()
    with pytest.raises(Refusal, match="Only the game master can overrule"):
        table.do("battle_declared", {"attacker": other, "target": f"{winner}.border_1"})
    battle = table.do("battle_declared", {"attacker": winner, "target": f"{other}.border_1"})["body"]["battle"]
    assert "is not settled" in post(master.client, path, **{"roll-k1": "3", "roll-k2": "8"}).content.decode()
    table.do("battle_called_off", {"battle": battle})
    assert table.state.attack_roll is None
    assert post(master.client, path, **{"roll-k1": "3", "roll-k2": "8"}).status_code == 302


def test_only_the_game_master_overrules_a_roll_off_and_the_chronicle_says_so(table, master, player):
    table.do("roll_off", {"throws": [{"kingdom": "k1", "roll": 9}, {"kingdom": "k2", "roll": 2}]})
    here = table.campaign.get_absolute_url()
    sent = {"attacker": "k2", "target": "k1.border_1", "seen": "k1", "overrule": "1"}
    assert post(player.client, f"{here}declare/", **sent).status_code == 403
    assert "won the roll-off" in master.client.get(f"{here}targets/?attacker=k2&target=k1.border_1").content.decode()
    assert post(master.client, f"{here}declare/", **sent).status_code == 302
    assert "The game master overruled the roll-off." in master.client.get(here).content.decode()


def test_the_winner_of_a_roll_off_finds_it_at_home(table, player):
    ruled = next(kingdom.id for kingdom in table.state.in_play() if kingdom.ruler in player.all_ids())
    throws = [{"kingdom": key, "roll": 9 if key == ruled else 2} for key in ("k1", "k2")]
    table.do("roll_off", {"throws": throws})
    assert "Your attack: choose a target" in player.client.get("/").content.decode()
    table.do("battle_declared", {"attacker": ruled, "target": f"{'k1' if ruled == 'k2' else 'k2'}.border_1"})
    assert "Your attack: choose a target" not in player.client.get("/").content.decode()


def test_roll_off_refuses_impossible_and_unreadable_dice(table, master, stranger):
    path = f"{table.campaign.get_absolute_url()}roll-off/"
    assert "1 to 10" in post(master.client, path, **{"roll-k1": "11", "roll-k2": "x"}).content.decode()
    assert post(master.client, path, throws="[[").status_code == 422
    assert post(master.client, path, throws='[{"kingdom": "k9", "roll": 3}]').status_code == 422
    assert post(stranger.client, path).status_code == 404


def test_site_rolls_once_and_a_second_tap_shows_the_same_roll(table, master):
    table.do("house_rules", {"terms": {"dice": "service"}})
    path = f"{table.campaign.get_absolute_url()}roll-off/"
    first = master.client.post(path, {"key": "one-and-the-same", "write": "1"})
    second = master.client.post(path, {"key": "one-and-the-same", "write": "1"})
    assert first.status_code == second.status_code == 302
    assert first.url == second.url
    assert Entry.objects.filter(log=table.campaign.log_id, act="roll_off").count() == 1


class TestAmendingAnEntry:
    """Not only battles: each entry is amended on its own form, with the same preview and one confirmation."""

    def amend(self, client, table, entry: int, **fields):
        path = f"{table.campaign.get_absolute_url()}entries/{entry}/amend/"
        page = client.get(path)
        form = page.context["form"]
        sent = {form.add_prefix(name): form[name].value() or "" for name in form.fields}
        sent |= {f"line-{name}": value for name, value in fields.items()}
        shown = client.post(path, sent)
        assert shown.status_code == 200, shown.content.decode()
        before = Entry.objects.count()
        confirm = {"digest": shown.context["preview"].digest, "why": "mistyped", "confirm": "1"}
        assert post(client, path, **dict(shown.context["carried"]), **confirm).status_code == 302
        assert Entry.objects.count() == before + 1
        return shown.content.decode()

    def test_vp_spent(self, table, master):
        table.do("agreed_change", {"vp": {"k1": 12}, "why": "a prize"})
        entry = table.do("vp_spent", {"kingdom": "k1", "what": "loyalty"})["entry"]
        before = table.state.kingdoms["k1"].loyalty
        self.amend(master.client, table, entry, times="2")
        assert table.state.kingdoms["k1"].loyalty == before + 1

    def test_roll_off(self, table, master):
        throws = [{"kingdom": "k1", "roll": 9}, {"kingdom": "k2", "roll": 3}]
        entry = table.do("roll_off", {"throws": throws})["entry"]
        assert table.state.attack_roll.winner == "k1"
        self.amend(master.client, table, entry, roll0="2")
        assert table.state.attack_roll.winner == "k2"

    def test_house_rules(self, table, master):
        entry = table.do("house_rules", {"options": {"loyalty_cap": 3}, "terms": {"house_rules": "No cats."}})["entry"]
        self.amend(master.client, table, entry, house_rules="No cats indoors.", **{"o-loyalty_cap": "4"})
        assert (table.state.options["loyalty_cap"], table.state.terms["house_rules"]) == (4, "No cats indoors.")

    def test_joining_of_a_kingdom(self, table, master):
        entry = Entry.objects.filter(act="kingdom_joins").first().number
        self.amend(master.client, table, entry, name="Oakholt", house1="House Acorn", castle="The Keep")
        kingdom = table.state.kingdoms["k1"]
        assert (kingdom.name, kingdom.houses[0].name, kingdom.places["castle"]) == (
            "Oakholt",
            "House Acorn",
            "The Keep",
        )

    def test_declared_attack(self, table, master):
        entry = table.do("battle_declared", {"attacker": "k1", "target": "k2.border_1"})["entry"]
        self.amend(master.client, table, entry, target="k2.border_2", scenario="ambush")
        battle = table.state.battles[1]
        assert (battle.target, battle.scenario) == ("k2.border_2", "ambush")

    def test_agreed_change(self, table, master):
        entry = table.do("agreed_change", {"vp": {"k1": 12}, "why": "a prize"})["entry"]
        table.do("vp_spent", {"kingdom": "k1", "what": "loyalty"})
        shown = self.amend(master.client, table, entry, vp="2")
        assert "VP of Oakhold" in shown
        assert "It would no longer be legal" in shown
        assert "your own kingdom. Nobody else is asked" in shown
        assert table.state.kingdoms["k1"].vp == 2 - 3
        page = master.client.get(table.campaign.get_absolute_url()).content.decode()
        assert "mistyped" in page

    def test_note_and_season_name(self, table, master):
        note = table.do("note", {"text": "A cat was sen."})["entry"]
        table.do("season_closed", {})
        season = table.do("season_opened", {"name": "Srping"})["entry"]
        assert "A cat was seen." in self.amend(master.client, table, note, text="A cat was seen.")
        self.amend(master.client, table, season, name="Spring")
        assert table.state.season_name == "Spring"
        page = master.client.get(table.campaign.get_absolute_url()).content.decode()
        assert "A cat was seen." in page
        assert "A cat was sen." not in page

    def test_entry_without_a_fitting_form_is_struck_instead(self, table, master):
        both = table.do("agreed_change", {"vp": {"k1": 1, "k2": 1}, "why": "for both"})["entry"]
        here = table.campaign.get_absolute_url()
        assert master.client.get(f"{here}entries/{both}/amend/").url == f"{here}entries/{both}/strike/"
        left = table.do("ruler_changed", {"kingdom": "k2", "person": None})["entry"]
        assert master.client.get(f"{here}entries/{left}/amend/").status_code == 404


def test_new_member_takes_the_vacant_kingdom_and_the_game_master_is_notified(
    table, master, player, other_player, stranger
):
    table.do("ruler_changed", {"kingdom": "k2", "person": None})
    here = table.campaign.get_absolute_url()
    take = f"{here}kingdoms/k2/take/"
    assert stranger.client.post(take, {"key": "not-a-member-x"}).status_code == 404
    invitations_services.join_campaign(table.campaign, Who.of(other_player), key="joins-the-war")
    assert "Rule <bdi>Fenwick</bdi>" in other_player.client.get(here).content.decode()
    assert "Take a throne" not in master.client.get(here).content.decode()
    assert other_player.client.post(f"{here}kingdoms/k1/take/", {"key": "a-ruled-one-x"}).status_code == 409
    assert other_player.client.post(take, {"key": "mine-from-now-on"}).status_code == 302
    assert table.state.kingdoms["k2"].ruler == other_player.pk
    assert "Take a throne" not in other_player.client.get(here).content.decode()
    assert "took the throne of Fenwick" in master.client.get("/").content.decode()
    master.client.get(here)
    assert "took the throne of Fenwick" not in master.client.get("/").content.decode(), "told once"
    sent = {"key": "for-somebody-else", "act": "throne_taken", "body": {"kingdom": "k2", "person": player.pk}}
    answer = other_player.client.post(f"/api/v1{here}acts/", sent, content_type="application/json")
    assert answer.status_code in (403, 409)


def test_chronicle_filters(table, master, player):
    table.do("note", {"text": "A cat was seen."})
    table.result("k1", "k2.border_1", points={"k1": 3})
    table.do("vp_spent", {"kingdom": "k1", "what": "loyalty"})
    here = table.campaign.get_absolute_url()

    def shown(show: str, client=master.client) -> list[str]:
        return [row.act for row in client.get(f"{here}?show={show}").context["display"].entries]

    assert shown("notes") == ["note"]
    assert shown("battles") == ["result"]
    assert shown("mine") == ["vp_spent", "result", "kingdom_joins"]
    assert shown("mine", player.client) == ["result", "kingdom_joins"]
    assert len(shown("all")) == len(shown("nonsense")) == 6
    page = master.client.get(here).content.decode()
    assert '<span class="ask-why">Why?</span>' in page
    assert "Earlier entries" in page
    assert f"{here}parts/?show=notes" in master.client.get(f"{here}?show=notes").content.decode()


def test_map_of_the_campaign_page_is_the_way_to_attack(table, master, stranger):
    here = table.campaign.get_absolute_url()
    link = f"{here}targets/?attacker=k1&amp;target=k2.border_1#chosen"
    page = master.client.get(here).content.decode()
    assert page.count(link) == 2, "on the map, and in the list beneath it"
    assert "can be attacked" not in page
    table.do("roll_off", {"throws": [{"kingdom": "k1", "roll": 9}, {"kingdom": "k2", "roll": 3}]})
    page = master.client.get(here).content.decode()
    assert "can be attacked" in page, "it is their turn, so the targets are marked"
    assert "Declare the attack" in master.client.get(link.replace("&amp;", "&")).content.decode()
