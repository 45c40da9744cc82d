"""A battle through its pages: declared, set up, reported, confirmed; by captains, by slip, disputed, and standalone."""

from __future__ import annotations

import re

import pytest
from django.core.cache import cache
from django.test import Client

from battles import battle_stage
from battles.models import REPORT_PASS, Battle
from battles.result.services import pending_approval_of
from battles.selectors import get_visible_battle
from battles.slip import access_codes
from campaign import selectors as campaign_selectors, services as campaign_services
from campaign.approvals import services as approvals_services
from campaign.chronicle.acts.administration import ChangeHouseRules
from campaign.chronicle.codec import read_sent
from campaign.models import Approval
from log.models import Entry
from log.services import create_log
from musters.models import Muster
from people.models import Pass
from people.passes import services as passes_services
from people.requester import Who
from tests.battles.sample_campaigns import a_campaign, declare, fresh

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _nobody_has_guessed_yet():
    cache.clear()


@pytest.fixture
def war(master, player, other_player):
    """Tam rules Oakhold (k1), Oda Fenwick (k2); both sides confirm."""
    return a_campaign(master, [player, other_player], confirm="both")


@pytest.fixture
def battle(war, player):
    return declare(war, Who.of(player), "k1", "k2.border_1", scenario="pitched_battle")


THREE = {"ending": "yielded-B", "removed-A": ["house-1"], "removed-B": ["house-1", "king"]}


def key_of(page: str) -> str:
    return re.search(r'name="key" value="([^"]+)"', page)[1]


def words(response) -> str:
    """The page, with names stripped of their isolation marks."""
    return re.sub(r"</?bdi>", "", response.content.decode())


def report(client, battle, expect=302, **data):
    address = f"/battles/{battle.code}/report/"
    page = client.get(address)
    assert page.status_code == 200, words(page)
    answer = client.post(address, {"key": key_of(words(page)), **THREE, **data})
    assert answer.status_code == expect, words(answer)
    return answer


def by_slip(battle, maker) -> Client:
    """A phone without a log-in that has opened the slip's QR."""
    phone = Client()
    slip = access_codes.get_or_create_slip(battle, Who.of(maker))
    answer = phone.get(slip.link.get_absolute_url(), follow=True)
    assert answer.redirect_chain[-1][0] == f"/battles/{battle.code}/report/"
    return phone


def count_results(battle) -> int:
    return Entry.objects.filter(log=battle.campaign.log_id, act="result").count()


# --- declared and set up --------------------------------------------------------------------------


def test_declaring_a_battle_redirects_to_its_page(war, player):
    answer = player.client.post(
        f"/campaigns/{war.code}/declare/",
        {"key": "declare-it-now", "attacker": "k1", "target": "k2.border_1", "seen": "k2"},
    )
    battle = Battle.objects.get()
    assert (battle.number, battle.target, battle.stage) == (1, "k2.border_1", "declared")
    assert [side["kingdom"] for side in battle.sides] == ["k1", "k2"]
    assert player.client.get(answer.url).url == battle.get_absolute_url()
    page = words(player.client.get(battle.get_absolute_url()))
    assert "Oakhold attacks border_1 of Fenwick, held by Fenwick." in page
    assert "Muster my army" in page


def test_a_kingdom_with_an_open_battle_is_linked_to_it(war, battle, player):
    page = words(player.client.get(f"/campaigns/{war.code}/targets/?attacker=k1&target=k2.border_2"))
    assert "Oakhold is already in battle 1." in page
    assert f"/battles/of/{war.code}/1/" in page
    assert "Declare the attack" not in page


def test_the_tracker_shows_the_names_before_armies_are_set_up(battle, player):
    page = words(player.client.get(f"/battles/{battle.code}/table/"))
    assert "Oakhold and Fenwick" in page
    assert "side A and side B" not in page


