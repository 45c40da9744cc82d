"""Hosts and guests: who may sit where, what asks first, what can be undone, and whom a phone remembers."""

from __future__ import annotations

import datetime as dt

import pytest
from django.test import Client
from django.utils import timezone

from cardgames.engine import edit_deck
from cardgames.games import find_game, house_deck
from cardgames.models import Seat, Table
from cardgames.tables.seats import seat_and_watch_passes, seat_change_helpers, seating
from log.models import Entry
from log.services import new_key
from people.models import LogIn, Person
from tests.cardgames.tables.sample_tables import (
    begin_sample_game,
    choose,
    first_option,
    open_sample_table,
    refusal_text,
    reload,
    say_yes,
    seat_url,
    sit,
)

pytestmark = pytest.mark.django_db


def overview(client: Client, table: Table) -> str:
    return page_text(client, f"/tables/{table.code}/around/")


def page_text(client: Client, url: str) -> str:
    """A page without the marks that keep names apart from the text around them."""
    return client.get(url).text.replace("\u2068", "").replace("\u2069", "")


def run(client: Client, table: Table, act: str, **more: object):
    return client.post(f"/tables/{table.code}/run/", {"key": new_key(), "act": act, **more})


def leave(client: Client, table: Table, number: int, **more: object):
    return client.post(seat_url(table, number, "own/"), {"key": new_key(), "act": "leave", **more})


def restore(client: Client, table: Table, number: int):
    return client.post(seat_url(table, number, "restore/"), {"key": new_key()})


def pass_a_minute(table: Table) -> None:
    """As if everything at this table had happened earlier."""
    earlier = timezone.now() - dt.timedelta(seconds=61)
    Entry.objects.filter(log_id=table.log_id).update(entered_at=earlier)
    Table.objects.filter(pk=table.pk, ended_at__isnull=False).update(ended_at=earlier)


# Calling off and leaving


def test_one_tap_does_not_call_a_running_game_off(master):
    table, phones = begin_sample_game(master)
    asked = run(master.client, table, "call_off")
    assert "Call off the running game?" in asked.text
    assert reload(table).state == Table.State.PLAY
    assert run(phones[0], table, "call_off").status_code == 403
    run(master.client, table, "call_off", sure="yes")
    assert reload(table).state == Table.State.CLOSED


def test_watchers_see_that_the_game_was_called_off(master, client):
    table, _ = begin_sample_game(master)
    part = f"{table.get_absolute_url()}part/"
    assert client.get(part).status_code == 200
    run(master.client, table, "call_off", sure="yes")
    told = client.get(part)
    assert told.status_code == 200
    assert "called off" in told.text.lower()


def test_called_off_game_can_be_continued_for_a_minute(master):
    table, phones = begin_sample_game(master)
    asked = table.asked
    run(master.client, table, "call_off", sure="yes")
    assert "Undo: reopen the table" in overview(master.client, table)
    assert "Undo" not in overview(phones[0], table)
    assert run(phones[0], table, "undo_call_off").status_code == 403
    assert run(master.client, table, "undo_call_off").status_code == 302
    table = reload(table)
    assert (table.state, table.asked, table.ended_at) == (Table.State.PLAY, asked, None)
    if asked[0] < len(phones):
        assert choose(phones[asked[0]], table, asked[0], first_option(table, asked[0])).status_code == 302
    run(master.client, table, "call_off", sure="yes")
    pass_a_minute(table)
    assert "Undo" not in overview(master.client, table)
    late = run(master.client, table, "undo_call_off")
    assert (late.status_code, refusal_text(late)) == (409, seat_change_helpers.UNDO_TOO_LATE)


def test_leaving_asks_first_and_can_be_undone_for_a_minute(master):
    table, (phone, other) = begin_sample_game(master)
    assert "Leave this seat for good?" in leave(phone, table, 0).text
    assert not Seat.objects.get(table=table, number=0).is_free
    leave(phone, table, 0, sure="yes")
    assert Seat.objects.get(table=table, number=0).is_free
    assert "Undo" in overview(phone, table)
    assert "Undo" not in overview(other, table)
    assert restore(other, table, 0).status_code == 403
    assert restore(Client(), table, 0).status_code == 403
    assert restore(phone, table, 0).status_code == 302
    seat = Seat.objects.get(table=table, number=0)
    assert (seat.person.name, seat.bot) == ("Guest 0", "")
    assert phone.get(seat_url(table, 0)).status_code == 200
    leave(phone, table, 0, sure="yes")
    pass_a_minute(table)
    assert restore(phone, table, 0).status_code == 409


