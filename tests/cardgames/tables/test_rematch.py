"""Another game with the same people: one tap of the host, and the phones are on their seats of the next table."""

from __future__ import annotations

import pytest
from django.test import Client

from cardgames import again, hosting, loading, seating, ticking
from cardgames.loading import CHOICE
from cardgames.models import Table
from jobs.models import Due
from log import door
from log.door import new_key
from people.who import Who
from tests.cardgames.tables import begun, choose, first_option, fresh, opened, said, seat_url, sit

pytestmark = pytest.mark.django_db(transaction=True)


def finished(host, *, shared: bool = False, **more):
    """A table that two phones, or two people with one, have played to its end; bots have the rest."""
    table, phones = shared_phone(host, **more) if shared else begun(host, **more)
    live = loading.load(table)
    while live.result is None:
        live.choose(live.awaited[0], next(iter(live.ask_of(live.awaited[0]).options)))
    *rows, last = live.rows

    def write(pen: door.Pen) -> dict:
        for seat, key in rows:
            pen.line(CHOICE, actor=None, body={"seat": seat, "key": key})
        return {}

    door.write(table.log_id, who="test", key=new_key(), body={}, act=write)
    if last[0] >= len(phones):
        ticking.move(Due(ref=str(table.pk), key=new_key()))
    else:
        assert choose(phones[last[0]], table, *last).status_code == 302
    table = fresh(table)
    assert table.state == Table.State.OVER
    return table, phones


def shared_phone(host, **more):
    table, phone = opened(host, seats=2, **more), Client()
    for number in (0, 1):
        sit(phone, table, number, f"Guest {number}")
    hosting.start(table, Who.of(host), key=new_key())
    return fresh(table), [phone, phone]


def call_again(client: Client, table: Table, key: str = ""):
    return client.post(f"/tables/{table.code}/run/", {"act": "again", "key": key or new_key()})


def test_one_tap_and_everybody_sits_at_the_next_table(master) -> None:
    table, phones = finished(master, options={"sum_tie": "nobody"})
    watcher = Client()
    watcher.get(f"/tables/{table.code}/")
    assert b"this phone goes along" in phones[0].get(seat_url(table, 0)).content
    key = new_key()
    client = master.client
    answer = call_again(client, table, key)
    after = Table.objects.get(follows=table)
    assert answer["Location"] == f"/tables/{after.code}/"
    # Sent again, or tapped again, it is the same table.
    assert call_again(client, table, key)["Location"] == call_again(client, table)["Location"] == answer["Location"]
    assert (after.state, after.game, after.options, after.deck) == ("play", table.game, table.options, table.deck)
    assert after.code != table.code
    assert bytes(after.seed) != bytes(table.seed)
    old, new = loading.seats_of(table), loading.seats_of(after)
    assert [(seat.person, seat.bot) for seat in old] == [(seat.person, seat.bot) for seat in new]
    # The finished page sends each phone on; there it has its own seat and no other.
    for number, phone in enumerate(phones):
        assert f'data-go="/tables/{after.code}/"'.encode() in phone.get(seat_url(table, number, "part/")).content
        assert phone.get(f"/tables/{after.code}/").headers["Location"] == seat_url(after, number)
        assert phone.get(seat_url(after, number)).status_code == 200
        assert phone.get(seat_url(after, 1 - number)).status_code == 404
    assert f'data-go="/tables/{after.code}/"'.encode() in watcher.get(f"/tables/{table.code}/part/").content
    assert f'data-go="/tables/{after.code}/wall/"'.encode() in watcher.get(f"/tables/{table.code}/wall/part/").content
    assert watcher.get(seat_url(after, 0)).status_code == 404
    seat = loading.load(fresh(after)).asked[0]
    if seat < len(phones):
        assert choose(phones[seat], after, seat, first_option(after, seat)).status_code == 302


def test_only_the_host_and_only_when_it_is_over(master) -> None:
    table, phones = begun(master)
    answer = call_again(master.client, table)
    assert (answer.status_code, "when this game is over" in said(answer) + answer.content.decode()) == (409, True)
    assert call_again(phones[0], table).status_code == 403
    assert not Table.objects.filter(follows=table).exists()


def test_a_seat_given_away_at_the_next_table_does_not_come_back_with_the_old_phone(master) -> None:
    table, phones = finished(master)
    after = again.again(table, Who.of(master), key=new_key())
    hosting.remove(after, Who.of(master), key=new_key(), number=1)
    newcomer = Client()
    sit(newcomer, fresh(after), 1, "Newcomer")
    answer = phones[1].get(f"/tables/{after.code}/")
    assert answer.status_code == 200
    assert phones[1].get(seat_url(after, 1)).status_code == 404
    assert newcomer.get(seat_url(after, 1)).status_code == 200
    # And the phone that went along keeps to what was dealt to it: no second hand of the same deal.
    assert phones[0].get(f"/tables/{after.code}/").status_code == 302
    seating.set_bot(after, Who.of(master), key=new_key(), number=0, level="random")
    answer = phones[0].post(f"/tables/{after.code}/sit/", {"key": new_key(), "seat": 2, "name": "Second hand"})
    assert answer.status_code == 409


def test_the_end_shows_on_a_shared_phone_whoever_made_the_last_choice(master) -> None:
    """No cover lies over a result: there is nothing to hide any more."""
    table, (phone, *_) = finished(master, game="monarchs", shared=True)
    for number in (0, 1):
        assert b"outcome" in phone.get(seat_url(table, number)).content
        assert b"outcome" in phone.get(seat_url(table, number, "part/")).content