def test_the_scenario_is_rolled_or_chosen_and_sets_the_sides(war, player, other_player):
    """SCEN-11, R-66: the higher die chooses the side; ties roll again (R-68)."""
    battle = declare(war, Who.of(player), "k1", "k2.border_1")
    set_up = f"/battles/{battle.code}/set-up/"
    player.client.post(set_up, {"key": "roll-it-here-1", "roll": "1", "die": "2"})
    battle.refresh_from_db()
    assert battle.scenario == "last_stand"
    player.client.post(set_up, {"key": "roll-the-sides", "roll_sides": "1"})
    rolled = Entry.objects.get(log=battle.log_id, act="sides_rolled").body
    assert rolled["throws"][-1][0] != rolled["throws"][-1][1]
    other_player.client.post(set_up, {"key": "swap-the-sides", "swap": "1"})
    battle.refresh_from_db()
    assert [side["kingdom"] for side in battle.sides] == ["k2", "k1"]
    page = words(player.client.get(battle.get_absolute_url()))
    assert "Rolled a 2: Last Stand." in page
    assert "Fenwick takes side A." in page
    player.client.post(set_up, {"key": "choose-it-here", "scenario": "ambush"})
    battle.refresh_from_db()
    assert battle.scenario == "ambush"


def test_a_house_rule_makes_the_attacker_side_a_without_a_roll_off(war, player, master):
    """R-66 with attacker_is_side_a on"""
    campaign_services.write(war, Who.of(master), ChangeHouseRules({"attacker_is_side_a": True}), key="attacker-is-a")
    battle = declare(war, Who.of(player), "k1", "k2.border_1")
    set_up = f"/battles/{battle.code}/set-up/"
    player.client.post(set_up, {"key": "choose-it-here", "scenario": "last_stand"})
    for step in ("roll_sides", "swap"):
        answer = player.client.post(set_up, {"key": f"try-{step}-here", step: "1"})
        assert answer.status_code == 422
        assert "the attacker is side A, so there is no roll-off" in words(answer)
    assert "Give side A to" not in words(player.client.get(battle.get_absolute_url()))


def test_rolling_twice_with_one_key_gives_the_same_roll(war, player):
    battle = declare(war, Who.of(player), "k1", "k2.border_1")
    for _ in range(2):
        player.client.post(f"/battles/{battle.code}/set-up/", {"key": "roll-it-twice", "roll": "1"})
    assert Entry.objects.filter(log=battle.log_id, act="set_up").count() == 1


@pytest.mark.parametrize("die", ["0", "11", "x", "-3", "1e3"])
def test_an_impossible_die_roll_is_refused(war, player, die):
    battle = declare(war, Who.of(player), "k1", "k2.border_1")
    answer = player.client.post(f"/battles/{battle.code}/set-up/", {"key": "roll-it-wrong", "roll": "1", "die": die})
    assert answer.status_code == 422
    battle.refresh_from_db()
    assert battle.scenario == ""


def test_only_castles_are_besieged_and_the_attacker_is_side_a(battle, player):
    answer = player.client.post(f"/battles/{battle.code}/set-up/", {"key": "a-siege-here", "scenario": "siege"})
    assert answer.status_code == 422
    assert "Only a castle can be besieged." in words(answer)


# --- reported and confirmed ---------------------------------------------------------------------------


def test_a_report_is_previewed_before_it_is_sent(battle, player):
    """A removed 2 and won: 2 + 2 VP; B removed 1; loyalty moves by one; the borderland changes hands."""
    page = words(player.client.post(f"/battles/{battle.code}/report/worked-out/", {"key": "x", **THREE}))
    assert "Fenwick yielded." in page
    assert re.search(r"\+2 VP</b>\s*<span>Oakhold: units removed<", page)
    assert re.search(r"\+2 VP</b>\s*<span>Oakhold: the win<", page)
    assert re.search(r"\+1 VP</b>\s*<span>Fenwick: units removed<", page)
    assert "loyalty" in page.lower()
    assert "border_1 of Fenwick" in page
    assert count_results(battle) == 0
    unfinished = player.client.post(f"/battles/{battle.code}/report/worked-out/", {"key": "x", "removed-A": "king"})
    assert "Choose how it ended." in words(unfinished)