def test_host_undoes_that_a_seat_was_freed(master):
    table, (phone, _) = begin_sample_game(master)
    master.client.post(seat_url(table, 0, "run/"), {"key": new_key(), "act": "remove"})
    assert phone.get(seat_url(table, 0)).status_code == 302
    assert "Undo" in overview(master.client, table)
    assert restore(master.client, table, 0).status_code == 302
    assert phone.get(seat_url(table, 0)).status_code == 200


def test_seat_that_was_taken_meanwhile_is_not_given_back(master):
    table, phone, newcomer = open_sample_table(master), Client(), Client()
    sit(phone, table, 0, "Pim")
    leave(phone, table, 0, sure="yes")
    sit(newcomer, table, 0, "Oda")
    assert restore(phone, table, 0).status_code == 409
    assert Seat.objects.get(table=table, number=0).person.name == "Oda"


# A bot's seat


def test_new_browser_sees_a_bots_hand_only_with_the_hosts_approval(master):
    table, (phone,) = begin_sample_game(master, people=1)
    newcomer = Client()
    sit(newcomer, table, 1, "Oda")
    seat = Seat.objects.get(table=table, number=1)
    assert (seat.is_free, seat.bot, seat.claim_person.name) == (True, "random", "Oda")
    assert newcomer.get(seat_url(table, 1)).status_code == 302
    assert "gcard" not in newcomer.get(seat_url(table, 1, "part/")).text
    # The host is asked wherever they look: overview, watching, their own seat.
    for page in (overview(master.client, table), page_text(master.client, f"/tables/{table.code}/part/")):
        assert "Oda asks to take over from" in page
    assert "asks to take over" not in phone.get(seat_url(table, 0, "part/")).text.partition("Table news")[0]
    assert "The host decides" in overview(newcomer, table)
    say_yes(master.client, table, 1)
    assert newcomer.get(seat_url(table, 1)).status_code == 200
    seat.refresh_from_db()
    assert (seat.person.name, seat.person.keeper, seat.bot, seat.claim_id) == ("Oda", master, "", None)


def test_declined_phone_has_seen_no_hand_and_can_ask_for_another_seat(master):
    table, _ = begin_sample_game(master, people=1)
    newcomer = Client()
    sit(newcomer, table, 1, "Oda")
    second = newcomer.post(f"/tables/{table.code}/sit/", {"key": new_key(), "seat": 2})
    assert (second.status_code, "already asked for seat 2" in refusal_text(second)) == (409, True)
    say_yes(master.client, table, 1, act="refuse")
    assert Seat.objects.get(table=table, number=1).is_free
    assert "Ask to take over from" in overview(newcomer, table)
    sit(newcomer, table, 2)
    say_yes(master.client, table, 2)
    assert newcomer.get(seat_url(table, 2)).status_code == 200
    # Now it has seen a hand.
    refused = newcomer.post(f"/tables/{table.code}/sit/", {"key": new_key(), "seat": 1, "name": "Oda's friend"})
    assert (refused.status_code, refusal_text(refused)) == (409, seating.HAS_SEEN_HAND)


def test_friend_on_this_phone_is_offered_only_where_it_is_allowed(master):
    table, phone = open_sample_table(master), Client()
    sit(phone, table, 0, "Pim")
    assert "Add a friend on this phone" in overview(phone, table)
    table, (phone, _) = begin_sample_game(master)
    assert "Add a friend on this phone" not in overview(phone, table)
    assert 'id="sit"' not in overview(phone, table)
    leave(phone, table, 0, sure="yes")
    pass_a_minute(table)
    assert 'id="sit"' not in overview(phone, table)


def test_host_sits_down_in_a_bots_place_without_asking(master):
    table, _ = begin_sample_game(master)
    sit(master.client, table, 2)
    assert master.client.get(seat_url(table, 2)).status_code == 200


# Guests


def test_typed_name_never_becomes_somebody_who_exists(master):
    first, second = Client(), Client()
    for phone in (first, second):
        sit(phone, open_sample_table(master), 0, "Pim")
    assert Person.objects.filter(name="Pim").count() == 2
    # The same phone is the same guest, without typing anything.
    table = open_sample_table(master)
    assert " required" not in overview(first, table).partition('id="sit"')[2].partition("</form>")[0]
    sit(first, table, 1)
    assert Person.objects.filter(name="Pim").count() == 2
    seats = Seat.objects.filter(person__name="Pim").order_by("pk")
    assert [seat.person_id for seat in seats] == [seats[0].person_id, seats[1].person_id, seats[0].person_id]


