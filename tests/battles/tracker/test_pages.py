"""The tracker's pages: steps through forms, who may, how many queries, and the cache beside the log."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.http import Http404
from django.test.utils import CaptureQueriesContext

from battles.models import Battle
from battles.result.prefill import tracked_answers
from battles.tracker import display, services as tracker_services, views as tracker_views
from battles.tracker.core.live_score import build_report
from battles.tracker.selectors import find_problems, load_snapshot, rebuild_snapshot, steps_of, terms_of
from campaign.models import Campaign
from campaign.selectors import state_of
from log.models import Entry
from people.requester import Who
from rulebook.campaign.battle_scoring import score_report
from tests.battles.battle_rows import Seat, make_battle
from tests.battles.sample_campaigns import a_campaign, declare
from tests.battles.tracker.core.memory_tracker import KING, house


@pytest.fixture
def seat(player) -> Seat:
    return Seat(player.client, make_battle(player))


def tracker_of(seat: Seat):
    return load_snapshot(Battle.objects.select_related("log").get(pk=seat.battle.pk)).tracker


def test_setting_up_the_tracker_moves_the_battle_to_the_table(seat):
    assert "Set up the tracker" in seat.page()
    assert "Rat Riders" in seat.page("lay/")
    assert seat.lay().status_code == 302
    page = seat.page()
    assert page.count('class="u ') == 10
    assert "Who goes first?" in page
    seat.battle.refresh_from_db()
    assert seat.battle.stage == Battle.Stage.ON_THE_TABLE


def test_set_up_lists_house_hero_and_weapon(master, player):
    units = [
        KING,
        house(1, "rat_riders", "champion", "spears"),
        house(2, "rat_riders", None, "spears"),
        house(3, "hoppers"),
    ]
    battle = declare(a_campaign(master, [player, None]), Who.of(player), "k1", "k2.border_1", scenario="pitched_battle")
    battle.sides = [one | {"kingdom": battle.sides[0]["kingdom"]} for one in make_battle(player, a=units).sides]
    battle.save()
    page = Seat(player.client, battle).page("lay/")
    shown = [" ".join(text.split()) for text in re.findall(r'<small class="quiet">(.*?)</small>', page, re.DOTALL)]
    first, second, third = [one.name for one in state_of(battle.campaign).kingdoms["k1"].houses[:3]]
    assert shown[:4] == ["", f"{first}, Champion, Spears", f"{second}, Spears", third]


def test_goals_list_mounds_once_a_round_has_ended(player):
    seat = Seat(player.client, make_battle(player, "hold_the_hills"))
    seat.begin()
    assert "Mounds held at the end of each round" not in seat.page()
    seat.step("held", round=1, held_A=2, held_B=1)
    assert "Mounds held at the end of each round" in seat.page()


def test_goals_name_the_side_they_ask_about_whoever_looks(player):
    seat = Seat(player.client, make_battle(player, "secure_the_crossing"))
    seat.begin()
    for own in "AB":
        page = " ".join(seat.page("board/", own=own).split())
        assert 'for="cross-A">Crossings held by Oakhold<' in page
        assert 'for="cross-B">Crossings held by Thistledown<' in page


@pytest.mark.parametrize(
    ("scenario", "lost", "ending"),
    [
        ("chevauchee", "AB", "draw"),
        ("take_the_fortress", "AB", "draw"),
        ("break_free", "B", "destroyed-B"),
        ("break_free", "A", "over"),
    ],
)
def test_the_report_is_filled_in_with_how_the_armies_were_lost(player, scenario, lost, ending):
    seat = Seat(player.client, make_battle(player, scenario))
    seat.begin()
    for side in lost:
        for number in range(1, 6):
            seat.step("losses", unit=f"{side}{number}", models=0)
    assert tracked_answers(Battle.objects.select_related("log").get(pk=seat.battle.pk)).ending == ending


def test_units_without_muster_are_chosen_by_hand(player):
    battle = make_battle(player)
    battle.sides[1]["army"] = None
    battle.save()
    seat = Seat(player.client, battle)
    assert seat.lay().status_code == 422
    answer = seat.lay(unit_B_1="king", unit_B_2="bow_mice", hero_B_2="wizard")
    assert answer.status_code == 302
    assert [unit.name for unit in tracker_of(seat).units("B")] == ["King", "Bow-Mice"]


def test_fight_goes_from_unit_to_combat_helper_to_dice(seat):
    seat.begin()
    assert "how=charge&amp;target=B3" in seat.page("units/A3/")
    page = seat.page("helper/", unit="A3", how="charge", target="B3")
    assert "Charged" in page
    assert "Mounted against foot" in page
    page = seat.page("helper/", unit="A3", how="charge", target="B3", told=1, target_at="barrier")
    assert "twice as many" in page
    assert 'class="big">3+' in page
    seat.step(
        "fight", unit="A3", how="charge", target="B3", told=1, target_at="barrier", faces="10 1 1 1 1 1", then="table"
    )
    page = seat.page()
    assert "Thistledown rolls" in page
    assert "Roll 1 die to save." in page
    seat.step("dice", fight="A3", at_count=6, faces="1")
    assert tracker_of(seat).fights()["A3"].faces == (10, 1, 1, 1, 1, 1, 1)
    seat.step("dice", fight="A3", at_count=7, here="1")
    while tracker_of(seat).fights():
        seat.step("dice", fight="A3", here="1")
    assert tracker_of(seat).unit("A3").acted
    assert "to hit: 10, 1, 1, 1, 1 and 1; 1 hit." in seat.page()


def test_server_rolls_the_same_dice_for_a_repeated_request(seat):
    seat.begin()
    seat.step("fight", unit="A4", how="shoot", target="B5")
    sent = {"kind": "dice", "fight": "A4", "at_count": 0, "here": "1", "key": "a-tap-sent-twice"}
    first = seat.client.post(f"{seat.address}step/", sent)
    faces = tracker_of(seat).fights()["A4"].faces
    again = seat.client.post(f"{seat.address}step/", sent)
    assert (first.status_code, again.status_code) == (302, 302)
    assert tracker_of(seat).fights()["A4"].faces == faces


def test_roll_counts_at_once_and_a_reroll_is_on_offer_until_the_next_tap(master, player):
    """No tap more where VP could buy a re-roll; buying one rolls on as far as dice are due."""
    campaign = a_campaign(master, [player, None])
    battle = declare(campaign, Who.of(player), "k1", "k2.border_1", scenario="pitched_battle")
    battle.sides = make_battle(player).sides
    battle.save()
    seat = Seat(player.client, battle)
    seat.lay()
    seat.step("begin", roll_A=8, roll_B=3)
    seat.step("spent", side="A", vp=0)
    assert queries(seat.get) <= 12
    seat.step("losses", unit="B5", models=0)  # a kill is a VP to spend
    assert load_snapshot(battle_of(seat)).tracker.unit("B5").gone
    seat.step("fight", unit="A4", how="shoot", target="B3", faces="1 1 1 1")
    tracker = tracker_of(seat)
    assert tracker.unit("A4").acted
    assert not tracker.fights()
    page = seat.page("board/")
    assert "<bdi>Oakhold</bdi> can re-roll a die for 1 VP" in page
    assert page.count("Re-roll the 1") == 1  # four dice with the same face are one choice
    assert "Keep this roll" not in page
    seat.step("rerolled", fight="A4", die="0", at_count="4", here="all")
    assert tracker_of(seat).vp_spent("A") == 1
    assert not tracker_of(seat).fights()
    assert "can re-roll" not in seat.page("board/")  # the VP is spent
    seat.step("token", unit="A1", token="acted-on")
    assert find_problems(battle_of(seat)) == []


def battle_of(seat: Seat) -> Battle:
    return Battle.objects.select_related("log").get(pk=seat.battle.pk)


def test_fixing_the_tracker_sends_only_changed_units(seat):
    seat.begin()
    page = seat.page("set/")
    assert 'name="models_A5"' in page
    sent = {"key": "as-it-stands-1", "round": 3}
    for unit in tracker_of(seat).units():
        sent[f"models_{unit.id}"] = unit.now.models
    sent |= {"models_B3": 2, "flees_A5": "on", "models_B5": 0, "wounds_B2": 3, "acted_A1": "on"}
    assert seat.client.post(f"{seat.address}set/", sent).status_code == 302
    tracker = tracker_of(seat)
    assert (tracker.round, tracker.unit("B3").now.models, tracker.unit("A5").fleeing) == (3, 2, True)
    assert tracker.unit("B5").gone.how == "removed"
    assert set(Entry.objects.filter(log=seat.battle.log_id).last().body["units"]) == {"B3", "A5", "B5", "B2", "A1"}
    refused = seat.client.post(f"{seat.address}set/", sent | {"key": "as-it-stands-2", "models_B3": 9})
    assert refused.status_code == 422
    assert "models of Bow-Mice is 9" in refused.content.decode()


def test_undo_lists_dependent_steps_and_can_be_redone(seat):
    seat.begin()
    seat.step("losses", unit="B3", models=3)
    number = steps_of(seat.battle)[-1].number
    seat.step("fight", unit="A4", how="shoot", target="B3")
    seat.step("did", unit="A1", did="move")
    page = seat.page(f"take-back/{number}/")
    assert "1 step" in page
    assert "shoot at" in page
    assert "Round 1" in page
    answer = seat.client.post(f"{seat.address}take-back/{number}/", {"key": "taken-back-1", "seen": "1"})
    assert answer.status_code == 409
    seat.client.post(f"{seat.address}take-back/{number}/", {"key": "taken-back-2", "seen": "2"})
    tracker = tracker_of(seat)
    assert (tracker.unit("B3").now.models, tracker.fights(), tracker.unit("A1").acted) == (4, {}, True)
    page = seat.page("history/")
    assert "You just undid 2 steps." in page
    assert "Redo" in page
    back = Entry.objects.filter(log=seat.battle.log_id).latest("number").number
    seat.client.post(f"{seat.address}take-back/{back}/", {"key": "put-back-again"})
    assert tracker_of(seat).unit("B3").now.models == 3


def test_history_puts_each_step_under_its_round(seat):
    seat.begin()
    seat.step("did", unit="A1", did="move")
    page = seat.page("history/")
    assert page.index("Round 1") < page.index("Oakhold’s King") < page.index("Before the battle")
    assert page.index("Before the battle") < page.index("The battle starts.")


def undo(seat: Seat) -> None:
    """The one tap of the bar."""
    address = re.search(r'action="([^"?]*/take-back/\d+/)[^"]*"', seat.page())[1]
    seat.taps += 1
    seat.client.post(address, {"key": f"undo-number-{seat.taps:04}"})


def test_undo_takes_back_a_roll_of_one_tap_whole_and_a_single_die_alone(seat):
    seat.begin()
    before = tracker_of(seat).cells
    seat.step("fight", unit="A3", how="charge", target="B3", told=1, here="all", then="table")
    assert tracker_of(seat).unit("A3").acted
    undo(seat)
    assert tracker_of(seat).cells == before
    # Entered roll by roll, the last one goes.
    seat.step("fight", unit="A3", how="charge", target="B3", told=1, faces="10 10 10 1 1 1")
    seat.step("dice", fight="A3", at_count=6, faces="1 1 1")
    assert len(tracker_of(seat).fights()["A3"].faces) == 9
    undo(seat)
    assert tracker_of(seat).fights()["A3"].faces == (10, 10, 10, 1, 1, 1)
    undo(seat)
    assert tracker_of(seat).cells == before


def test_cancelled_charge_leaves_nobody_in_melee(seat):
    seat.begin()
    before = tracker_of(seat).cells
    seat.step("fight", unit="A3", how="charge", target="B3", told=1)
    assert tracker_of(seat).contacts("A3") == ("B3",)
    seat.step("broken_off", fight="A3")
    assert tracker_of(seat).cells == before
    # A melee that was there before the attack stays.
    seat.step("contact", unit="A3", other="B3")
    seat.step("fight", unit="A3", how="strike", target="B3", told=1)
    seat.step("broken_off", fight="A3")
    assert tracker_of(seat).contacts("A3") == ("B3",)


def test_cached_state_equals_the_folded_log(seat):
    seat.begin()
    for step in ({"kind": "losses", "unit": "B3", "models": 2}, {"kind": "token", "unit": "A1", "token": "acted-on"}):
        seat.step(**step)
    battle = Battle.objects.select_related("log").get(pk=seat.battle.pk)
    assert find_problems(battle) == []
    assert load_snapshot(battle).cells == rebuild_snapshot(battle).cells
    battle.snapshot = None
    assert load_snapshot(battle).cells == rebuild_snapshot(battle).cells


def test_result_form_is_filled_in_from_the_tracker(seat):
    seat.begin()
    for unit in ("B1", "B2", "B3", "B4", "B5"):
        seat.step("losses", unit=unit, models=0)
    assert "The battle is decided" in seat.page()
    battle = Battle.objects.select_related("log").get(pk=seat.battle.pk)
    report = build_report(load_snapshot(battle).tracker, terms_of(battle))
    assert (report.b.removed, score_report(report).winner, score_report(report).vp("A")) == (5, "A", 7)


def test_siege_shows_the_castle_and_its_breach(player):
    attackers = [KING, house(1, "mice_at_arms", "champion"), {"unit": "cat_non", "origin": "train", "number": 1}]
    seat = Seat(player.client, make_battle(player, "siege", attackers, [KING, house(1, "bow_mice")]))
    assert seat.lay(vats=["battlement_n"], towers=["tower_nw", "tower_ne"]).status_code == 422
    seat.lay(vats=["battlement_n", "gatehouse"], towers=["tower_nw", "tower_ne"])
    seat.step("stands_at", unit="B2", castle="battlement_n")
    seat.step("begin", roll_A=8, roll_B=3)
    assert "Cheese sauce first" in seat.page("helper/", unit="A2", how="charge", target="B2")
    page = seat.page("helper/", unit="A3", how="bombard", piece="gatehouse")
    assert "The Gatehouse after this shot" in page
    seat.step("fight", unit="A3", how="bombard", piece="gatehouse", faces="10 1")
    seat.step("dice", fight="A3", faces="1")
    page = seat.page()
    assert "Gatehouse levelled" in page
    assert "The wall is breached." in page
    assert seat.step("stands_at", unit="A2", castle="courtyard").status_code == 302
    seat.step("put_away", on="yes")
    assert "Paused." in seat.page()


def test_solo_page_says_who_does_what_and_why(player):
    seat = Seat(player.client, make_battle(player))
    seat.lay(solo="B")
    seat.step("begin", roll_A=3, roll_B=8)
    assert "See its turn" in seat.page()
    answer = seat.step("solo", roll=2, enemy_B3="A2", inches_B3="7", sees_B3="on", reach_B3="on", then="solo")
    assert answer["Location"].endswith("/table/opponent/")
    page = seat.page("opponent/")
    assert "The Wizard casts a spell at" in page
    assert "shoots at Oakhold" in page
    assert "Its Wizard uses the power first." in page


def test_solo_turn_is_a_die_then_questions_then_one_tap(player):
    archers, riders = house(1, "bow_mice"), house(2, "rat_riders")
    seat = Seat(player.client, make_battle(player, b=[KING, archers, riders]))
    seat.lay(solo="B")
    seat.step("begin", roll_A=3, roll_B=8)
    assert "A d10 decides what it does." in seat.page("opponent/")
    seat.step("solo_die", roll=2, then="solo")
    page = seat.page("opponent/")  # only the Bow-Mice can shoot, so they are not asked about
    assert "Which of your units is nearest in sight of its Bow-Mice?" in page
    page = seat.page("opponent/", shot_at="none")
    assert "Which of its units is nearest to one of yours?" in page
    page = seat.page("opponent/", shot_at="none", charger="B3")
    assert "None within 8″" in page
    page = seat.page("opponent/", shot_at="none", charger="B3", charged="A2")
    assert "Its Rat Riders charge your" in page
    assert '<svg class="solo-scene"' in page
    fields = dict(re.findall(r'name="([a-z]+_?[A-Z]?\d?)" value="([^"]*)"', page))
    assert fields["enemy_B3"] == "A2"
    answer = seat.step("solo", go="all", **{name: fields[name] for name in fields if name not in ("kind", "key", "go")})
    assert answer.status_code == 302, answer.content.decode()
    tracker = tracker_of(seat)
    assert tracker.unit("B3").acted
    assert not tracker.fights()
    undo(seat)  # the whole turn, but not its die
    assert not tracker_of(seat).unit("B3").acted
    assert "Which of your units is nearest in sight" in seat.page("opponent/")


def test_solo_move_asks_who_can_only_move_and_rolls_off(player):
    seat = Seat(player.client, make_battle(player, b=[KING, house(1, "field_mice")]))
    seat.lay(solo="B")
    seat.step("begin", roll_A=3, roll_B=8)
    seat.step("solo_die", roll=10)
    assert "Which of its units can neither shoot nor charge?" in seat.page("opponent/")
    page = seat.page("opponent/", movers=["B1", "B2"], toward="A1")
    assert re.search(r"Its (King moves|Field Mice move) towards your King", page)
    assert "Mark it as moved" in page


def test_watchers_cannot_change_the_tracker(seat, stranger, player):
    seat.begin()
    other = Seat(stranger.client, seat.battle)
    assert other.get().status_code == 404
    assert other.step("token", unit="A1", token="acted-on").status_code == 404
    assert Entry.objects.filter(log=seat.battle.log_id).count() == 2


@pytest.mark.parametrize(
    ("fields", "status", "sentence"),
    [
        ({"kind": "token", "unit": "Z9", "token": "acted-on"}, 422, "no unit"),
        ({"kind": "nonsense"}, 422, "There is no step"),
        ({"kind": "losses", "unit": "B3", "models": "nine"}, 422, "whole number"),
        ({"kind": "dice", "fight": "A1", "faces": "3"}, 409, "This fight is over"),
        ({"kind": "fight", "unit": "A1", "how": "shoot", "target": "B1"}, 422, "no shooting attack"),
        ({"kind": "laid"}, 422, "“sides” is missing"),
        ({"kind": "crossings", "held_A": "1"}, 422, "no crossings"),
    ],
)
def test_bad_steps_are_refused_with_a_sentence(seat, fields, status, sentence):
    seat.begin()
    before = tracker_of(seat).cells
    answer = seat.step(**fields)
    assert answer.status_code == status
    assert sentence in answer.content.decode()
    assert tracker_of(seat).cells == before


def test_tracker_of_a_finished_battle_cannot_change(seat):
    seat.begin()
    Battle.objects.filter(pk=seat.battle.pk).update(stage=Battle.Stage.CONFIRMED)
    assert seat.step("token", unit="A1", token="acted-on").status_code == 409
    assert seat.get().status_code == 200


# --- figures -------------------------------------------------------------------------------------------------------


def queries(act) -> int:
    with CaptureQueriesContext(
        connection,
    ) as seen:
        act()
    # Begin, commit and savepoints are no look-ups.
    return sum(not row["sql"].startswith(("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE")) for row in seen)


@pytest.mark.parametrize("number", [1, 10])
def test_reads_take_five_queries_and_a_step_ten_for_two_units_and_for_twenty(player, number):
    units = [house(at, "field_mice") for at in range(1, number + 1)]
    seat = Seat(player.client, make_battle(player, a=units, b=units))
    seat.begin()
    seat.get()
    assert queries(seat.get) <= 5
    assert queries(lambda: seat.get("board/")) <= 5
    assert queries(lambda: seat.get("units/A1/")) <= 5
    assert queries(lambda: seat.get("helper/", unit="A1", how="charge", target="B1")) <= 5
    assert queries(lambda: seat.step("token", unit="A1", token="acted-on")) <= 10
    assert queries(lambda: seat.step("fight", unit="B1", how="charge", target="A1")) <= 10
    drawn = {"kind": "losses", "unit": "A1", "models": 3, "key": "from-the-outbox"}
    assert queries(lambda: seat.client.post(f"{seat.address}step/", drawn, headers={"X-Outbox": "1"})) <= 10


def test_live_part_is_drawn_once_for_all_who_see_it_alike(seat, other_player, monkeypatch):
    seat.battle.people.add(other_player)
    seat.begin()
    drawn = []
    monkeypatch.setattr(
        tracker_views, "tracker_display", lambda *given: drawn.append(given) or display.tracker_display(*given)
    )
    other = Seat(other_player.client, seat.battle)
    pages = [seat.page("board/", own="A"), seat.page("board/", own="A"), other.page("board/", own="A")]
    assert len(drawn) == 1
    keys = [set(re.findall(r'name="key" value="(.{22})', page)) for page in pages]
    assert [len(found) for found in keys] == [1, 1, 1]
    assert len(set.union(*keys)) == 3, "each viewer's forms have a key of their own"
    other.page("board/", own="B")
    assert len(drawn) == 2
    seat.step("token", unit="A1", token="acted-on")
    assert "has acted" in other.page("board/", own="A")


def test_one_battle_is_found_by_those_whom_the_list_shows_it(seat, player, other_player, stranger, master):
    """``get_visible_battle`` asks in two small queries what ``visible_battles`` asks in one."""
    war = a_campaign(master, [player, other_player])
    campaigns = [declare(war, Who.of(player), "k1", "k2.border_1")]
    Campaign.objects.filter(pk=war.pk).update(visibility="public")
    fought = make_battle(master)
    fought.people.add(other_player)
    for battle in (seat.battle, fought, *campaigns):
        for person in (player, other_player, stranger, master):
            who = Who.of(person)
            listed = tracker_services.visible_battles(who).filter(pk=battle.pk).first()
            try:
                found = tracker_services.get_visible_battle(who, battle.code)
            except Http404:
                found = None
            assert (found and found.can_step) == (listed and listed.can_step), (battle, person)


def test_outbox_request_returns_the_board(seat):
    seat.begin()
    sent = {"kind": "token", "unit": "A1", "token": "acted-on", "key": "outbox-tap-1"}
    answer = seat.client.post(f"{seat.address}step/", sent, headers={"X-Outbox": "1"})
    assert 'id="unit-A1"' in answer.content.decode()
    again = seat.client.post(f"{seat.address}step/", sent, headers={"X-Outbox": "1"})
    assert again.status_code == 200
    sent |= {"unit": "A2", "key": "outbox-tap-2", "then": "table"}
    answer = seat.client.post(f"{seat.address}step/", sent, headers={"X-Outbox": "1"})
    assert (answer.status_code, answer["HX-Redirect"]) == (204, seat.address)


def test_stale_losses_are_refused_unless_they_agree(seat):
    seat.begin()
    seen = re.search(r'name="seen_cells" value="([^"]+)"', seat.page("units/B3/"))[1].replace("&quot;", '"')
    seat.step("losses", unit="B3", models=2, seen_cells=seen)
    assert seat.step("losses", unit="B3", models=2, seen_cells=seen).status_code == 302
    late = seat.step("losses", unit="B3", models=3, seen_cells=seen)
    assert (late.status_code, tracker_of(seat).unit("B3").now.models) == (409, 2)
    assert "changed since you looked" in late.content.decode()


def test_log_entries_contain_no_personal_data(seat, player):
    seat.begin()
    seat.step("losses", unit="B3", models=2)
    for body, effects in Entry.objects.filter(log=seat.battle.log_id).values_list("body", "effects"):
        assert player.name not in f"{body}{effects}"


def test_visible_battles_say_who_can_step(seat, player, stranger):
    assert tracker_services.visible_battles(Who.of(player)).get(pk=seat.battle.pk).can_step
    assert not tracker_services.visible_battles(Who.of(stranger)).filter(pk=seat.battle.pk).exists()


def test_tracker_over_the_api(seat):
    seat.begin()
    address = f"/api/v1/battles/{seat.battle.code}/table/"

    def post(part: str, **sent):
        return seat.client.post(f"{address}{part}/", sent, content_type="application/json")

    done = post("steps", key="api-step-0001", kind="losses", body={"unit": "B3", "models": 2})
    assert done.json()["said"] == ["Thistledown’s Bow-Mice: 2 of 4 models."]
    seen = {"A5/flees": True}
    stale = post(
        "steps", key="api-step-0002", kind="token", body={"unit": "A5", "token": "flees", "on": True}, seen=seen
    )
    assert (stale.status_code, stale.json()["fresh"]) == (409, {"A5/flees": None})
    post("steps", key="api-step-0003", kind="fight", body={"unit": "A4", "target": "B5", "how": "shoot"})
    tracker = seat.client.get(address).json()
    assert (tracker["round"], tracker["turn"], tracker["fights"][0]["needed"]) == (
        1,
        "A",
        [3, 3, 3, 2],
    )  # the Ranger shoots at +3
    assert tracker["sides"][1]["units"][2]["models"] == 2
    for junk in ({"unit": 5}, {"units": "all"}, {"units": {"A1": 3}}, {"sides": 1}, {"faces": {"a": 1}, "fight": []}):
        for kind in ("set", "dice", "losses", "fight", "solo", "round_over", "held"):
            answer = post("steps", key="api-junk-0001", kind=kind, body=junk)
            assert (answer.status_code, kind) == (422, kind), junk
            assert answer.json()["field"]
    gone = post("take-back", key="api-step-0004", step=done.json()["entry"])
    assert gone.json()["steps"] == [done.json()["entry"]]
    refused = post("steps", key="api-step-0005", kind="dice", body={"fight": "A4", "faces": [11, 1, 1, 1]})
    assert (refused.status_code, refused.json()["refusal"]) == (422, "The hit roll is 11. A d10 shows 1 to 10.")


def test_bad_body_over_the_api_names_its_field_and_writes_nothing(seat):
    seat.begin()
    entries = Entry.objects.filter(log=seat.battle.log_id).count()
    deep: object = "x"
    for _ in range(12):
        deep = {"a": deep}
    for number, (body, field) in enumerate(
        (
            ({"token": "acted"}, "unit"),
            ({"unit": 7, "token": "acted"}, "unit"),
            ({"unit": "A" * 5000, "token": "acted"}, "unit"),
            ({"unit": "A1", "token": "acted", "colour": "red"}, "colour"),
            ({"unit": deep, "token": "acted"}, "unit"),
        )
    ):
        sent = {"key": f"bad-body-{number:04}", "kind": "token", "body": body}
        answer = seat.client.post(
            f"/api/v1/battles/{seat.battle.code}/table/steps/", sent, content_type="application/json"
        )
        assert answer.status_code == 422
        assert answer.json()["field"] == field
    unknown = seat.client.post(
        f"/api/v1/battles/{seat.battle.code}/table/steps/",
        {"key": "bad-kind-0001", "kind": "surprise", "body": {}},
        content_type="application/json",
    )
    assert (unknown.status_code, unknown.json()["field"]) == (422, "kind")
    assert Entry.objects.filter(log=seat.battle.log_id).count() == entries
