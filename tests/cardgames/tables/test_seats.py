"""Seats: opening a table, sitting down, bots, moving to another phone, and the host's actions."""

from __future__ import annotations

import re
from types import SimpleNamespace

import pytest
from django.test import Client

from cardgames.bots import LEVELS
from cardgames.models import CODE_PATTERN, FORBIDDEN_CODES, Seat, Table, new_code
from cardgames.tables import host_actions, load_from_log
from cardgames.tables.core import acts
from cardgames.tables.seats import seat_and_watch_passes, seat_change_helpers, seating
from log.services import new_key
from people import privacy
from people.models import Pass, Person
from people.passes import services
from people.requester import Who
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
    return client.get(f"/tables/{table.code}/around/").content.decode()


def host_act(client: Client, table: Table, act: str, number: int | None = None, **more: object):
    rest = "run/" if number is None else f"seats/{number}/run/"
    return client.post(f"/tables/{table.code}/{rest}", {"key": new_key(), "act": act, **more})


def seat_act(client: Client, table: Table, number: int, act: str, **more: object):
    return client.post(seat_url(table, number, "own/"), {"key": new_key(), "act": act, **more})


def assert_seat_lost(phone: Client, table: Table, number: int) -> None:
    """The phone hears that the seat is elsewhere, sees none of its cards and cannot act for it."""
    page = phone.get(seat_url(table, number))
    assert (page.status_code, page["Location"]) == (302, f"/tables/{table.code}/")
    assert seat_and_watch_passes.NOT_HERE in phone.get(f"/tables/{table.code}/").content.decode()
    part = phone.get(seat_url(table, number, "part/")).content.decode()
    assert seat_and_watch_passes.NOT_HERE in part
    assert "gcard" not in part
    before = reload(table).log.version
    assert choose(phone, table, number, "whatever").status_code == 409
    assert seat_act(phone, table, number, "bot").status_code == 409
    assert reload(table).log.version == before


def test_codes_have_four_letters_and_spell_nothing(db):
    codes = {new_code() for _ in range(100)}
    assert all(CODE_PATTERN.fullmatch(code) and not FORBIDDEN_CODES.search(code) for code in codes)
    assert {len(code) for code in codes} == {4}
    assert not set("".join(codes)) & set("AEIOULQY01")


def test_host_opens_a_table_and_guests_sit_down_with_just_a_name(master):
    key = new_key()
    answers = [master.client.post("/tables/host/menagerie/", {"key": key}) for _ in range(2)]
    table = Table.objects.get()
    assert {answer["Location"] for answer in answers} == {f"/tables/{table.code}/"}
    guest = Client()
    typed = guest.post("/tables/join/", {"code": f" {table.code.lower()} "})
    assert typed["Location"] == f"/tables/{table.code}/"
    page = guest.get(typed["Location"]).content.decode()
    assert "Your name" in page
    sit(guest, table, 2, "Pim")
    seat = table.seat_set.get(number=2)
    assert seat.person.name == "Pim"
    assert seat.person.keeper == master
    assert table.seat_set.get(number=0).person == master, "the host is seated at once"
    assert re.search(r"Pim\W*</b>\s*<small>\s*you\s*<", overview(guest, table))
    assert re.search(r"Wren\W*</b>\s*<small>\s*you,\s*host", overview(master.client, table))


def test_guest_with_code_and_name_sits_down_at_once(master):
    table = open_sample_table(master)
    guest, key = Client(), new_key()
    assert "Your name" in guest.get("/").content.decode()
    for _ in range(2):
        answer = guest.post("/tables/join/", {"code": table.code, "name": "Pim", "key": key})
        assert answer["Location"] == f"/tables/{table.code}/"
    assert [seat.person.name for seat in table.seat_set.exclude(person=None)] == ["Pim"], "a double tap seats one"
    # The phone remembers the name; whoever has an account is not asked for one.
    assert 'value="Pim"' in guest.get("/tables/").content.decode()
    assert 'name="name"' not in master.client.get("/tables/").content.decode()


def test_guest_with_code_and_name_only_comes_in_where_no_seat_can_be_had(master):
    table = open_sample_table(master)
    refused = Client().post("/tables/join/", {"code": table.code, "name": "Pi\u043c", "key": new_key()})
    assert refused.status_code == 422
    assert 'value="' + table.code in refused.content.decode(), "what was typed is still there"
    for name in ("Pim", "Tam", "Oda", "Bel"):
        Client().post("/tables/join/", {"code": table.code, "name": name, "key": new_key()})
    assert table.seat_set.filter(person=None).count() == 0
    late = Client().post("/tables/join/", {"code": table.code, "name": "Nib", "key": new_key()})
    assert late["Location"] == f"/tables/{table.code}/"
    assert not Person.objects.filter(name="Nib").exists()


