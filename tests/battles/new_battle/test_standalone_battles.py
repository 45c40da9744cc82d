"""Battles outside a campaign, past games in bulk, statistics and the share picture."""

from __future__ import annotations

import io
import re

import pytest
from django.core.cache import cache
from django.test import Client
from PIL import Image

from battles.models import Battle
from campaign.models import Campaign
from log.models import Entry
from people.models import Person
from people.requester import Who
from tests.battles.sample_campaigns import a_campaign, declare
from tests.site.answers_and_schema import check_answer

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _reset_rate_limits():
    cache.clear()


def words(response) -> str:
    return response.content.decode()


def key_of(page: str) -> str:
    return re.search(r'name="key" value="([^"]+)"', page)[1]


def create_battle(client, **data) -> Battle:
    page = words(client.get("/battles/new/"))
    answer = client.post(
        "/battles/new/",
        {"key": key_of(page), "name_1": "Red mice", "name_2": "Blue mice", "scenario": "pitched_battle", **data},
    )
    assert answer.status_code == 302, words(answer)
    return Battle.objects.get(code=answer.url.split("/")[2])


def send_report(client, battle, **data):
    page = words(client.get(f"/battles/{battle.code}/report/"))
    return client.post(f"/battles/{battle.code}/report/", {"key": key_of(page), **data})


def test_an_anonymous_battle_is_visible_only_in_its_browser(stranger):
    phone = Client()
    battle = create_battle(phone)
    assert (battle.made_by, [side["name"] for side in battle.sides]) == (None, ["Red mice", "Blue mice"])
    assert Client().get(battle.get_absolute_url()).status_code == 404
    assert stranger.client.get(battle.get_absolute_url()).status_code == 404
    assert send_report(phone, battle, ending="destroyed-B", **{"removed-A": ["house-1"]}).status_code == 302
    page = words(phone.get(battle.get_absolute_url()))
    assert "Red mice won the day." in page
    assert "Blue mice lost everything" in page
    battle.refresh_from_db()
    assert battle.stage == "confirmed"
    # A second phone joins with the link on the page.
    link = re.search(r"/i/[A-Za-z0-9_-]{22}", page)[0]
    second = Client()
    taking = second.get(link, follow=True)
    second.post(taking.redirect_chain[-1][0])
    assert second.get(battle.get_absolute_url()).status_code == 200


def test_a_wrong_standalone_result_can_be_withdrawn(player):
    battle = create_battle(player.client)
    send_report(player.client, battle, ending="yielded-A")
    player.client.post(f"/battles/{battle.code}/reopen/", {"key": "take-it-back"})
    battle.refresh_from_db()
    assert (battle.stage, battle.result) == ("declared", None)
    assert "The result was withdrawn." in words(player.client.get(battle.get_absolute_url()))
    player.client.post(f"/battles/{battle.code}/call-off/", {"key": "call-it-off"})
    assert "Reopen the battle" in words(player.client.get(battle.get_absolute_url()))
    player.client.post(f"/battles/{battle.code}/reopen/", {"key": "open-it-again"})
    assert "The battle was reopened." in words(player.client.get(battle.get_absolute_url()))
    assert send_report(player.client, battle, ending="yielded-B").status_code == 302


def test_guests_count_without_an_account_and_are_named_only_in_their_row(player):
    battle = create_battle(player.client, person_1="Tam", person_2="Pim")
    pim = Person.objects.get(name="Pim")
    assert pim.keeper == player
    assert [side["person"] for side in battle.sides] == [player.pk, pim.pk]
    assert "Pim" not in repr(list(Battle.objects.values())) + repr(list(Entry.objects.values()))
    send_report(player.client, battle, ending="yielded-A")
    page = words(player.client.get("/battles/statistics/"))
    assert re.search(r"Pim.*?<td>1</td>", page, re.S)


def test_armies_are_rolled_here_or_read_from_their_code(player):
    battle = create_battle(player.client, muster="on")
    assert battle.stage == "mustered"
    armies = [side["army"] for side in battle.sides]
    assert all(army["units"] for army in armies)
    assert armies[0] != armies[1]
    page = words(player.client.get(f"/battles/{battle.code}/slip/"))
    assert len(re.findall(r'<tr>\s*<th scope="row">', page)) == sum(len(army["units"]) for army in armies)
    file = player.client.get("/me/data/file/").json()
    assert [row["code"] for row in file["battles"]] == [battle.code]