def test_both_sides_confirm_and_one_entry_is_written(battle, player, other_player):
    report(player.client, battle)
    battle.refresh_from_db()
    assert (battle.stage, count_results(battle)) == ("reported", 0)
    page = words(other_player.client.get(battle.get_absolute_url()))
    assert "Waiting for you" in page
    assert "<span>Confirm</span>" in page
    assert "Waiting for Oda" in words(player.client.get(battle.get_absolute_url()))
    report(other_player.client, battle)  # a matching report confirms the first
    assert count_results(battle) == 1
    state = campaign_selectors.state_of(fresh(battle.campaign))
    assert (state.kingdoms["k1"].vp, state.kingdoms["k2"].vp) == (4, 1)
    assert state.holders["k2.border_1"] == "k1"
    page = words(player.client.get(battle.get_absolute_url()))
    assert "Oakhold won the day." in page
    assert "Fenwick lost two of five units" in page


def test_the_other_side_confirms_on_the_same_phone(battle, player, other_player):
    report(player.client, battle)
    page = words(player.client.get(battle.get_absolute_url()))
    assert "Confirm as Oda" in page
    seen = re.search(r'name="seen" value="([^"]+)"', page)[1]
    data = {"key": "oda-says-yes", "version": "0", "seen": seen, "as": other_player.pk}
    for _ in range(2):  # sent twice, answered alike
        assert player.client.post(f"/battles/{battle.code}/answer/", data).url == battle.get_absolute_url()
    entry = Entry.objects.get(log=battle.campaign.log_id, act="result")
    assert entry.body["confirmed"] == [{"kingdom": "k2", "person": other_player.pk, "phone": player.pk}]
    battle.refresh_from_db()
    assert battle.stage == "confirmed"


def test_a_slip_report_needs_no_log_in_but_a_reporter(battle, player, other_player):
    phone = by_slip(battle, player)
    page = words(phone.get(f"/battles/{battle.code}/report/"))
    assert "Who is reporting?" in page
    assert "Report as Tam" in page
    assert "Report as Oda" in page
    assert "Report as Wren" not in page  # a game master's report needs no confirmation
    nobody = phone.post(f"/battles/{battle.code}/report/", {"key": key_of(page), **THREE})
    assert nobody.status_code == 422
    assert "Choose who is reporting." in words(nobody)
    report(phone, battle, report_as=str(player.pk))
    page = words(phone.get(battle.get_absolute_url()))
    assert "Confirm as Oda" in page
    assert "Go to the campaign" not in page  # the slip alone does not open the campaign
    seen = re.search(r'name="seen" value="([^"]+)"', page)[1]
    phone.post(f"/battles/{battle.code}/answer/", {"key": "oda-by-the-slip", "seen": seen, "as": other_player.pk})
    entry = Entry.objects.get(log=battle.campaign.log_id, act="result")
    assert entry.actor_id == player.pk
    assert entry.body["confirmed"][0]["person"] == other_player.pk
    # The slip no longer works, and says so.
    again = Client().get(Pass.objects.get(kind=REPORT_PASS).get_absolute_url(), follow=True)
    assert again.status_code == 410
    assert "This battle is already confirmed" in words(again)
    assert phone.get(f"/battles/{battle.code}/report/").status_code == 409


def test_a_game_master_with_only_the_slip_confirms_for_their_side(master, other_player):
    war = a_campaign(master, [master, other_player], confirm="both")
    battle = declare(war, Who.of(master), "k1", "k2.border_1", scenario="pitched_battle")
    phone = by_slip(battle, master)
    report(phone, battle, report_as=str(master.pk))
    assert count_results(battle) == 0, "whoever holds the slip is not the game master"
    report(other_player.client, battle, **{"ending": "yielded-A"})
    page = words(phone.get(battle.get_absolute_url()))
    seen = re.search(r'name="seen" value="([^"]+)"', page)[1]
    phone.post(
        f"/battles/{battle.code}/answer/", {"key": "wren-by-the-slip", "version": "0", "seen": seen, "as": master.pk}
    )
    assert count_results(battle) == 0, "nor do they decide between two versions"
    page = words(master.client.get(battle.get_absolute_url()))
    assert "lead Oakhold: you can settle this alone" in page
    assert "Report it and ask Oda" in words(master.client.get(f"/battles/{battle.code}/report/"))
    report(master.client, battle)
    assert count_results(battle) == 1
    campaign_page = words(other_player.client.get(war.get_absolute_url()))
    assert "decided by Wren, game master and on the side of Oakhold" in campaign_page


