"""Playing over HTTP: choices, undo, bad input, results, replay, and the home page."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.html import escape

from cardgames.drawing import deck_pictures_of
from cardgames.engine import RunningTable, running_table as words
from cardgames.games import house_deck
from cardgames.models import Result, Seat, Table
from cardgames.tables import choice_services, host_actions, load_from_log
from cardgames.tables.core import acts
from jobs.models import Due
from log.models import Entry
from log.services import new_key
from people.models import Pass
from people.requester import Who
from tests.cardgames.tables.sample_tables import (
    begin_sample_game,
    choose,
    first_option,
    open_sample_table,
    refusal_text,
    reload,
    seat_url,
    sit,
)

pytestmark = pytest.mark.django_db


def last_options(running: RunningTable, table: Table) -> None:
    """Everybody takes the last option until the game ends."""
    while running.result is None:
        seat = running.unanswered_seats[0]
        running.choose(seat, list(running.question_for(seat).options)[-1])


def rows(table: Table) -> list:
    return list(Entry.objects.filter(log__in=(table.log_id, table.sealed_id)).values_list("log", "number", "body"))


@pytest.fixture
def two(master):
    """A game of Of Mice and Monarchs between two phones, and whose turn it is."""
    table, phones = begin_sample_game(master, "monarchs", options={"brisk_court": True})
    return table, phones, table.asked[0]


def test_repeated_choice_is_written_once(two):
    table, phones, seat = two
    key, stamp = new_key(), load_from_log.load_running_table(table).stamp
    option = first_option(table, seat)
    for _ in range(3):
        assert choose(phones[seat], table, seat, option, key=key, stamp=stamp).status_code == 302
    assert load_from_log.choice_rows_of(table) == ((seat, option),)
    other = choose(phones[seat], table, seat, "done", key=key, stamp=stamp)
    assert other.status_code == 409
    assert load_from_log.choice_rows_of(table) == ((seat, option),)


def test_purchase_can_be_undone_until_others_have_to_choose(two):
    table, phones, seat = two
    option = first_option(table, seat)
    choose(phones[seat], table, seat, option)
    page = phones[seat].get(seat_url(table, seat)).content.decode()
    assert 'id="undo"' in page
    assert choose(phones[seat], table, seat, "undo").status_code == 302
    assert load_from_log.load_running_table(reload(table)).line == []
    assert 'id="undo"' not in phones[seat].get(seat_url(table, seat)).content.decode()
    refused = choose(phones[seat], table, seat, "undo")
    assert (refused.status_code, refusal_text(refused)) == (409, words.NO_UNDO)


def test_outbox_choice_returns_the_redrawn_seat(two):
    table, phones, seat = two
    answer = choose(phones[seat], table, seat, first_option(table, seat), headers={"X-Outbox": "1"})
    assert answer.status_code == 200
    assert b"<html" not in answer.content
    assert b'class="turnbar' in answer.content


# Bad input: a refusal, nothing written, no hint of a hidden card


def assert_refused(answer, status: int, table: Table, before: list) -> str:
    assert answer.status_code == status
    assert rows(table) == before
    deck = house_deck(table.game)
    text = refusal_text(answer).lower()
    assert not any(str(row.values["name"]).lower() in text for row in deck.rows)
    return refusal_text(answer)


def test_choice_that_is_not_offered_is_refused(two):
    table, phones, seat = two
    before = rows(table)
    for choice in ("buy:front-9", "no-such-key", "", "x" * 5000, "-1", "hold"):
        assert_refused(choose(phones[seat], table, seat, choice), 409, table, before)
    assert_refused(choose(phones[seat], table, seat, "bu\x00y"), 422, table, before)


def test_choice_with_an_old_stamp_is_refused(two):
    table, phones, seat = two
    choose(phones[seat], table, seat, first_option(table, seat), stamp=0)
    before = rows(table)
    assert assert_refused(choose(phones[seat], table, seat, "done", stamp=0), 409, table, before) == words.MOVED_ON
    for stamp in ("", "-1", "x", "9" * 40, "²"):
        body = {"key": new_key(), "choice": "done", "stamp": stamp}
        assert_refused(phones[seat].post(seat_url(table, seat, "choose/"), body), 422, table, before)


def test_choice_for_another_seat_is_refused(two):
    table, phones, seat = two
    before = rows(table)
    # With your own pass: another seat is not found, and your own has nothing to choose.
    assert_refused(choose(phones[1 - seat], table, seat, first_option(table, seat)), 404, table, before)
    sentence = assert_refused(choose(phones[1 - seat], table, 1 - seat, "done"), 409, table, before)
    assert sentence == words.NOT_ASKED


def test_guessed_table_or_seat_is_not_found(two):
    table, phones, seat = two
    before = rows(table)
    assert_refused(phones[seat].get(seat_url(table, 7)), 404, table, before)
    assert_refused(phones[seat].get(seat_url(table, 10**9)), 404, table, before)
    assert_refused(phones[seat].get("/tables/BBBB/seats/0/"), 404, table, before)
    for path in ("/tables/AAAA/", "/tables/BCDFG/", "/tables/bbbb/"):
        assert_refused(phones[seat].get(path), 404, table, before)


def test_lower_case_code_in_the_url_opens_the_table(two):
    table, phones, seat = two
    assert phones[seat].get(f"/tables/{table.code.lower()}/")["Location"] == seat_url(table, seat)


def test_forged_pass_is_refused(two, master):
    table, phones, seat = two
    before = rows(table)
    thief = Client()
    thief.get(f"/tables/{table.code}/")
    session = thief.session
    # Even a session that names the pass of a seat at another table opens nothing here.
    other = open_sample_table(master)
    sit(thief, other, 0, "Stoat")
    session = thief.session
    assert_refused(thief.get(seat_url(table, seat)), 302, table, before)
    assert_refused(choose(thief, table, seat, "done"), 404, table, before)
    assert_refused(thief.get("/i/AAAAAAAAAAAAAAAAAAAAAA/"), 404, table, before)
    # The link of a pass that a phone already holds does not work.
    token = Seat.objects.get(table=table, number=seat).token
    assert_refused(thief.get(token.get_absolute_url(), follow=True), 410, table, before)
    assert session.session_key
    # A revoked pass in a session is ignored.
    Pass.objects.filter(pk=token.pk).update(revoked_at=table.opened_at)
    assert_refused(choose(phones[seat], table, seat, "done"), 409, table, before)
    assert phones[seat].get(seat_url(table, seat))["Location"] == f"/tables/{table.code}/"


def test_only_one_phone_plays_a_seat(two):
    """A choice that was on its way when the seat moved is refused under the lock."""
    table, phones, seat = two
    row = Seat.objects.get(table=table, number=seat)
    token = row.token
    phones[seat].post(seat_url(table, seat, "link/"))
    link = Pass.objects.filter(kind="seat", uses_left=1).latest("pk")
    new = Client()
    new.post(new.get(link.get_absolute_url())["Location"])
    before = rows(table)
    with pytest.raises(choice_services.Refusal) as refused:
        choice_services.submit_choice(
            table, row, token, key=new_key(), choice="done", stamp=load_from_log.load_running_table(table).stamp
        )
    assert (refused.value.status, refused.value.sentence) == (409, choice_services.MOVED_SEAT)
    assert rows(table) == before
    assert choose(new, table, seat, first_option(table, seat)).status_code == 302


def test_invalid_keys_are_refused(two):
    table, phones, seat = two
    before = rows(table)
    for key in ("short", "with space in it", "ü" * 20, "k" * 200):
        assert_refused(choose(phones[seat], table, seat, "done", key=key), 422, table, before)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"seats": "9"}, "seats"),
        ({"seats": "2", "option_tiebreak": "7"}, "option_tiebreak"),
        ({"seats": "2", "key": "x"}, "key"),
    ],
)
def test_invalid_table_settings_are_refused(master, body, field):
    answer = master.client.post("/tables/host/monarchs/", {"key": new_key(), **body})
    assert answer.status_code == 422
    assert not Table.objects.exists()
    assert master.client.get("/tables/host/chess/").status_code == 404


# The end


@pytest.fixture
def finished(master):
    table, phones = begin_sample_game(master, people=4)
    choice_services.write_timer_moves(table, key=new_key(), change=last_options)
    return reload(table), phones, len(load_from_log.choice_rows_of(table))


def test_finished_game_is_saved_with_its_players(finished, master):
    table, phones, count = finished
    assert table.state == Table.State.OVER
    result = Result.objects.get()
    assert (result.table, result.choices, result.deck_title) == (table, count, table.deck_title)
    places = list(result.places.all())
    assert sorted(place.role for place in places) == ["conspirator", "conspirator", "loyalist", "vizier"]
    assert [place.score for place in places] == result.kept["result"]["scores"]
    assert not Due.objects.filter(kind=choice_services.TIMER).exists()
    assert "Watch the replay" in phones[0].get(seat_url(table, 0), follow=True).text
    # Guests see it on the phone they played on; others do not.
    for client in (master.client, phones[0]):
        listed = client.get("/tables/results/").content.decode()
        assert "Royal Menagerie" in listed
        assert "Guest 2" in listed
    assert "Guest 2" not in Client().get("/tables/results/").content.decode()
    assert choose(phones[0], table, 0, "mammoth").status_code == 409


def test_finished_game_can_be_replayed_from_any_seat_and_face_up(finished, stranger):
    table, phones, count = finished
    url = f"/tables/{table.code}/replay/"
    first = phones[0].get(url + "?step=0&seat=1").content.decode()
    assert "You are dealt" in first
    everything = phones[0].get(f"{url}?step={count}&seat=open").content.decode()
    assert f"Step {count}" in everything
    assert phones[0].get(url + "?step=99999&seat=wall").status_code == 200
    assert phones[0].get(url + "?step=-4&seat=0").status_code == 200
    assert phones[0].get(url + "?seat=17").status_code == 404
    Table.objects.update(ended_at=table.opened_at.replace(year=2020))
    assert phones[0].get(url).status_code == 200
    assert stranger.client.get(url).status_code == 404


def test_last_choice_ends_the_game(master):
    table, (phone,) = begin_sample_game(master, "monarchs", people=1, seats=1, options={"brisk_court": True})
    copy = load_from_log.load_running_table(table)
    last_options(copy, table)
    *others, last = copy.line

    def all_but_one(running: RunningTable, table: Table) -> None:
        for seat, key in others:
            running.choose(seat, key)

    choice_services.write_timer_moves(table, key=new_key(), change=all_but_one)
    assert reload(table).state == Table.State.PLAY
    assert choose(phone, table, 0, last[1]).status_code == 302
    assert reload(table).state == Table.State.OVER
    assert "Watch the replay" in phone.get(seat_url(table, 0), follow=True).text


def test_running_game_cannot_be_replayed(two):
    table, phones, seat = two
    assert phones[seat].get(f"/tables/{table.code}/replay/?seat={1 - seat}").status_code == 422


def test_home_page_shows_whose_turn_it_is(master, player):
    table = open_sample_table(master, "monarchs", seats=2)
    sit(master.client, table, 0)
    sit(player.client, table, 1)
    assert "is waiting for players" in master.client.get("/").content.decode()
    host_actions.start_game(table, Who.of(master), acts.StartGame(), key=new_key())
    cast = [master, player]
    seat = reload(table).asked[0]
    assert f"It is your turn at table {table.code}." in cast[seat].client.get("/").content.decode()
    assert f"Waiting for others at table {table.code}." in cast[1 - seat].client.get("/").content.decode()


# The API


def test_api_shows_the_seat_view_and_accepts_a_choice(two):
    table, phones, seat = two
    url = f"/api/v1{seat_url(table, seat)}"
    seen = phones[seat].get(url).json()
    assert seen["ask"]["seat"] == seat
    body = {"key": new_key(), "choice": seen["ask"]["choices"][0]["key"], "stamp": seen["ask"]["stamp"]}
    answer = phones[seat].post(url + "choose/", body, content_type="application/json")
    assert answer.status_code == 201
    assert answer.json()["view"]["version"] == 1
    stale = phones[seat].post(url + "choose/", {**body, "key": new_key()}, content_type="application/json")
    assert (stale.status_code, stale.json()["refusal"]) == (409, words.MOVED_ON)
    assert phones[1 - seat].get(url).status_code == 404
    public = Client().get(f"/api/v1/tables/{table.code}/").json()
    assert public["play"]["ask"] is None
    assert "seed" not in str(public)


def test_query_count_does_not_grow_with_the_game(two, django_assert_max_num_queries):
    table, phones, seat = two
    phones[seat].get(seat_url(table, seat))
    with django_assert_max_num_queries(10):
        assert phones[seat].get(seat_url(table, seat)).status_code == 200
    stamp = load_from_log.load_running_table(reload(table)).stamp
    with django_assert_max_num_queries(32):
        assert choose(phones[seat], table, seat, "done", stamp=stamp).status_code == 302


def test_choice_needs_twelve_queries(master):
    """Who it is, the table, one lock, one replay, four rows written, and the seat as it is then."""
    table, phones = begin_sample_game(master, "menagerie", seed=b"twelve", people=4)
    running = load_from_log.load_running_table(reload(table))
    seat, path = running.asked_seats[0], seat_url(table, running.asked_seats[0], "choose/")
    body = {"key": new_key(), "choice": first_option(table, seat), "stamp": running.stamp}
    with CaptureQueriesContext(connection) as asked:
        answer = phones[seat].post(path, body, headers={"X-Outbox": "1"})
    assert answer.status_code == 200
    assert len([row for row in asked if not row["sql"].startswith(("BEGIN", "SAVEPOINT", "RELEASE"))]) <= 12
    assert answer["X-Live-Version"] == f"{table.log_id}={reload(table).log.version}"
    assert answer.content.count(b'name="stamp"') == phones[seat].get(seat_url(table, seat, "part/")).content.count(
        b'name="stamp"'
    )


def test_admin_does_not_show_choices(two, master):
    table, phones, seat = two
    choose(phones[seat], table, seat, first_option(table, seat))
    master.account.is_superuser = master.account.is_staff = True
    master.account.save()
    entry = Entry.objects.filter(log=table.log_id).latest("number")
    assert master.client.get("/admin/log/log/").status_code == 200
    assert master.client.get(f"/admin/log/entry/{entry.pk}/change/").status_code == 302
    listed = master.client.get("/admin/log/entry/").content.decode()
    assert f"/admin/log/entry/{entry.pk}/" not in listed


def test_second_tap_of_a_double_tap_changes_nothing(master):
    """Two buttons tapped before the page was redrawn: the first counts, the other leaves no refusal on the screen."""
    table, phones = begin_sample_game(master, "monarchs", seed=b"covers")
    seat = table.asked[0]
    stamp = load_from_log.load_running_table(table).stamp
    assert choose(phones[seat], table, seat, first_option(table, seat), stamp=stamp).status_code == 302
    before = load_from_log.choice_rows_of(reload(table))
    answer = choose(phones[seat], table, seat, "done", stamp=stamp, headers={"X-Outbox": "1"})
    assert (answer.status_code, b"Your first tap counted." in answer.content) == (200, True)
    assert load_from_log.choice_rows_of(reload(table)) == before
    # A tap after somebody else's answer is still refused.
    other = choose(phones[1 - seat], table, 1 - seat, "done", stamp=stamp, headers={"X-Outbox": "1"})
    assert other.status_code == 409


@pytest.mark.parametrize(("game", "sign"), [("menagerie", "Komodo Dragon"), ("monarchs", "What the card costs.")])
def test_cards_are_explained_at_the_table(master, game, sign):
    """The page explains the signs and each visible card."""
    table, phones = begin_sample_game(master, game)
    page = phones[0].get(seat_url(table, 0)).content.decode()
    legend = page.partition('id="legend"')[2].partition("</details>")[0]
    assert sign in legend
    running = load_from_log.load_running_table(table)
    pack = deck_pictures_of(running.record.deck)
    hand = running.table.hands[0].cards or running.table.played[0].cards
    for card in hand:
        assert escape(pack.picture(card.key).label) in legend
    others = {card.key for card in running.table.hands[1].cards} - {card.key for card in hand}
    if game == "menagerie":
        assert not any(escape(pack.picture(key).label) in legend for key in others)
