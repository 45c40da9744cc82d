"""At the table: opening, sitting down, bots, moving a seat to another phone, and what the host may do."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from django.test import Client

from cardgames import hosting, links, loading, seat_acts, seating
from cardgames.models import CODE, NEVER, Seat, Table, new_code
from log.door import new_key
from people import forgetting
from people import links as personal_links
from people.models import Pass, Person
from people.who import Who
from tests.cardgames.tables import begun, choose, first_option, fresh, opened, said, seat_url, sit

pytestmark = pytest.mark.django_db


def around(client: Client, table: Table) -> str:
    return client.get(f"/tables/{table.code}/around/").content.decode()


def run(client: Client, table: Table, act: str, number: int | None = None, **more: object):
    rest = "run/" if number is None else f"seats/{number}/run/"
    return client.post(f"/tables/{table.code}/{rest}", {"key": new_key(), "act": act, **more})


def own(client: Client, table: Table, number: int, act: str):
    return client.post(seat_url(table, number, "own/"), {"key": new_key(), "act": act})


def is_out(phone: Client, table: Table, number: int) -> None:
    """The phone is told that the seat is not on it, sees no card of it and can do nothing with it."""
    page = phone.get(seat_url(table, number))
    assert (page.status_code, page["Location"]) == (302, f"/tables/{table.code}/")
    assert links.NOT_HERE in phone.get(f"/tables/{table.code}/").content.decode()
    part = phone.get(seat_url(table, number, "part/")).content.decode()
    assert links.NOT_HERE in part
    assert "gcard" not in part
    before = fresh(table).log.version
    assert choose(phone, table, number, "whatever").status_code == 409
    assert own(phone, table, number, "bot").status_code == 409
    assert fresh(table).log.version == before


def test_codes_have_four_letters_and_spell_nothing():
    codes = {new_code() for _ in range(500)}
    assert all(CODE.fullmatch(code) and not NEVER.search(code) for code in codes)
    assert not set("".join(codes)) & set("AEIOULQY01")


def test_a_host_opens_a_table_and_guests_sit_down_with_a_name_alone(master):
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
    assert "on this phone" in around(guest, table)
    assert "on this phone" not in around(master.client, table)


def test_a_host_alone_with_an_empty_table_sees_its_code_first(master):
    table = opened(master)
    come, seats = "Come to this table", 'id="around"'
    page = around(master.client, table)
    assert page.index(come) < page.index(seats)
    assert "Begin the game" not in page
    guest = Client()
    page = around(guest, table)
    assert page.index('id="sit"') < page.index('id="seat-0"') < page.index(come)
    sit(guest, table, 0, "Pim")
    page = around(master.client, table)
    assert page.index(come) > page.index(seats)


def test_a_friend_the_host_keeps_is_the_same_friend_next_time(master):
    for _ in range(2):
        table = opened(master)
        sit(Client(), table, 0, "pim")
        sit(Client(), table, 1, "Pim")
    assert Person.objects.filter(name__iexact="pim").count() == 2
    assert len(set(Seat.objects.filter(person__isnull=False).values_list("person", flat=True))) == 2


def test_every_page_of_a_table_in_play_can_be_drawn(master):
    for game in ("menagerie", "monarchs"):
        table, phones = begun(master, game)
        for path in ("", "around/", "around/part/", "part/", "wall/", "wall/part/"):
            assert Client().get(f"/tables/{table.code}/{path}").status_code == 200, path
        for number, phone in enumerate(phones):
            assert phone.get(f"/tables/{table.code}/")["Location"] == seat_url(table, number)
            assert "<h2>" in phone.get(seat_url(table, number)).content.decode()
            assert phone.get(seat_url(table, number, "part/")).status_code == 200


def test_a_taken_seat_is_not_given_twice_and_a_tap_sent_twice_sits_once(master):
    table = opened(master)
    phone, body = Client(), {"key": new_key(), "seat": 0, "name": "Pim"}
    phone.get(f"/tables/{table.code}/")
    for _ in range(2):
        assert phone.post(f"/tables/{table.code}/sit/", body).status_code == 302
    assert Person.objects.filter(name="Pim").count() == 1
    other = Client().post(f"/tables/{table.code}/sit/", {"key": new_key(), "seat": 0, "name": "Oda"})
    assert (other.status_code, said(other)) == (409, seating.TAKEN)
    # The same key from another browser is another tap.
    assert Client().post(f"/tables/{table.code}/sit/", body).status_code == 409


def test_the_game_begins_when_every_seat_is_taken_and_only_the_host_begins_it(master, stranger):
    table = opened(master)
    sit(master.client, table, 0)
    assert run(stranger.client, table, "start").status_code == 403
    early = run(master.client, table, "start")
    assert (early.status_code, "3 seats are still free" in said(early)) == (422, True)
    run(master.client, table, "bot", 1, level="thinker")
    assert run(stranger.client, table, "fill").status_code == 403
    run(master.client, table, "fill")
    assert [seat.bot for seat in table.seat_set.all()] == ["", "thinker", "greedy", "greedy"]
    assert run(master.client, table, "start")["Location"] == f"/tables/{table.code}/"
    assert fresh(table).state == Table.State.PLAY
    assert run(master.client, table, "start").status_code == 409
    assert master.client.get(f"/tables/{table.code}/")["Location"] == seat_url(table, 0)


def test_a_newcomer_takes_over_a_bots_seat_and_a_player_hands_theirs_to_one_and_back(master):
    table, (phone,) = begun(master, people=1)
    newcomer = Client()
    assert "Take over from" in around(newcomer, table)
    sit(newcomer, table, 1, "Oda")
    seat = Seat.objects.get(table=table, number=1)
    assert (seat.bot, seat.person.name) == ("", "Oda")
    assert newcomer.get(seat_url(table, 1)).status_code == 200
    own(phone, table, 0, "bot")
    assert Seat.objects.get(table=table, number=0).bot == "greedy"
    page = phone.get(seat_url(table, 0)).content.decode()
    assert "Take the seat back" in page
    assert 'id="choose"' not in page
    own(phone, table, 0, "back")
    assert Seat.objects.get(table=table, number=0).bot == ""


def test_who_has_seen_one_hand_does_not_sit_down_at_another_in_the_middle_of_a_game(master):
    table, (phone,) = begun(master, people=1)
    form = {"key": new_key(), "seat": 1, "name": "A friend of mine"}
    assert phone.post(f"/tables/{table.code}/sit/", form).status_code == 409
    assert Seat.objects.get(table=table, number=1).bot
    own(phone, table, 0, "leave")
    assert phone.post(f"/tables/{table.code}/sit/", {**form, "key": new_key()}).status_code == 409


def test_a_seat_moves_by_the_code_on_the_old_phone_and_the_old_phone_is_out(master):
    table, (old, _) = begun(master)
    page = old.post(seat_url(table, 0, "link/")).content.decode()
    row = Pass.objects.filter(kind="seat", uses_left=1).latest("pk")
    assert row.token in page
    new = Client()
    asked = new.get(row.get_absolute_url(), follow=True)
    assert "to this phone" in asked.content.decode()
    assert Seat.objects.get(table=table, number=0).token_id != row.pk, "opening a link must not act"
    assert new.post(asked.redirect_chain[-1][0])["Location"] == f"/tables/{table.code}/"
    assert new.get(seat_url(table, 0)).status_code == 200
    is_out(old, table, 0)
    assert "has moved to another phone" in around(Client(), table)
    # The link works once, and the seat it brought does not run out with it.
    assert Client().get(row.get_absolute_url(), follow=True).status_code == 410
    assert Seat.objects.get(table=table, number=0).token.expires_at is None


def test_a_newer_code_for_a_seat_kills_the_older_one(master):
    table, (old, _) = begun(master)
    for _ in range(2):
        old.post(seat_url(table, 0, "link/"))
    first, second = Pass.objects.filter(kind="seat", uses_left=1).order_by("pk")
    assert Client().get(first.get_absolute_url(), follow=True).status_code == 410
    assert Client().get(second.get_absolute_url(), follow=True).status_code == 200


def test_a_seat_moves_with_the_hosts_approval_and_not_without(master):
    table, (old, other) = begun(master)
    new = Client()
    claim = new.post(seat_url(table, 0, "claim/"), {"key": new_key()})
    assert claim.status_code == 302
    is_out(new, table, 0)
    assert Client().post(seat_url(table, 0, "claim/"), {"key": new_key()}).status_code == 409
    wanted = Seat.objects.get(table=table, number=0).claim_id
    assert run(other, table, "give", 0, claim=wanted).status_code == 403
    assert run(master.client, table, "give", 0, claim=wanted + 1).status_code == 409
    assert "Another phone asks for this seat" in around(master.client, table)
    assert run(master.client, table, "give", 0, claim=wanted).status_code == 302
    assert new.get(seat_url(table, 0)).status_code == 200
    is_out(old, table, 0)
    assert "has moved to another phone" in around(other, table)


def test_who_has_an_account_takes_their_own_seat_along_without_asking(master, player):
    table, other = opened(master), Client()
    sit(player.client, table, 0, "")
    sit(other, table, 1, "Pim")
    seating.fill(table, Who.of(master), key=new_key())
    hosting.start(table, Who.of(master), key=new_key())
    assert player.client.get(seat_url(table, 0)).status_code == 200
    tablet = Client()
    tablet.force_login(player.account)
    watched = tablet.get(table.get_absolute_url()).text
    assert "Play on this one" in watched
    assert tablet.post(seat_url(table, 0, "claim/"), {"key": new_key()})["Location"] == table.get_absolute_url()
    assert tablet.get(seat_url(table, 0)).status_code == 200
    is_out(player.client, table, 0)
    assert "has moved to another phone" in around(other, table)
    # By a personal link it is not enough: whoever keeps a guest can open theirs, and would see their hand.
    guest = Seat.objects.get(table=table, number=1).person
    by_link = Client()
    by_link.get(personal_links.issue(guest, by=Who.of(master)).get_absolute_url())
    by_link.post("/p/")
    assert "Play on this one" not in by_link.get(table.get_absolute_url()).text
    by_link.post(seat_url(table, 1, "claim/"), {"key": new_key()})
    is_out(by_link, table, 1)
    assert other.get(seat_url(table, 1)).status_code == 200


def test_a_refused_claim_gives_nothing(master):
    table, (old, _) = begun(master)
    new = Client()
    new.post(seat_url(table, 0, "claim/"), {"key": new_key()})
    run(master.client, table, "refuse", 0, claim=Seat.objects.get(table=table, number=0).claim_id)
    is_out(new, table, 0)
    assert old.get(seat_url(table, 0)).status_code == 200


def test_the_host_renames_frees_and_re_issues_a_seat(master):
    table, (guest, _) = begun(master)
    run(master.client, table, "rename", 0, name="Pimpernel")
    assert "Pimpernel" in around(Client(), table)
    page = master.client.post(seat_url(table, 1, "link/"))
    assert page.status_code == 200
    assert guest.get(seat_url(table, 1, "link/")).status_code == 404
    run(master.client, table, "remove", 0)
    seat = Seat.objects.get(table=table, number=0)
    assert (seat.person, seat.bot) == (None, seat_acts.DEFAULT_BOT)
    is_out(guest, table, 0)
    assert run(master.client, table, "remove", 0).status_code == 409


def test_people_with_an_account_name_themselves(master, player):
    table = opened(master)
    sit(player.client, table, 0)
    assert run(master.client, table, "rename", 0, name="Tom").status_code == 403
    assert Person.objects.get(pk=player.pk).name == "Tam"


def test_a_paused_table_takes_no_choice_until_it_goes_on(master):
    table, phones = begun(master)
    run(master.client, table, "pause")
    seat = fresh(table).asked[0]
    if seat < 2:
        answer = choose(phones[seat], table, seat, first_option(table, seat))
        assert (answer.status_code, "paused" in said(answer)) == (409, True)
    assert "paused" in phones[0].get(seat_url(table, 0)).content.decode()
    run(master.client, table, "resume")
    assert not fresh(table).paused


def test_a_table_called_off_is_closed_for_all(master):
    table, phones = begun(master)
    run(master.client, table, "call_off")
    assert fresh(table).state == Table.State.CLOSED
    answer = choose(phones[0], table, 0, "mammoth", stamp=0)
    assert answer.status_code == 409
    assert Client().post(f"/tables/{table.code}/sit/", {"key": new_key(), "seat": 2, "name": "X"}).status_code == 409


def test_several_seats_on_one_phone_are_covered_between_turns(master):
    """For children and dead batteries."""
    table = opened(master, "monarchs", seats=2)
    phone = Client()
    for number, name in enumerate(("Pim", "Pip")):
        sit(phone, table, number, name)
    hosting.start(table, Who.of(master), key=new_key())
    seat = fresh(table).asked[0]
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
    own(phone, table, seat, "cover")
    assert phone.get(seat_url(table, seat)).status_code == 302
    phone.post(seat_url(table, seat, "show/"))
    while fresh(table).asked == [seat]:
        choose(phone, table, seat, list(loading.load(fresh(table)).ask_of(seat).options)[-1])
    assert phone.get(seat_url(table, seat))["Location"] == f"/tables/{table.code}/"
    assert "Hand the phone to" in phone.get(f"/tables/{table.code}/").content.decode()


def test_who_stands_up_frees_the_seat_and_who_is_forgotten_loses_it(master):
    table = opened(master)
    phone = Client()
    sit(phone, table, 0, "Pim")
    own(phone, table, 0, "leave")
    assert Seat.objects.get(table=table, number=0).is_free
    table, (one, two) = begun(master)
    own(one, table, 0, "leave")
    assert Seat.objects.get(table=table, number=0).bot == seat_acts.DEFAULT_BOT
    is_out(one, table, 0)
    forgetting.forget(Seat.objects.get(table=table, number=1).person, by=Who.of(master))
    assert two.get(seat_url(table, 1)).status_code == 404
    assert "Someone" in around(Client(), table)


@pytest.fixture
def still(monkeypatch):
    """No window of a limit ends while the test runs."""
    monkeypatch.setattr("people.limits.time", SimpleNamespace(time=lambda: 1_800_000_000.0))


def test_codes_cannot_be_guessed_through(master, still):
    opened(master)
    guesser = Client()
    statuses = [guesser.get(f"/tables/{code}/").status_code for code in ("BBBB", "CCCC", "DDDD") * 10]
    assert set(statuses[:20]) == {404}
    assert statuses[-1] == 429


def test_whoever_sits_at_a_table_is_not_shut_out_by_guesses(master, still):
    table, (phone, _) = begun(master)
    for _ in range(25):
        phone.get("/tables/BBBB/")
    assert phone.get("/tables/BBBB/").status_code == 429
    assert phone.get(seat_url(table, 0)).status_code == 200