def test_three_words_open_the_same_report(battle, player):
    code = access_codes.words_of(access_codes.get_or_create_slip(battle, Who.of(player)).link)
    page = words(player.client.get(f"/battles/{battle.code}/slip/"))
    assert " ".join(code) in page
    phone = Client()
    answer = phone.post("/battles/code/", {"code": f"  {code[0].upper()}-{code[1]},{code[2]} "})
    assert answer.url == f"/battles/{battle.code}/report/"
    assert phone.get(answer.url).status_code == 200


def test_wrong_code_words_are_named_and_counted(battle, player):
    code = access_codes.words_of(access_codes.get_or_create_slip(battle, Who.of(player)).link)
    phone = Client()
    almost = phone.post("/battles/code/", {"code": f"{code[0]}q {code[1]} {code[2]}"})
    assert f"Did you mean “{code[0]}”?" in words(almost)
    assert phone.post("/battles/code/", {"code": "one two"}).status_code == 422
    wrong = {"code": " ".join(reversed(code))}
    for _ in range(access_codes.CODE_LIMIT.browser.most):
        assert phone.post("/battles/code/", wrong).status_code == 404
    refused = phone.post("/battles/code/", {"code": " ".join(code)})
    assert refused.status_code == 429
    assert "Too many wrong codes" in words(refused)


def test_neither_token_nor_words_of_a_slip_are_stored(battle, player):
    slip = access_codes.get_or_create_slip(battle, Who.of(player))
    kept = repr([*Pass.objects.values_list(), *type(slip).objects.values_list()])
    assert slip.link.token not in kept
    assert not any(f"'{word}'" in kept or f"{word} " in kept for word in access_codes.words_of(slip.link))


def test_a_disputed_report_shows_both_versions_until_the_master_decides(war, battle, master, player, other_player):
    report(player.client, battle)
    report(other_player.client, battle, ending="yielded-A", **{"removed-B": ["house-1"]})
    assert count_results(battle) == 0
    page = words(master.client.get(battle.get_absolute_url()))
    assert "The sides disagree" in page
    assert "Reported by Tam" in page
    assert "Reported by Oda" in page
    assert "Other battles can go on" in page
    assert "Decide for this version" in words(master.client.get(f"/battles/{battle.code}/report/"))
    assert "Decide for this version" not in words(player.client.get(f"/battles/{battle.code}/report/"))
    petition = Approval.objects.get()
    assert petition.stage == "disputed"
    assert "Confirm as Wren" not in words(player.client.get(battle.get_absolute_url()))
    lent = {"key": "not-on-my-phone", "version": "0", "seen": petition.versions[0]["digest"], "as": master.pk}
    assert player.client.post(f"/battles/{battle.code}/answer/", lent).status_code == 403
    assert count_results(battle) == 0
    master.client.post(
        f"/battles/{battle.code}/answer/",
        {"key": "wren-decides-it", "version": "1", "seen": petition.versions[1]["digest"], "as": master.pk},
    )
    entry = Entry.objects.get(log=war.log_id, act="result")
    assert entry.body["outcome"] == "defender"


def test_withdrawing_a_report_reopens_the_battle(battle, player):
    report(player.client, battle)
    approvals_services.withdraw(pending_approval_of(battle), Who.of(player), key="take-it-back-1")
    page = words(player.client.get(battle.get_absolute_url()))
    assert "Give my version" not in page
    battle.refresh_from_db()
    assert battle.stage == "declared"


def test_a_hidden_muster_stays_hidden_until_the_battle_starts(war, battle, master, player, other_player):
    """Term muster_sight: slip and form show the other side's units only by their sender."""
    campaign_services.write(
        fresh(war),
        Who.of(master),
        key="hide-the-musters",
        act=read_sent("house_rules", {"terms": {"muster_sight": "own"}}),
    )
    army = {
        "units": [
            {"slot": ["king", 1], "unit": "king", "hero": None, "weapon": None},
            {"slot": ["house", 1], "unit": "battle_cat", "hero": None, "weapon": None},
        ]
    }
    army |= {"loyalty": 0, "siege": None, "silent": [], "lost": [], "regained": [], "vp_spent": 0, "dice": []}
    Muster.objects.create(campaign=war, battle=1, kingdom="k1", log=create_log("muster"), call={}, army=army, entry=1)
    battle_stage.store_stages(war, campaign_selectors.state_of(fresh(war)), [1])
    for who, sees in ((player, True), (other_player, False)):
        for page in ("slip", "report"):
            shown = words(who.client.get(f"/battles/{battle.code}/{page}/"))
            assert ("Battle Cat" in shown) is sees, (who.name, page)
    player.client.post(f"/battles/{battle.code}/on-the-table/", {"key": "armies-are-there"})
    assert "Battle Cat" in words(other_player.client.get(f"/battles/{battle.code}/report/"))