def test_sitting_down_keeps_the_session_for_requests_under_way(master):
    """A lobby is live: a request with the old cookie must not log the phone out of its new seat."""
    table, phone = open_sample_table(master), Client()
    phone.get(f"/tables/{table.code}/")
    before = phone.cookies["companion_session"].value
    sit(phone, table, 0, "Pim")
    assert phone.cookies["companion_session"].value == before


def test_another_guest_with_a_borrowed_phone_gives_their_own_name(master):
    phone = Client()
    sit(phone, open_sample_table(master), 0, "Pim")
    table = open_sample_table(master)
    assert "Not <bdi>Pim</bdi>?" in overview(phone, table)
    sit(phone, table, 0, "Oda")
    assert Seat.objects.get(table=table, number=0).person.name == "Oda"
    assert Person.objects.get(name="Pim").seats.count() == 1


def test_double_tap_makes_one_guest(master):
    table, phone = open_sample_table(master), Client()
    phone.get(f"/tables/{table.code}/")
    body = {"key": new_key(), "name": "Pim"}
    for _ in range(2):
        assert phone.post(f"/tables/{table.code}/sit/", body)["Location"] == f"/tables/{table.code}/"
    assert Person.objects.filter(name="Pim").count() == 1
    assert Seat.objects.filter(person__name="Pim").count() == 1


def test_guest_without_a_seat_number_gets_the_first_free_seat(master):
    table = open_sample_table(master)
    for name in ("Pim", "Oda", "Tam", "Wren"):
        assert Client().post(f"/tables/{table.code}/sit/", {"key": new_key(), "name": name}).status_code == 302
    assert [seat.person.name for seat in table.seat_set.all()] == ["Pim", "Oda", "Tam", "Wren"]
    late = Client().post(f"/tables/{table.code}/sit/", {"key": new_key(), "name": "Late"})
    assert (late.status_code, refusal_text(late)) == (409, seating.NO_FREE_SEAT)


# Addresses and codes


def test_shared_seat_address_leads_to_the_table(master):
    table, _ = begin_sample_game(master)
    stranger = Client()
    answer = stranger.get(seat_url(table, 0), follow=True)
    assert answer.redirect_chain[-1][0] == f"/tables/{table.code}/"
    assert seat_and_watch_passes.NOT_HERE in answer.text
    assert "Take over from a bot" in answer.text
    lobby = open_sample_table(master)
    assert 'id="sit"' in Client().get(seat_url(lobby, 0), follow=True).text


def test_code_is_read_with_spaces_and_hyphens(master):
    code = open_sample_table(master).code
    for typed in (f"{code[:2]} {code[2:]}".lower(), f" {code[:2]}-{code[2:]} ", ".".join(code)):
        assert Client().post("/tables/join/", {"code": typed})["Location"] == f"/tables/{code}/", typed


# Hosting


def test_guest_hosts_with_just_a_name_where_everybody_may_sign_up(settings):
    settings.SIGN_UP = "open"
    guest = Client()
    assert "Your name" in guest.get("/tables/host/menagerie/").text
    assert guest.post("/tables/host/menagerie/", {"key": new_key()}).status_code == 422
    key = new_key()
    for _ in range(2):
        answer = guest.post("/tables/host/menagerie/", {"key": key, "name": "Pim"})
    table = Table.objects.get()
    assert answer["Location"] == f"/tables/{table.code}/"
    assert (table.host.name, table.host.has_account) == ("Pim", False)
    assert table.seat_set.get(number=0).person == table.host
    assert run(guest, table, "begin", level="random").status_code == 302
    assert guest.get(f"/tables/{table.code}/")["Location"] == seat_url(table, 0)
    # The guest's home leads back to the seat, to a code and to another table.
    home = guest.get("/").text
    assert f'href="/tables/{table.code}/"' in home
    assert 'name="code"' in home
    assert "Host Royal Menagerie" in home