def test_any_roster_leads_to_a_battle_with_one_more_tap(player):
    army = player.client.post("/musters/quick/", {"loyalty": "0"}, follow=True)
    fight = re.search(r'href="(/battles/new/\?a=[^"]+)">Fight with this army', words(army))[1]
    assert "The army at a glance" in words(army)
    form = player.client.get(fight).context["form"]
    sent = {name: form[name].value() for name in form.fields if form[name].value()}
    battle = Battle.objects.get(code=player.client.post("/battles/new/", sent).url.split("/")[2])
    assert all(side["army"] for side in battle.sides)


def test_three_armies_meet_in_a_pitched_battle(player):
    battle = create_battle(player.client, name_3="Green mice")
    page = words(player.client.get(f"/battles/{battle.code}/report/"))
    assert page.count('name="fate-') == 15
    fates = {"fate-A-king": "C", "fate-A-house-1": "C", "fate-B-house-2": "A", "fate-B-house-3": "-"}
    wrong = player.client.post(f"/battles/{battle.code}/report/", {"key": key_of(page), "winner": "", **fates})
    assert (wrong.status_code, words(wrong).count(" selected>removed by Green mice")) == (422, 2)
    data = {"key": key_of(page), "winner": "C", **fates}
    assert player.client.post(f"/battles/{battle.code}/report/", data).status_code == 302
    shown = player.client.get(battle.get_absolute_url())
    page = words(shown)
    assert "Green mice won the day." in page
    assert "Red mice, Blue mice and Green mice met in the field." in page
    earned = {side.row.letter: side.vp for side in shown.context["display"].sides}
    assert earned == {"A": 1, "B": 0, "C": 4}, "two units and the win for C, one unit for A"
    assert page.count("<em>removed</em>") == 4


def test_a_kept_form_that_counts_units_is_still_read(player):
    battle = create_battle(player.client, name_3="Green mice")
    data = {"key": "a-form-of-before", "winner": "C", "removed-C": "2", "removed-A": "1", "lost-A": "2", "lost-B": "1"}
    assert player.client.post(f"/battles/{battle.code}/report/", data).status_code == 302
    assert "Green mice won the day." in words(player.client.get(battle.get_absolute_url()))


def test_three_armies_are_reported_unit_by_unit_over_the_api(player):
    """SCEN-01: the same report as on the page, in one request."""
    battle = create_battle(player.client, name_3="Green mice")
    url = f"/api/v1/battles/{battle.code}/report-armies/"
    fallen = [{"side": "A", "unit": "king", "by": "C"}, {"side": "B", "unit": "house-2", "by": ""}]
    body = {"key": "three-by-api", "winner": "C", "fallen": fallen, "yielded": ["B"]}
    for wrong, sentence in (
        ({"fallen": [{"side": "A", "unit": "house-9", "by": "C"}]}, "Side A has no unit"),
        ({"fallen": [{"side": "A", "unit": "king", "by": "A"}]}, "removed by another side"),
        ({"winner": "F"}, "The winner must be one of the armies"),
        ({"yielded": ["C"]}, "so it cannot have won"),
        ({"yielded": [""]}, "The side is empty"),
    ):
        refused = player.client.post(url, body | wrong, content_type="application/json")
        assert (refused.status_code, sentence in refused.content.decode()) == (422, True), refused.content
    nobody = {name: value for name, value in body.items() if name != "winner"}
    left_out = player.client.post(url, nobody, content_type="application/json")
    assert (left_out.status_code, left_out.json()["field"]) == (422, "winner")
    drawn = player.client.post(url, {**nobody, "winner": None, "preview": True}, content_type="application/json")
    assert (drawn.status_code, drawn.json()["worked"]["winner"]) == (200, None), drawn.content
    done = player.client.post(url, body, content_type="application/json")
    assert (done.status_code, done.json()["worked"]["winner"]) == (200, "C")
    assert (
        player.client.post(url, body | {"key": "once-more-please"}, content_type="application/json").status_code == 409
    )
    page = words(player.client.get(battle.get_absolute_url()))
    assert page.count("<em>removed</em>") == 2