def test_a_draw_moves_no_land_and_no_loyalty(battle, master):
    """R-56."""
    report(master.client, battle, ending="draw")
    state = campaign_selectors.state_of(fresh(battle.campaign))
    assert state.holders["k2.border_1"] == "k2"
    assert {realm.loyalty for realm in state.in_play()} == {0}
    assert "Nobody won. The territory stays with its holder." in words(master.client.get(battle.get_absolute_url()))


def test_houses_that_sent_nobody_field_no_unit_and_are_lost(battle, master):
    report(master.client, battle, **{"silent-B": ["2"], "spent-A": "2"})
    entry = Entry.objects.get(log=battle.campaign.log_id, act="result")
    assert entry.body["report"]["b"]["fielded"] == 4
    state = campaign_selectors.state_of(fresh(battle.campaign))
    assert state.kingdoms["k2"].houses[1].lost
    assert state.kingdoms["k1"].vp == 4 - 2


# --- refusals -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"removed-A": ["house-1", "house-7"]}, "did not take the field"),
        ({"removed-A": list("abcdef")}, "had 5 units, but 6 are marked as removed"),
        ({"crossings-A": "1"}, "There are no crossings in Pitched Battle."),
        ({"mounds-1-A": "1"}, "There are no tall mounds to score in Pitched Battle."),
        ({"ablaze": "2"}, "No buildings burn in Pitched Battle"),
        ({"escaped": ["king"]}, "Units escape only in Break Free, not in Pitched Battle"),
        ({"spent-A": "1000"}, "VP spent must be a number from 0 to 99."),
        ({"spent-B": "7"}, "VP"),
        ({"ending": "counted"}, "Pitched Battle cannot end like this."),
        ({"ending": ""}, "Choose how it ended."),
        ({"played_on": "yesterday"}, "Enter a valid date."),
        ({"played_on": "2999-01-01"}, "The day played is in the future."),
    ],
)
def test_bad_input_is_refused_and_changes_nothing(battle, master, data, sentence):
    answer = report(master.client, battle, expect=422, **data)
    assert sentence in words(answer)
    assert count_results(battle) == 0
    assert not Approval.objects.exists()


def test_going_back_after_reporting_leads_to_the_battle_and_not_to_a_refusal(battle, master, player):
    report(master.client, battle)
    back = master.client.get(f"/battles/{battle.code}/report/")
    assert (back.status_code, back["Location"]) == (302, battle.get_absolute_url())
    form = f"/campaigns/{battle.campaign.code}/result/?battle={battle.number}"
    assert "#entry-" in master.client.get(form)["Location"]
    assert player.client.get(f"/battles/{battle.code}/report/").status_code == 409, "somebody else was quicker"
    assert player.client.get(form).status_code == 409


def test_a_report_for_a_battle_already_confirmed_is_refused(battle, master, player):
    page = words(player.client.get(f"/battles/{battle.code}/report/"))
    report(master.client, battle)
    late = player.client.post(f"/battles/{battle.code}/report/", {"key": key_of(page), **THREE})
    assert late.status_code == 409
    assert "This battle is already confirmed." in words(late)
    assert count_results(battle) == 1


def test_two_reports_at_once_write_one_entry(battle, master):
    page = words(master.client.get(f"/battles/{battle.code}/report/"))
    for _ in range(2):
        answer = master.client.post(f"/battles/{battle.code}/report/", {"key": key_of(page), **THREE})
        assert answer.url == battle.get_absolute_url()
    assert count_results(battle) == 1