def test_lobby_shows_the_code_and_one_button_to_begin(master):
    table = open_sample_table(master)
    page = overview(master.client, table)
    assert page.index('class="table-code"') < page.index('id="around"')
    assert "Begin with" in page
    assert [level.name for level in LEVELS] == ["Easy", "Medium", "Hard"]
    assert all(f"<b>{level.name}</b><span>{level.text}</span>" in page for level in LEVELS)
    guest = Client()
    page = overview(guest, table)
    assert page.index('id="sit"') < page.index('id="seat-0"')
    assert "Begin with" not in page
    sit(guest, table, 0, "Pim")
    assert "Begin with three bots" in overview(master.client, table)
    assert host_act(guest, table, "begin").status_code == 403
    assert host_act(master.client, table, "begin", level="nobody").status_code == 422
    host_act(master.client, table, "begin", level="thinker")
    assert reload(table).state == Table.State.PLAY
    assert [seat.bot for seat in table.seat_set.all()] == ["", "thinker", "thinker", "thinker"]


def test_every_page_of_a_running_table_renders(master):
    for game in ("menagerie", "monarchs"):
        table, phones = begin_sample_game(master, game)
        for path in ("", "around/", "around/part/", "part/", "wall/", "wall/part/"):
            assert Client().get(f"/tables/{table.code}/{path}").status_code == 200, path
        for number, phone in enumerate(phones):
            assert phone.get(f"/tables/{table.code}/")["Location"] == seat_url(table, number)
            assert "<h2>" in phone.get(seat_url(table, number)).content.decode()
            assert phone.get(seat_url(table, number, "part/")).status_code == 200


def test_taken_seat_is_refused_and_repeated_tap_sits_once(master):
    table = open_sample_table(master)
    phone, body = Client(), {"key": new_key(), "seat": 0, "name": "Pim"}
    phone.get(f"/tables/{table.code}/")
    for _ in range(2):
        assert phone.post(f"/tables/{table.code}/sit/", body).status_code == 302
    assert Person.objects.filter(name="Pim").count() == 1
    other = Client().post(f"/tables/{table.code}/sit/", {"key": new_key(), "seat": 0, "name": "Oda"})
    assert (other.status_code, refusal_text(other)) == (409, seating.TAKEN)
    # The same key from another browser is another tap.
    assert Client().post(f"/tables/{table.code}/sit/", body).status_code == 409


def test_only_the_host_starts_the_game_when_every_seat_is_filled(master, stranger):
    table = open_sample_table(master)
    sit(master.client, table, 0)
    assert host_act(stranger.client, table, "start").status_code == 403
    early = host_act(master.client, table, "start")
    assert (early.status_code, "3 seats are still free" in refusal_text(early)) == (422, True)
    host_act(master.client, table, "bot", 1, level="thinker")
    assert host_act(stranger.client, table, "fill").status_code == 403
    host_act(master.client, table, "fill")
    assert [seat.bot for seat in table.seat_set.all()] == ["", "thinker", "greedy", "greedy"]
    assert host_act(master.client, table, "start")["Location"] == f"/tables/{table.code}/"
    assert reload(table).state == Table.State.PLAY
    assert host_act(master.client, table, "start").status_code == 409
    assert master.client.get(f"/tables/{table.code}/")["Location"] == seat_url(table, 0)


def test_newcomer_replaces_a_bot_and_player_hands_seat_to_a_bot_and_back(master):
    table, (phone,) = begin_sample_game(master, people=1)
    newcomer = Client()
    assert "Ask to take over from" in overview(newcomer, table)
    sit(newcomer, table, 1, "Oda")
    say_yes(master.client, table, 1)
    seat = Seat.objects.get(table=table, number=1)
    assert (seat.bot, seat.person.name) == ("", "Oda")
    assert newcomer.get(seat_url(table, 1)).status_code == 200
    seat_act(phone, table, 0, "bot")
    assert Seat.objects.get(table=table, number=0).bot == "greedy"
    page = phone.get(seat_url(table, 0)).content.decode()
    assert "Take the seat back" in page
    assert 'id="choose"' not in page
    seat_act(phone, table, 0, "back")
    assert Seat.objects.get(table=table, number=0).bot == ""


def test_phone_that_has_seen_a_hand_cannot_take_another_seat_mid_game(master):
    table, (phone,) = begin_sample_game(master, people=1)
    form = {"key": new_key(), "seat": 1, "name": "A friend of mine"}
    assert phone.post(f"/tables/{table.code}/sit/", form).status_code == 409
    assert Seat.objects.get(table=table, number=1).bot
    seat_act(phone, table, 0, "leave", sure="yes")
    assert phone.post(f"/tables/{table.code}/sit/", {**form, "key": new_key()}).status_code == 409