def create_by_api(client, **body):
    sent = {"key": "a-battle-by-api", "scenario": "pitched_battle", "names": ["Red mice", "Blue mice"], **body}
    answer = client.post("/api/v1/battles/", sent, content_type="application/json")
    check_answer("post", "/api/v1/battles/", answer)
    return answer


def test_armies_and_leaders_are_given_over_the_api(player, master):
    """The same battle as on the page: an army of its code, another rolled from the key, and who leads it."""
    code = player.client.post("/api/v1/musters/quick/", {"loyalty": -1}, content_type="application/json").json()["code"]
    made = create_by_api(player.client, codes=[code], muster=True, leaders=["", player.code]).json()
    battle = Battle.objects.get(code=made["code"])
    assert [side["army"]["loyalty"] for side in battle.sides] == [-1, 0]
    assert [side["person"] for side in battle.sides] == [None, player.pk]
    assert create_by_api(player.client, codes=[code], muster=True, leaders=["", player.code]).json() == made
    on_page = create_battle(player.client, key="a-battle-by-page", code_1=code, muster="on")
    by_api = create_by_api(player.client, key="a-battle-by-page", codes=[code], muster=True).json()
    assert by_api["code"] == on_page.code, "the same key rolls the same armies and makes one battle"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"codes": ["", "not-a-code"]}, "codes.1"),
        ({"leaders": ["nobody-known"]}, "leaders.0"),
        ({"codes": [""] * 3}, "codes"),
        ({"leaders": [""] * 3}, "leaders"),
        ({"names": ["Red mice", "red MICE"]}, "names"),
        ({"names": ["Red", "Blue", "Green"], "scenario": "ambush"}, "scenario"),
    ],
)
def test_an_impossible_battle_is_refused_over_the_api(player, body, field):
    answer = create_by_api(player.client, **body)
    assert (answer.status_code, answer.json()["field"]) == (422, field)
    assert not Battle.objects.exists()


def test_report_starts_with_what_the_tracker_knows(player):
    battle = create_battle(player.client, muster="on")
    table = f"/battles/{battle.code}/table/"
    assert player.client.post(f"{table}lay/", {"key": "lay-both-out"}).status_code == 302
    player.client.post(f"{table}step/", {"key": "who-begins-here", "kind": "begin", "roll_A": "3", "roll_B": "9"})
    gone = {"key": "gone-B1-now", "kind": "gone", "unit": "B1", "how": "removed"}
    assert player.client.post(f"{table}step/", gone).status_code == 302
    player.client.post(f"{table}step/", {"key": "blue-yields", "kind": "yielded", "side": "B"})
    url = f"/api/v1/battles/{battle.code}/report/"
    draft = player.client.get(url)
    check_answer("get", url, draft)
    assert (draft.json()["ending"], draft.json()["removed"]) == ("yielded-B", {"A": [], "B": ["king"]})
    done = player.client.post(url, {**draft.json(), "key": "as-tracked"}, content_type="application/json")
    assert (done.status_code, done.json()["worked"]["winner"]) == (200, "A")
    assert player.client.get(url).status_code == 409