def test_a_pass_of_another_battle_opens_only_its_own(war, battle, master, player):
    other = declare(
        a_campaign(master, [player, None], key="second-war"),
        Who.of(master),
        "k1",
        "k2.border_1",
        key="another-war-1",
        scenario="ambush",
    )
    phone = by_slip(other, master)
    assert phone.get(f"/battles/{other.code}/report/").status_code == 200
    assert phone.get(f"/battles/{battle.code}/report/").status_code == 404
    assert phone.post(f"/battles/{battle.code}/report/", {"key": "not-my-battle", **THREE}).status_code == 404
    assert phone.get(f"/campaigns/{war.code}/").status_code == 404


def test_a_revoked_slip_opens_nothing(battle, player):
    slip = access_codes.get_or_create_slip(battle, Who.of(player))
    address, code = slip.link.get_absolute_url(), " ".join(access_codes.words_of(slip.link))
    phone = by_slip(battle, player)
    player.client.post(f"/battles/{battle.code}/slip/renew/")
    assert phone.get(f"/battles/{battle.code}/report/").status_code == 404
    dead = Client().get(address, follow=True)
    assert dead.status_code == 410
    assert "This link was revoked." in words(dead)
    assert Client().post("/battles/code/", {"code": code}).status_code == 404
    assert access_codes.get_or_create_slip(battle, Who.of(player)).link.pk != slip.link.pk


def test_an_expired_slip_opens_nothing(battle, player):
    slip = access_codes.get_or_create_slip(battle, Who.of(player))
    phone = by_slip(battle, player)
    Pass.objects.filter(pk=slip.link.pk).update(expires_at="2020-01-01T00:00Z")
    assert phone.post(f"/battles/{battle.code}/report/", {"key": "too-late-now", **THREE}).status_code == 404
    assert Client().get(slip.link.get_absolute_url(), follow=True).status_code == 410
    assert passes_services.state_of(access_codes.get_or_create_slip(battle, Who.of(player)).link) == "open"


def test_a_called_off_battle_is_over_and_a_struck_result_reopens_it(battle, master, player):
    report(master.client, battle)
    entry = Entry.objects.get(log=battle.campaign.log_id, act="result")
    campaign = fresh(battle.campaign)
    seen = campaign_services.preview_correction(campaign_selectors.entries_of(campaign), "strike", entry.number)
    campaign_services.write_correction(
        campaign,
        Who.of(master),
        key="strike-the-line",
        kind="strike",
        target=entry.number,
        why="Wrong.",
        digest=seen.digest,
    )
    again = Battle.objects.get(pk=battle.pk)
    assert (again.stage, again.entry) == ("declared", None)
    timeline = words(player.client.get(battle.get_absolute_url()))
    assert "The result was confirmed." not in timeline
    assert "The result was struck from the chronicle." in timeline
    # Either captain can call it off, until something is on the table.
    Battle.objects.filter(pk=battle.pk).update(stage="on_the_table")
    answer = player.client.post(f"/battles/{battle.code}/call-off/", {"key": "call-it-off-1"})
    assert (answer.status_code, "Call off the battle" in words(player.client.get(battle.get_absolute_url()))) == (
        403,
        False,
    )
    Battle.objects.filter(pk=battle.pk).update(stage="declared")
    assert "Call off the battle" in words(player.client.get(battle.get_absolute_url()))
    player.client.post(f"/battles/{battle.code}/call-off/", {"key": "call-it-off-2"})
    assert "This battle was called off." in words(player.client.get(battle.get_absolute_url()))
    assert player.client.get(f"/battles/{battle.code}/report/").status_code == 409


