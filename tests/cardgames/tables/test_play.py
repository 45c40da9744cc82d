"""Playing over HTTP: choices, taking back, bad input, results, replay, and what waits on the home page."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils.html import escape

from cardgames import door, hosting, loading
from cardgames.drawing import pack_of
from cardgames.engine import Live
from cardgames.engine import live as words
from cardgames.games import house_deck
from cardgames.models import Result, Seat, Table
from jobs.models import Due
from log.door import new_key
from log.models import Entry
from people.models import Pass
from people.who import Who
from tests.cardgames.tables import begun, choose, first_option, fresh, opened, said, seat_url, sit

pytestmark = pytest.mark.django_db


def last_options(live: Live, table: Table) -> None:
    """Everybody takes the last thing offered, to the end."""
    while live.result is None:
        seat = live.awaited[0]
        live.choose(seat, list(live.ask_of(seat).options)[-1])


def rows(table: Table) -> list:
    return list(Entry.objects.filter(log__in=(table.log_id, table.sealed_id)).values_list("log", "number", "body"))


@pytest.fixture
def two(master):
    """A game of Of Mice and Monarchs between two phones, and whose turn it is."""
    table, phones = begun(master, "monarchs", options={"brisk_court": True})
    return table, phones, table.asked[0]


def test_a_choice_is_written_once_however_often_it_is_sent(two):
    table, phones, seat = two
    key, stamp = new_key(), loading.load(table).stamp
    option = first_option(table, seat)
    for _ in range(3):
        assert choose(phones[seat], table, seat, option, key=key, stamp=stamp).status_code == 302
    assert loading.rows_of(table) == ((seat, option),)
    other = choose(phones[seat], table, seat, "done", key=key, stamp=stamp)
    assert other.status_code == 409
    assert loading.rows_of(table) == ((seat, option),)


def test_what_was_bought_can_be_taken_back_until_others_are_asked(two):
    table, phones, seat = two
    option = first_option(table, seat)
    choose(phones[seat], table, seat, option)
    page = phones[seat].get(seat_url(table, seat)).content.decode()
    assert "Take back your last choice" in page
    assert choose(phones[seat], table, seat, "undo").status_code == 302
    assert loading.load(fresh(table)).line == []
    assert "Take back" not in phones[seat].get(seat_url(table, seat)).content.decode()
    refused = choose(phones[seat], table, seat, "undo")
    assert (refused.status_code, said(refused)) == (409, words.NO_UNDO)


def test_an_outbox_tap_is_answered_with_the_seat_drawn_anew(two):
    table, phones, seat = two
    answer = choose(phones[seat], table, seat, first_option(table, seat), headers={"X-Outbox": "1"})
    assert answer.status_code == 200
    assert b"<html" not in answer.content
    assert b'class="bar"' in answer.content


# Bad input: a sentence, nothing written, no hint of a hidden card


def bad(answer, status: int, table: Table, before: list) -> str:
    assert answer.status_code == status
    assert rows(table) == before
    deck = house_deck(table.game)
    text = said(answer).lower()
    assert not any(str(row.values["name"]).lower() in text for row in deck.rows)
    return said(answer)


def test_a_choice_that_is_not_offered(two):
    table, phones, seat = two
    before = rows(table)
    for choice in ("buy:front-9", "no-such-key", "", "x" * 5000, "bu\x00y", "-1", "hold"):
        bad(choose(phones[seat], table, seat, choice), 409, table, before)


def test_an_old_version(two):
    table, phones, seat = two
    choose(phones[seat], table, seat, first_option(table, seat), stamp=0)
    before = rows(table)
    assert bad(choose(phones[seat], table, seat, "done", stamp=0), 409, table, before) == words.MOVED_ON
    for stamp in ("", "-1", "x", "9" * 40, "²"):
        body = {"key": new_key(), "choice": "done", "stamp": stamp}
        bad(phones[seat].post(seat_url(table, seat, "choose/"), body), 422, table, before)


def test_another_seats_choice(two):
    table, phones, seat = two
    before = rows(table)
    # With one's own pass, for the other's seat: it is not there. For one's own: not asked.
    bad(choose(phones[1 - seat], table, seat, first_option(table, seat)), 404, table, before)
    sentence = bad(choose(phones[1 - seat], table, 1 - seat, "done"), 409, table, before)
    assert sentence == words.NOT_ASKED


def test_a_guessed_table_or_seat(two):
    table, phones, seat = two
    before = rows(table)
    bad(phones[seat].get(seat_url(table, 7)), 404, table, before)
    bad(phones[seat].get(seat_url(table, 10**9)), 404, table, before)
    bad(phones[seat].get("/tables/BBBB/seats/0/"), 404, table, before)
    for path in ("/tables/AAAA/", "/tables/BCDFG/", "/tables/bbbb/"):
        bad(phones[seat].get(path), 404, table, before)


def test_a_code_typed_into_the_address_in_small_letters_leads_to_the_table(two):
    table, phones, seat = two
    assert phones[seat].get(f"/tables/{table.code.lower()}/")["Location"] == seat_url(table, seat)


def test_a_forged_pass(two, master):
    table, phones, seat = two
    before = rows(table)
    thief = Client()
    thief.get(f"/tables/{table.code}/")
    session = thief.session
    # Even a session that names the pass of a seat at another table opens nothing here.
    other = opened(master)
    sit(thief, other, 0, "Stoat")
    session = thief.session
    bad(thief.get(seat_url(table, seat)), 404, table, before)
    bad(choose(thief, table, seat, "done"), 404, table, before)
    bad(thief.get("/i/AAAAAAAAAAAAAAAAAAAAAA/"), 404, table, before)
    # The link of a pass that is in a phone already is no way in.
    token = Seat.objects.get(table=table, number=seat).token
    bad(thief.get(token.get_absolute_url(), follow=True), 410, table, before)
    assert session.session_key
    # A dead pass in a session counts for nothing.
    Pass.objects.filter(pk=token.pk).update(revoked_at=table.opened_at)
    bad(choose(phones[seat], table, seat, "done"), 409, table, before)
    assert phones[seat].get(seat_url(table, seat))["Location"] == f"/tables/{table.code}/"


def test_two_phones_on_one_seat(two):
    """A choice that was under way when the seat moved is refused while the table is held."""
    table, phones, seat = two
    row = Seat.objects.get(table=table, number=seat)
    token = row.token
    phones[seat].post(seat_url(table, seat, "link/"))
    link = Pass.objects.filter(kind="seat", uses_left=1).latest("pk")
    new = Client()
    new.post(new.get(link.get_absolute_url())["Location"])
    before = rows(table)
    with pytest.raises(door.Refusal) as refused:
        door.choose(table, row, token, key=new_key(), choice="done", stamp=loading.load(table).stamp)
    assert (refused.value.status, refused.value.sentence) == (409, door.MOVED_SEAT)
    assert rows(table) == before
    assert choose(new, table, seat, first_option(table, seat)).status_code == 302


def test_keys_that_are_no_keys(two):
    table, phones, seat = two
    before = rows(table)
    for key in ("short", "with space in it", "ü" * 20, "k" * 200):
        bad(choose(phones[seat], table, seat, "done", key=key), 422, table, before)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"seats": "9"}, "seats"),
        ({"seats": "2", "option_tiebreak": "7"}, "option_tiebreak"),
        ({"seats": "2", "key": "x"}, "key"),
    ],
)
def test_a_table_that_no_game_has(master, body, field):
    answer = master.client.post("/tables/host/monarchs/", {"key": new_key(), **body})
    assert answer.status_code == 422
    assert not Table.objects.exists()
    assert master.client.get("/tables/host/chess/").status_code == 404


# The end


@pytest.fixture
def finished(master):
    table, phones = begun(master, people=4)
    door.by_the_clock(table, key=new_key(), change=last_options)
    return fresh(table), phones, len(loading.rows_of(table))


def test_a_finished_game_is_kept_with_its_people(finished, master):
    table, phones, count = finished
    assert table.state == Table.State.OVER
    result = Result.objects.get()
    assert (result.table, result.choices, result.deck_title) == (table, count, table.deck_title)
    places = list(result.places.all())
    assert sorted(place.role for place in places) == ["conspirator", "conspirator", "loyalist", "vizier"]
    assert [place.score for place in places] == result.kept["result"]["scores"]
    assert not Due.objects.filter(kind=door.BELL).exists()
    page = phones[0].get(seat_url(table, 0)).content.decode()
    assert "Watch it again" in page
    # Guests without account find it by the phone they played on; whoever was not there finds nothing.
    for client in (master.client, phones[0]):
        listed = client.get("/tables/results/").content.decode()
        assert "Royal Menagerie" in listed
        assert "Guest 2" in listed
    assert "Guest 2" not in Client().get("/tables/results/").content.decode()
    assert choose(phones[0], table, 0, "mammoth").status_code == 409


def test_a_finished_game_is_watched_again_from_any_seat_and_all_open(finished, stranger):
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


def test_the_last_choice_of_a_phone_ends_the_game(master):
    table, (phone,) = begun(master, "monarchs", people=1, seats=1, options={"brisk_court": True})
    copy = loading.load(table)
    last_options(copy, table)
    *others, last = copy.line

    def all_but_one(live: Live, table: Table) -> None:
        for seat, key in others:
            live.choose(seat, key)

    door.by_the_clock(table, key=new_key(), change=all_but_one)
    assert fresh(table).state == Table.State.PLAY
    assert choose(phone, table, 0, last[1]).status_code == 302
    assert fresh(table).state == Table.State.OVER
    assert "Watch it again" in phone.get(seat_url(table, 0)).content.decode()


def test_a_game_that_is_on_is_not_watched_again(two):
    table, phones, seat = two
    assert phones[seat].get(f"/tables/{table.code}/replay/?seat={1 - seat}").status_code == 422


def test_home_says_whose_turn_it_is(master, player):
    table = opened(master, "monarchs", seats=2)
    sit(master.client, table, 0)
    sit(player.client, table, 1)
    assert "is gathering" in master.client.get("/").content.decode()
    hosting.start(table, Who.of(master), key=new_key())
    cast = [master, player]
    seat = fresh(table).asked[0]
    assert f"It is your turn at table {table.code}." in cast[seat].client.get("/").content.decode()
    assert f"Others choose at table {table.code}." in cast[1 - seat].client.get("/").content.decode()


# The API


def test_the_api_shows_a_seat_its_view_and_takes_its_choice(two):
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


def test_the_queries_of_a_page_and_of_a_choice_do_not_grow_with_the_game(two, django_assert_max_num_queries):
    table, phones, seat = two
    phones[seat].get(seat_url(table, seat))
    with django_assert_max_num_queries(9):
        assert phones[seat].get(seat_url(table, seat)).status_code == 200
    stamp = loading.load(fresh(table)).stamp
    with django_assert_max_num_queries(32):
        assert choose(phones[seat], table, seat, "done", stamp=stamp).status_code == 302


def test_the_owner_of_the_site_does_not_come_upon_choices_in_the_admin(two, master):
    table, phones, seat = two
    choose(phones[seat], table, seat, first_option(table, seat))
    master.account.is_superuser = master.account.is_staff = True
    master.account.save()
    entry = Entry.objects.filter(log=table.log_id).latest("number")
    assert master.client.get("/admin/log/log/").status_code == 200
    assert master.client.get(f"/admin/log/entry/{entry.pk}/change/").status_code == 302
    listed = master.client.get("/admin/log/entry/").content.decode()
    assert f"/admin/log/entry/{entry.pk}/" not in listed


def test_a_second_tap_too_quick_is_told_calmly_and_changes_nothing(master):
    """Two buttons tapped before the page was drawn anew: the first counts. No refusal stays on the screen for the other."""
    table, phones = begun(master, "monarchs", seed=b"covers")
    seat = table.asked[0]
    stamp = loading.load(table).stamp
    assert choose(phones[seat], table, seat, first_option(table, seat), stamp=stamp).status_code == 302
    before = loading.rows_of(fresh(table))
    answer = choose(phones[seat], table, seat, "done", stamp=stamp, headers={"X-Outbox": "1"})
    assert (answer.status_code, b"Your first tap counted." in answer.content) == (200, True)
    assert loading.rows_of(fresh(table)) == before
    # What somebody else has answered since is refused as ever.
    other = choose(phones[1 - seat], table, 1 - seat, "done", stamp=stamp, headers={"X-Outbox": "1"})
    assert other.status_code == 409


@pytest.mark.parametrize(("game", "sign"), [("menagerie", "Komodo Dragon"), ("monarchs", "What the card costs.")])
def test_the_cards_are_explained_at_the_table(master, game, sign):
    """Whoever sees them for the first time need not leave the table: the signs, and each card one can see, in words."""
    table, phones = begun(master, game)
    page = phones[0].get(seat_url(table, 0)).content.decode()
    legend = page.partition('id="legend"')[2].partition("</details>")[0]
    assert sign in legend
    live = loading.load(table)
    pack = pack_of(live.record.deck)
    hand = live.table.hands[0].cards or live.table.played[0].cards
    for card in hand:
        assert escape(pack.picture(card.key).label) in legend
    others = {card.key for card in live.table.hands[1].cards} - {card.key for card in hand}
    if game == "menagerie":
        assert not any(escape(pack.picture(key).label) in legend for key in others)