def test_tracking_three_armies_prefills_losses_and_winner(player):
    battle = create_battle(player.client, name_3="Green mice")
    table = f"/battles/{battle.code}/table/"
    named = {f"unit_{side}_{n}": unit for side in "ABC" for n, unit in enumerate(("king", "bow_mice"), 1)}
    assert player.client.post(f"{table}lay/", {"key": "lay-three-out", **named}).status_code == 302
    rolls = {"roll_A": "3", "roll_B": "9", "roll_C": "5"}
    player.client.post(f"{table}step/", {"key": "who-begins-here", "kind": "begin", **rolls})
    for unit in ("A1", "A2", "C2"):
        gone = {"key": f"gone-{unit}-now", "kind": "gone", "unit": unit, "how": "removed"}
        assert player.client.post(f"{table}step/", gone).status_code == 302
    player.client.post(f"{table}step/", {"key": "green-yields", "kind": "yielded", "side": "C"})
    assert "Only Blue mice is left." in words(player.client.get(table))
    drawn = player.client.get(f"/battles/{battle.code}/report/").context
    assert drawn["winner"] == "B"
    draft = player.client.get(f"/api/v1/battles/{battle.code}/report-armies/")
    check_answer("get", f"/api/v1/battles/{battle.code}/report-armies/", draft)
    gone = [("A", "king", ""), ("A", "house-1", ""), ("C", "house-1", "")]
    fallen = [dict(zip(("side", "unit", "by"), row, strict=True)) for row in gone]
    assert draft.json() == {"winner": "B", "fallen": fallen, "yielded": ["C"]}
    of_two = player.client.get(f"/api/v1/battles/{battle.code}/report/")
    assert (of_two.status_code, "report-armies" in of_two.json()["refusal"]) == (409, True)
    fates = [
        ([next(fate.value for fate in box.choices if fate.chosen) for box in army.units], army.yielded)
        for army in drawn["armies"]
    ]
    assert fates == [(["-", "-"], False), (["", ""], False), (["", "-"], True)]


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"name_2": " red MICE "}, "Two armies have the same name."),
        ({"name_3": "Green mice", "scenario": "ambush"}, "Only a Pitched Battle can have more than two armies."),
        ({"code_1": "not-a-code"}, "code"),
    ],
)
def test_an_impossible_battle_is_not_created(player, data, sentence):
    page = words(player.client.get("/battles/new/"))
    whole = {"key": key_of(page), "name_1": "Red mice", "name_2": "Blue mice", "scenario": "pitched_battle", **data}
    answer = player.client.post("/battles/new/", whole)
    assert answer.status_code == 422
    assert sentence in words(answer)
    assert not Battle.objects.exists()


# --- past games -----------------------------------------------------------------------------------


def rows(*games):
    data = {}
    for n, (day, attacker, target, outcome) in enumerate(games, 1):
        data |= {
            f"day-{n}": day,
            f"attacker-{n}": attacker,
            f"target-{n}": target,
            f"outcome-{n}": outcome,
            f"vp_a-{n}": "3",
            f"vp_d-{n}": "1",
        }
    return data


@pytest.fixture
def war(master, player, other_player):
    return a_campaign(master, [player, other_player])


def test_past_games_are_checked_in_the_order_played(war, master):
    """The lands are open only after both borderlands (MAP-08): entered in the wrong order, they are still valid."""
    today = Entry.objects.filter(log=war.log_id).latest("number").played_on.isoformat()
    address = f"/battles/past/{war.code}/"
    games = rows(
        (today, "k1", "k2.border_1", "attacker"),
        (today, "k1", "k2.border_2", "attacker"),
        (today, "k1", "k2.lands", "attacker"),
    )
    looked = words(master.client.post(address, {"key": "past-games-1", "preview": "1", **games}))
    assert "Save to the chronicle" in looked
    assert Entry.objects.filter(log=war.log_id, act="result").count() == 0
    for _ in range(2):  # sent twice, written once
        assert master.client.post(address, {"key": "past-games-1", **games}).status_code == 302
    assert Entry.objects.filter(log=war.log_id, act="result").count() == 3
    assert "Oakhold" in words(master.client.get(f"/battles/statistics/?campaign={war.code}"))


def test_a_past_game_without_a_day_takes_the_day_above(war, master):
    """Complete rows fold to a summary; the next empty row or an invalid one stays open."""
    today = Entry.objects.filter(log=war.log_id).latest("number").played_on.isoformat()
    address = f"/battles/past/{war.code}/"
    games = rows((today, "k1", "k2.border_1", "attacker"), ("", "k2", "k2.border_1", "draw"))
    looked = master.client.post(address, {"key": "past-games-4", "preview": "1", **games})
    drawn = looked.context["rows"]
    assert drawn[0].summary.startswith("Oakhold, ")
    assert drawn[1].summary.endswith(": a draw")
    assert [row.n for row in drawn if row.open] == [3]
    assert [row.game.played_on.isoformat() for row in looked.context["checked"]] == [today, today]
    first = master.client.get(address).context["rows"]
    assert [row.n for row in first if row.open] == [1]
    wrong = rows((today, "k1", "k2.castle", "attacker"))
    looked = master.client.post(address, {"key": "past-games-5", "preview": "1", **wrong})
    assert looked.context["rows"][0].open


