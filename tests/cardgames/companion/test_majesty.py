"""Your Majesty with printed cards: the calculators, action slots and the prestige sheet."""

from __future__ import annotations

import pytest
from django.test import Client

from cardgames.games import house_deck
from cardgames.games.majesty import printed_game
from refusal import Refusal
from tests.cardgames.companion.test_companion import guest_of, start_sheet, turn


def test_set_up_page_counts_for_the_number_of_players(client, db):
    page = client.get("/tables/companion/majesty/?seats=4").content.decode()
    assert "take out 6 at random. 18 are left" in page
    assert "2 of politics" in page
    assert "30 are left" in page
    assert client.get("/tables/companion/majesty/?seats=nine&level=x&wealth=-1").status_code == 200


def test_salon_page_says_the_exact_chance(client, db):
    page = client.get("/tables/companion/majesty/?level=3&of_muse=2&others=2&wealth=4&scandals=0").content.decode()
    assert "33 %" in page
    assert "wins on 1, 2," in page
    poor = client.get("/tables/companion/majesty/?level=3&of_muse=2&others=2&wealth=2").content.decode()
    assert "Your wealth seats only 2." in poor


def test_salon_of_an_unknown_level_is_refused():
    with pytest.raises(Refusal, match="level 1, 3 or 5"):
        printed_game.work_out_salon(house_deck("majesty"), level=2, of_muse=1, others=1, wealth=2)


def test_set_up_counts_your_own_box(client, db):
    """YE-24: the totals need not be divisible."""
    page = client.get("/tables/companion/majesty/?seats=3&colonies=22&per_muse=2").content.decode()
    assert "take out 7 at random. 15 are left" in page
    assert "2 of politics" in page
    assert "0 are left" in page


def test_action_slots_refuse_a_repeat_and_a_third():
    """Y30, Y31, Y32, YI-6"""
    taken = printed_game.take_action([], "colony")
    with pytest.raises(Refusal, match="already used this turn"):
        printed_game.take_action(taken, "colony")
    taken = printed_game.take_action(taken, "refill")
    assert taken == ["colony", "refill"]
    with pytest.raises(Refusal, match="Both actions"):
        printed_game.take_action(taken, "salon")
    with pytest.raises(Refusal, match="six types"):
        printed_game.take_action([], "dance")


def test_prestige_sheet_follows_the_rules_of_the_table():
    """Y72, Y91, Y92, YE-17"""
    deck = house_deck("majesty")
    rich = {"ones": 3, "twos": 4, "level1": 1, "level3": 1, "level5": 1, "slaves": 2, "wealth": 9}
    now = printed_game.score_sheet([rich, {"ones": 1, "slaves": 3}], deck)
    assert now.scores == (18, -2)
    assert now.outcome is None
    after = printed_game.score_sheet([rich, {"ones": 1, "slaves": 3}], deck, abolished=True)
    assert (after.scores, after.outcome, after.winners) == ((20, 1), "reached", (0,))
    ended = printed_game.score_sheet([rich, {"ones": 1}], deck, is_over=True, rounds=9)
    assert (ended.outcome, ended.winners) == ("round-limit", (0,))
    poor = printed_game.score_sheet([{"twos": 10}, {"twos": 8, "wealth": 8}], deck, paycheck="wealth")
    assert (poor.scores, poor.winners) == ((0, 16), (1,))
    assert printed_game.score_sheet([{"twos": 10}, {}], deck, paycheck="reform").outcome is None
    assert any(
        "reforms of level 5" in str(warning) for warning in printed_game.score_sheet([{"level5": 6}, {}], deck).warnings
    )


@pytest.mark.django_db(transaction=True)
def test_phones_track_actions_scandals_lingering_events_and_prestige():
    """Y25, Y27, Y73, Y75"""
    phone = Client()
    sheet = start_sheet(phone, "majesty", 3)
    assert "Who starts?" in phone.get(sheet.get_absolute_url()).content.decode()
    turn(phone, sheet, "start", seat=1)
    turn(phone, sheet, "action", what="event")
    where = f"/tables/sheets/{sheet.code}/turn/"
    again = phone.post(where, {"act": "action", "what": "event", "step": sheet.state["step"]})
    assert again.status_code == 409
    assert "already used this turn" in again.content.decode()
    turn(phone, sheet, "lingers", what="ev-sugar-boom", seat=1)
    turn(phone, sheet, "scandal", seat=2)
    turn(phone, sheet, "scandal", seat=2)
    turn(phone, sheet, "erased", seat=2)
    page = phone.get(sheet.get_absolute_url()).content.decode()
    assert "Tam has one action left." in page
    assert "Sugar Boom" in page
    assert "1 scandal;" not in page
    for _ in range(3):
        turn(phone, sheet, "next")
    assert (sheet.state["active"], sheet.state["taken"], sheet.state["lingering"]) == (1, [], [])
    assert "Discard what lingered until now: Sugar Boom." in phone.get(sheet.get_absolute_url()).content.decode()
    figures = {"seat": 0, "s0.twos": 8, "s0.level5": 1, "s0.slaves": 1}
    assert phone.post(f"/tables/sheets/{sheet.code}/scores/", figures).status_code == 302
    other = guest_of(sheet)
    assert "Wren reached 20 prestige and won." in other.get(f"/tables/sheets/{sheet.code}/parts/").content.decode()
    assert phone.post(f"/tables/sheets/{sheet.code}/scores/", {"seat": 0, "s0.twos": 31}).status_code == 422
    assert phone.post(where, {"act": "lingers", "what": "no-card", "step": sheet.state["step"]}).status_code == 422
    assert phone.post(where, {"act": "ends", "step": sheet.state["step"]}).status_code == 422