def test_a_unit_report_can_be_corrected_to_another_winner(battle, master, player):
    """The winner of any battle can be corrected, however it was reported; its page then shows the new effects."""
    report(master.client, battle)
    entry = Entry.objects.get(log=battle.campaign.log_id, act="result")
    assert "conquered" in words(player.client.get(battle.get_absolute_url()))
    path = f"{battle.campaign.get_absolute_url()}entries/{entry.number}/amend/?plain=1"
    form = master.client.get(path).context["form"]
    earned = sum(effect["by"] for effect in entry.effects if effect["do"] == "vp")
    assert form.initial["attacker_points"] + form.initial["defender_points"] == earned > 0
    sent = {name: value for name, value in form.initial.items() if value is not None}
    sent |= {"outcome": "defender", "attacker_points": 0, "defender_points": 2}
    seen = master.client.post(path, sent).context["preview"]
    answer = master.client.post(path, sent | {"confirm": 1, "digest": seen.digest, "why": "The other way round."})
    assert answer.status_code == 302
    page = words(player.client.get(battle.get_absolute_url()))
    assert "conquered" not in page
    assert "Correct this battle" in page
    assert campaign_selectors.state_of(fresh(battle.campaign)).kingdoms["k2"].vp == 2


def test_a_result_is_corrected_on_its_own_form(battle, master, player):
    """The form is prefilled and previews live; one confirmation saves it. It stays unit by unit."""
    report(master.client, battle)
    entry = Entry.objects.get(log=battle.campaign.log_id, act="result")
    before = campaign_selectors.state_of(fresh(battle.campaign)).kingdoms["k1"].vp
    opened = player.client.get(f"{battle.campaign.get_absolute_url()}entries/{entry.number}/amend/")
    path = f"/battles/of/{battle.campaign.code}/{battle.number}/correct/"
    assert opened.url == path
    form = master.client.get(path).context["form"]
    tapped = {(side.letter, box.unit.fielded.key) for side in form.sides for box in side.units if box.removed}
    assert tapped == {("A", "house-1"), ("B", "house-1"), ("B", "king")}
    assert [row.key for _, rows in form.endings for row in rows if row.chosen] == [THREE["ending"]]
    sent = THREE | {"removed-B": ["house-1", "king", "house-4"], "spent-A": "1"}
    worked = words(master.client.post(path, sent, headers={"HX-Request": "true"}))
    assert "Preview" in worked
    assert "<form" not in worked
    looked = master.client.post(path, sent)
    assert ("removed-B", "house-4") in looked.context["carried"]
    again = sent | {
        "key": "put-it-right-1",
        "confirm": "1",
        "digest": looked.context["preview"].digest,
        "why": "One more fell.",
    }
    assert master.client.post(path, again).status_code == 302
    kept = Battle.objects.get(pk=battle.pk)
    assert kept.result["told"]["removed"]["B"] == ["house-1", "house-4", "king"]
    assert campaign_selectors.state_of(fresh(battle.campaign)).kingdoms["k1"].vp == before + 1 - 1
    # Another scenario starts with an empty form; an ending it lacks is refused, and nothing changes.
    wrong = master.client.post(f"{path}?scenario=ambush", {"ending": "held_out"})
    assert wrong.status_code == 422
    assert "Ambush cannot end like this." in words(wrong)


def test_a_called_off_battle_offers_to_reopen_it(battle, master, player):
    master.client.post(f"/battles/{battle.code}/call-off/", {"key": "call-it-off-3"})
    entry = Entry.objects.get(log=battle.campaign.log_id, act="battle_called_off")
    assert "The game master can reopen it." in words(player.client.get(battle.get_absolute_url()))
    way = f"{battle.campaign.get_absolute_url()}entries/{entry.number}/strike/"
    assert f'href="{way}">Reopen the battle' in words(master.client.get(battle.get_absolute_url()))
    seen = master.client.get(way).context["preview"]
    master.client.post(way, {"key": "open-it-again", "confirm": "1", "digest": seen.digest, "why": "Fought after all."})
    assert Battle.objects.get(pk=battle.pk).stage == "declared"


def test_the_page_needs_the_same_few_queries_for_every_battle(battle, player, django_assert_max_num_queries):
    player.client.get(battle.get_absolute_url())
    with django_assert_max_num_queries(22):
        player.client.get(battle.get_absolute_url())


def test_an_entry_written_during_a_page_load_is_not_missed(war, battle, master):
    """The battle is called off after the page has read it: the page stores nothing over that."""
    get_visible_battle(Who.of(master), battle.code)
    campaign_services.write(
        war, Who.of(master), key="called-off-now", act=read_sent("battle_called_off", {"battle": battle.number})
    )
    assert Battle.objects.get(pk=battle.pk).stage == Battle.Stage.CALLED_OFF