def test_stranger_cannot_host_where_sign_up_takes_an_invitation(master, settings):
    settings.SIGN_UP = "invite"
    stranger = Client()
    assert stranger.get("/tables/host/menagerie/").status_code == 302
    assert stranger.post("/tables/host/menagerie/", {"key": new_key(), "name": "Stoat"}).status_code == 403
    assert not Person.objects.filter(name="Stoat").exists()
    # Whoever was let in by a table's code is no stranger.
    stranger.get(f"/tables/{open_sample_table(master).code}/")
    assert stranger.get("/tables/host/menagerie/").status_code == 200


def test_host_changes_seats_and_rules_until_the_game_begins(master):
    table, phone = open_sample_table(master, "monarchs", seats=2), Client()
    url = f"/tables/{table.code}/rules/"
    sit(phone, table, 1, "Pim")
    assert phone.get(url).status_code == 403
    assert 'value="2" selected' in master.client.get(url).text
    form = {"key": new_key(), "seats": 4, "option_brisk_court": "1", "deck": "house"}
    assert master.client.post(url, form)["Location"] == f"/tables/{table.code}/"
    table = reload(table)
    assert (table.seats, table.seat_set.count(), table.options["brisk_court"]) == (4, 4, True)
    # Free seats go first: Pim keeps a seat, with the phone he has it on.
    master.client.post(url, {"key": new_key(), "seats": 1, "deck": "house"})
    seat = reload(table).seat_set.get()
    assert (seat.number, seat.person.name) == (0, "Pim")
    assert run(master.client, table, "begin").status_code == 302
    assert phone.get(seat_url(table, 0)).status_code == 200
    assert master.client.get(url).status_code == 409


def test_rules_refuse_fewer_seats_than_people(master):
    table = open_sample_table(master, "monarchs", seats=2)
    for number in (0, 1):
        sit(Client(), table, number, f"Guest {number}")
    answer = master.client.post(f"/tables/{table.code}/rules/", {"key": new_key(), "seats": 1, "deck": "house"})
    assert (answer.status_code, "2 people are seated" in answer.text) == (422, True)
    assert reload(table).seats == 2


def test_lobby_warns_about_a_brisk_court_without_cards(master):
    house = house_deck("monarchs")
    rows = {row.id: {"copies": 0} for row in house.group("court") if not row.id.endswith(("usher", "steward"))}
    tiny = edit_deck(find_game("monarchs").schema, house, rows, title="Tiny")
    table = open_sample_table(master, "monarchs", seats=2, deck=tiny, options={"brisk_court": True})
    assert "everybody scores 0" in overview(master.client, table)
    assert "everybody scores 0" not in overview(master.client, open_sample_table(master, "monarchs", seats=2))


def test_cohost_can_do_what_the_host_can(master):
    table, (phone, other) = begin_sample_game(master)
    seat_run = seat_url(table, 0, "run/")
    assert other.post(seat_run, {"key": new_key(), "act": "cohost"}).status_code == 403
    assert master.client.post(seat_run, {"key": new_key(), "act": "cohost"}).status_code == 302
    assert run(phone, table, "pause").status_code == 302
    assert run(other, table, "resume").status_code == 403
    assert run(phone, table, "resume").status_code == 302
    assert "Manage seats" in overview(phone, table)
    master.client.post(seat_run, {"key": new_key(), "act": "no_cohost"})
    assert run(phone, table, "pause").status_code == 403


def test_player_takes_over_when_the_host_is_gone(master):
    table, (phone, _) = begin_sample_game(master)
    take = {"act": "host"}
    assert "Take over as host" not in overview(phone, table)
    refused = phone.post(seat_url(table, 0, "own/"), {"key": new_key(), **take})
    assert (refused.status_code, "still here" in refusal_text(refused)) == (409, True)
    LogIn.objects.filter(person=master).update(last_seen=timezone.now() - dt.timedelta(minutes=13))
    assert "Take over as host" in overview(phone, table)
    assert Client().post(seat_url(table, 0, "own/"), {"key": new_key(), **take}).status_code == 404
    assert phone.post(seat_url(table, 0, "own/"), {"key": new_key(), **take}).status_code == 302
    assert reload(table).host == Seat.objects.get(table=table, number=0).person
    assert run(phone, table, "pause").status_code == 302


def test_host_is_warned_about_a_guest_with_a_known_name(master):
    sit(Client(), open_sample_table(master), 0, "Pim")
    table = open_sample_table(master)
    sit(Client(), table, 0, "pim")
    assert "Are they the same person?" in overview(master.client, table)
    assert "Are they the same person?" not in overview(Client(), table)