def test_transfer_code_moves_the_seat_and_the_old_phone_loses_it(master):
    table, (old, _) = begin_sample_game(master)
    page = old.post(seat_url(table, 0, "link/")).content.decode()
    row = Pass.objects.filter(kind="seat", uses_left=1).latest("pk")
    assert row.token in page
    new = Client()
    asked = new.get(row.get_absolute_url(), follow=True)
    assert "to this phone" in asked.content.decode()
    assert Seat.objects.get(table=table, number=0).token_id != row.pk, "opening a link must not act"
    assert new.post(asked.redirect_chain[-1][0])["Location"] == f"/tables/{table.code}/"
    assert new.get(seat_url(table, 0)).status_code == 200
    assert_seat_lost(old, table, 0)
    assert "has moved to another phone" in overview(Client(), table)
    # The link works once, and the seat does not expire with it.
    assert Client().get(row.get_absolute_url(), follow=True).status_code == 410
    assert Seat.objects.get(table=table, number=0).token.expires_at is None


def test_new_transfer_code_revokes_the_older_one(master):
    table, (old, _) = begin_sample_game(master)
    for _ in range(2):
        old.post(seat_url(table, 0, "link/"))
    first, second = Pass.objects.filter(kind="seat", uses_left=1).order_by("pk")
    assert Client().get(first.get_absolute_url(), follow=True).status_code == 410
    assert Client().get(second.get_absolute_url(), follow=True).status_code == 200


def test_claimed_seat_moves_only_with_the_hosts_approval(master):
    table, (old, other) = begin_sample_game(master)
    new = Client()
    claim = new.post(seat_url(table, 0, "claim/"), {"key": new_key()})
    assert claim.status_code == 302
    assert_seat_lost(new, table, 0)
    assert Client().post(seat_url(table, 0, "claim/"), {"key": new_key()}).status_code == 409
    wanted = Seat.objects.get(table=table, number=0).claim_id
    assert host_act(other, table, "give", 0, claim=wanted).status_code == 403
    assert host_act(master.client, table, "give", 0, claim=wanted + 1).status_code == 409
    assert "Another phone asks for" in overview(master.client, table)
    assert host_act(master.client, table, "give", 0, claim=wanted).status_code == 302
    assert new.get(seat_url(table, 0)).status_code == 200
    assert_seat_lost(old, table, 0)
    assert "has moved to another phone" in overview(other, table)


def test_user_with_an_account_moves_their_own_seat_without_asking(master, player):
    table, other = open_sample_table(master), Client()
    sit(player.client, table, 0, "")
    sit(other, table, 1, "Pim")
    seating.fill_with_bots(table, Who.of(master), acts.FillWithBots(), key=new_key())
    host_actions.start_game(table, Who.of(master), acts.StartGame(), key=new_key())
    assert player.client.get(seat_url(table, 0)).status_code == 200
    tablet = Client()
    tablet.force_login(player.account)
    watched = tablet.get(table.get_absolute_url()).text
    assert "Play on this phone" in watched
    assert tablet.post(seat_url(table, 0, "claim/"), {"key": new_key()})["Location"] == table.get_absolute_url()
    assert tablet.get(seat_url(table, 0)).status_code == 200
    assert_seat_lost(player.client, table, 0)
    assert "has moved to another phone" in overview(other, table)
    # A personal link is not enough: the guest's host can open it too, and would see the hand.
    guest = Seat.objects.get(table=table, number=1).person
    by_link = Client()
    by_link.get(services.issue_link(guest, by=Who.of(master)).get_absolute_url())
    by_link.post("/p/")
    assert "Play on this phone" not in by_link.get(table.get_absolute_url()).text
    by_link.post(seat_url(table, 1, "claim/"), {"key": new_key()})
    assert_seat_lost(by_link, table, 1)
    assert other.get(seat_url(table, 1)).status_code == 200


def test_refused_claim_gives_no_seat(master):
    table, (old, _) = begin_sample_game(master)
    new = Client()
    new.post(seat_url(table, 0, "claim/"), {"key": new_key()})
    host_act(master.client, table, "refuse", 0, claim=Seat.objects.get(table=table, number=0).claim_id)
    assert_seat_lost(new, table, 0)
    assert old.get(seat_url(table, 0)).status_code == 200


def test_host_renames_frees_and_transfers_a_seat(master):
    table, (guest, _) = begin_sample_game(master)
    host_act(master.client, table, "rename", 0, name="Pimpernel")
    assert "Pimpernel" in overview(Client(), table)
    page = master.client.post(seat_url(table, 1, "link/"))
    assert page.status_code == 200
    assert guest.get(seat_url(table, 1, "link/")).status_code == 404
    host_act(master.client, table, "remove", 0)
    seat = Seat.objects.get(table=table, number=0)
    assert (seat.person, seat.bot) == (None, seat_change_helpers.DEFAULT_BOT)
    assert_seat_lost(guest, table, 0)
    assert host_act(master.client, table, "remove", 0).status_code == 409