def test_one_invalid_past_game_blocks_all(war, master):
    today = Entry.objects.filter(log=war.log_id).latest("number").played_on.isoformat()
    games = rows((today, "k1", "k2.border_1", "attacker"), (today, "k1", "k2.castle", "attacker"))
    answer = master.client.post(f"/battles/past/{war.code}/", {"key": "past-games-2", **games})
    assert answer.status_code == 422
    assert "Game 2:" in words(answer)
    assert "Nothing was saved." in words(answer)
    assert Entry.objects.filter(log=war.log_id, act="result").count() == 0


def test_a_past_games_page_is_created_on_demand(war, master):
    today = Entry.objects.filter(log=war.log_id).latest("number").played_on.isoformat()
    master.client.post(
        f"/battles/past/{war.code}/", {"key": "past-games-3", **rows((today, "k1", "k2.border_1", "defender"))}
    )
    page = words(master.client.get(f"/battles/of/{war.code}/1/", follow=True))
    assert "Fenwick won the day." in page


# --- statistics and pictures ----------------------------------------------------------------------


def test_statistics_show_only_visible_battles(war, master, player, stranger):
    declare(war, Who.of(player), "k1", "k2.border_1", scenario="pitched_battle")
    battle = Battle.objects.get()
    send_report(player.client, battle, ending="yielded-B", **{"removed-B": ["house-1"]})
    mine = words(player.client.get("/battles/statistics/"))
    assert "1 battle." in mine
    assert "Oakhold" in mine
    assert "Tam" in mine
    assert "9 of 10 units left" in mine
    assert "No results yet." in words(stranger.client.get("/battles/statistics/"))
    assert stranger.client.get(f"/battles/statistics/?campaign={war.code}").status_code == 404
    Campaign.objects.update(visibility="public")
    seen = words(Client().get("/battles/statistics/"))
    assert "Oakhold" in seen
    assert "Tam" not in seen


def test_only_a_public_battle_has_a_picture_and_preview_tags(war, player):
    battle = declare(war, Who.of(player), "k1", "k2.border_1", scenario="pitched_battle")
    send_report(player.client, battle, ending="yielded-B")
    assert "og:image" not in words(player.client.get(battle.get_absolute_url()))
    assert Client().get(f"/battles/{battle.code}/share.png").status_code == 404
    Campaign.objects.update(visibility="public")
    page = words(Client().get(battle.get_absolute_url()))
    picture = re.search(r'og:image" content="https?://[^/]+(/battles/[^"]+)"', page)[1].replace("&amp;", "&")
    answer = Client().get(picture)
    assert answer["Content-Type"] == "image/png"
    assert Image.open(io.BytesIO(answer.content)).size == (1200, 630)


def test_blank_slips_can_be_printed_for_every_scenario():
    page = words(Client().get("/battles/slips/?scenario=hold_the_hills"))
    assert "Tall mounds held when the round ended" in page
    assert "Crossings at the end" in words(Client().get("/battles/slips/?scenario=secure_the_crossing"))


# --- the API --------------------------------------------------------------------------------------


def test_the_api_reports_a_battle_with_the_same_refusals(war, player):
    battle = declare(war, Who.of(player), "k1", "k2.border_1")
    address = f"/api/v1/battles/{battle.code}/"
    player.client.post(
        f"{address}set-up/", {"key": "set-up-by-api", "scenario": "hold_the_hills"}, content_type="application/json"
    )
    wrong = {"key": "told-by-api-1", "ending": "destroyed-B", "mounds": [{"A": 2, "B": 2}]}
    refused = player.client.post(f"{address}report/", wrong, content_type="application/json")
    assert (refused.status_code, "There are only 3 mounds" in refused.json()["refusal"]) == (422, True)
    right = {"key": "told-by-api-2", "ending": "destroyed-B", "mounds": [{"A": 2, "B": 1}, {"A": 3}], "spent": {"A": 1}}
    done = player.client.post(f"{address}report/", right, content_type="application/json").json()
    assert done["worked"]["winner"] == "A"
    assert done["entry"]
    sheet = player.client.get(address).json()
    assert (sheet["stage"], [side["vp"] for side in sheet["sides"]]) == ("confirmed", [5, 1])
    tables = {table["key"]: table for table in player.client.get("/api/v1/battles/statistics/").json()}
    assert tables["scenarios"]["rows"][0]["name"] == "Hold the Hills"