def test_host_cannot_rename_people_with_an_account(master, player):
    table = open_sample_table(master)
    sit(player.client, table, 0)
    assert host_act(master.client, table, "rename", 0, name="Tom").status_code == 403
    assert Person.objects.get(pk=player.pk).name == "Tam"


def test_paused_table_accepts_no_choice_until_resumed(master):
    table, phones = begin_sample_game(master)
    host_act(master.client, table, "pause")
    seat = reload(table).asked[0]
    if seat < 2:
        answer = choose(phones[seat], table, seat, first_option(table, seat))
        assert (answer.status_code, "paused" in refusal_text(answer)) == (409, True)
    assert "paused" in phones[0].get(seat_url(table, 0)).content.decode()
    host_act(master.client, table, "resume")
    assert not reload(table).paused


def test_called_off_table_is_closed_for_everybody(master):
    table, phones = begin_sample_game(master)
    host_act(master.client, table, "call_off", sure="yes")
    assert reload(table).state == Table.State.CLOSED
    answer = choose(phones[0], table, 0, "mammoth", stamp=0)
    assert answer.status_code == 409
    assert Client().post(f"/tables/{table.code}/sit/", {"key": new_key(), "seat": 2, "name": "X"}).status_code == 409


def test_seats_on_a_shared_phone_are_covered_between_turns(master):
    """For children and dead batteries."""
    table = open_sample_table(master, "monarchs", seats=2)
    phone = Client()
    for number, name in enumerate(("Pim", "Pip")):
        sit(phone, table, number, name)
    host_actions.start_game(table, Who.of(master), acts.StartGame(), key=new_key())
    seat = reload(table).asked[0]
    cover = phone.get(f"/tables/{table.code}/").content.decode()
    assert "Hand the phone to" in cover
    assert "gcard" not in cover
    assert phone.get(seat_url(table, seat))["Location"] == f"/tables/{table.code}/"
    covered = phone.get(seat_url(table, seat, "part/")).content.decode()
    assert "gcard" not in covered
    phone.post(seat_url(table, seat, "show/"))
    assert "gcard" in phone.get(seat_url(table, seat)).content.decode()
    # The other seat on the same phone stays covered.
    assert phone.get(seat_url(table, 1 - seat)).status_code == 302
    seat_act(phone, table, seat, "cover")
    assert phone.get(seat_url(table, seat)).status_code == 302
    phone.post(seat_url(table, seat, "show/"))
    while reload(table).asked == [seat]:
        choose(phone, table, seat, list(load_from_log.load_running_table(reload(table)).question_for(seat).options)[-1])
    assert phone.get(seat_url(table, seat))["Location"] == f"/tables/{table.code}/"
    assert "Hand the phone to" in phone.get(f"/tables/{table.code}/").content.decode()


def test_leaving_frees_the_seat_and_a_forgotten_person_loses_it(master):
    table = open_sample_table(master)
    phone = Client()
    sit(phone, table, 0, "Pim")
    seat_act(phone, table, 0, "leave", sure="yes")
    assert Seat.objects.get(table=table, number=0).is_free
    table, (one, two) = begin_sample_game(master)
    seat_act(one, table, 0, "leave", sure="yes")
    assert Seat.objects.get(table=table, number=0).bot == seat_change_helpers.DEFAULT_BOT
    assert_seat_lost(one, table, 0)
    privacy.forget_person(Seat.objects.get(table=table, number=1).person, by=Who.of(master))
    assert two.get(seat_url(table, 1)).status_code == 302
    assert "Someone" in overview(Client(), table)


@pytest.fixture
def still(monkeypatch):
    """Freezes time so that no rate-limit window ends during the test."""
    monkeypatch.setattr("people.rate_limits.time", SimpleNamespace(time=lambda: 1_800_000_000.0))


def test_guessing_codes_is_rate_limited(master, still):
    open_sample_table(master)
    guesser = Client()
    statuses = [guesser.get(f"/tables/{code}/").status_code for code in ("BBBB", "CCCC", "DDDD") * 10]
    assert set(statuses[:20]) == {404}
    assert statuses[-1] == 429


def test_seated_players_are_not_locked_out_by_guesses(master, still):
    table, (phone, _) = begin_sample_game(master)
    for _ in range(25):
        phone.get("/tables/BBBB/")
    assert phone.get("/tables/BBBB/").status_code == 429
    assert phone.get(seat_url(table, 0)).status_code == 200
