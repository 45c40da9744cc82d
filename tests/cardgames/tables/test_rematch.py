"""Rematches: anybody taps once, and every phone finds its seat at the new table."""

from __future__ import annotations

import pytest
from django.test import Client

from cardgames import job_kinds
from cardgames.models import Table
from cardgames.tables import host_actions, load_from_log, table_creation
from cardgames.tables.choice_services import append_entry
from cardgames.tables.core import acts
from cardgames.tables.core.entries import ChoiceMade
from cardgames.tables.seats import seating
from jobs.models import Due
from log import services as log_services
from log.services import new_key
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

pytestmark = pytest.mark.django_db(transaction=True)


def finished(host, *, shared: bool = False, **more):
    """A finished game of two phones, or of two people on one phone, with bots."""
    table, phones = shared_phone(host, **more) if shared else begin_sample_game(host, **more)
    running = load_from_log.load_running_table(table)
    while running.result is None:
        running.choose(
            running.unanswered_seats[0], next(iter(running.question_for(running.unanswered_seats[0]).options))
        )
    *rows, last = running.rows

    def write(writer: log_services.LogWriter) -> dict:
        for seat, key in rows:
            append_entry(writer, ChoiceMade(seat, key), actor=None)
        return {}

    log_services.write(table.log_id, who="test", key=new_key(), body={}, act=write)
    if last[0] >= len(phones):
        job_kinds.run_due_moves(Due(ref=str(table.pk), key=new_key()))
    else:
        assert choose(phones[last[0]], table, *last).status_code == 302
    table = reload(table)
    assert table.state == Table.State.OVER
    return table, phones


def shared_phone(host, **more):
    table, phone = open_sample_table(host, seats=2, **more), Client()
    for number in (0, 1):
        sit(phone, table, number, f"Guest {number}")
    host_actions.start_game(table, Who.of(host), acts.StartGame(), key=new_key())
    return reload(table), [phone, phone]


def post_rematch(client: Client, table: Table, key: str = ""):
    return client.post(f"/tables/{table.code}/run/", {"act": "again", "key": key or new_key()})


def test_anybody_opens_the_rematch_and_nobody_is_pulled_off_the_scores(master) -> None:
    table, phones = finished(master, options={"sum_tie": "nobody"})
    watcher = Client()
    assert b"Play again" not in watcher.get(f"/tables/{table.code}/").content
    assert b"Play again" in phones[0].get(f"/tables/{table.code}/").content
    key = new_key()
    answer = post_rematch(phones[1], table, key)
    after = Table.objects.get(follows=table)
    assert answer["Location"] == f"/tables/{after.code}/"
    # A repeated tap, and another player's, lead to the same table.
    assert post_rematch(phones[1], table, key)["Location"] == answer["Location"]
    assert post_rematch(phones[0], table)["Location"] == answer["Location"]
    assert (after.state, after.game, after.options, after.deck) == ("lobby", table.game, table.options, table.deck)
    assert (after.code, bytes(after.seed)) != (table.code, bytes(table.seed))
    old, new = load_from_log.seats_of(table), load_from_log.seats_of(after)
    assert [(seat.person, seat.bot) for seat in old] == [(seat.person, seat.bot) for seat in new]
    for client in (phones[0], watcher, master.client):
        part = client.get(f"/tables/{table.code}/part/").text
        assert "data-go" not in part
        assert f'href="/tables/{after.code}/"' in part
    assert "data-go" not in watcher.get(f"/tables/{table.code}/wall/part/").text
    # Whoever opened it can begin, as the host can; each phone takes its own seat when it comes.
    assert "not here yet" in phones[1].get(f"/tables/{after.code}/", follow=True).text
    assert "Guest 1\u2069 wants to play again" in phones[0].get(f"/tables/{table.code}/part/").text
    begin = {"key": new_key(), "act": "begin", "level": "random"}
    assert phones[0].get(f"/tables/{after.code}/").status_code == 200
    assert phones[0].post(f"/tables/{after.code}/run/", begin).status_code == 403
    assert phones[1].post(f"/tables/{after.code}/run/", begin).status_code == 302
    assert f'data-go="/tables/{after.code}/wall/"' in watcher.get(f"/tables/{table.code}/wall/part/").text
    for number, phone in enumerate(phones):
        assert phone.get(f"/tables/{after.code}/").headers["Location"] == seat_url(after, number)
        assert phone.get(seat_url(after, number)).status_code == 200
        assert phone.get(seat_url(after, 1 - number)).status_code == 302
    assert watcher.get(seat_url(after, 0)).status_code == 302
    seat = load_from_log.load_running_table(reload(after)).asked_seats[0]
    if seat < len(phones):
        assert choose(phones[seat], after, seat, first_option(after, seat)).status_code == 302


def test_only_players_start_a_rematch_and_only_after_the_game(master) -> None:
    table, phones = begin_sample_game(master)
    for client in (master.client, phones[0]):
        answer = post_rematch(client, table)
        assert (answer.status_code, "when this game is over" in refusal_text(answer)) == (409, True)
    assert post_rematch(Client(), table).status_code == 403
    assert not Table.objects.filter(follows=table).exists()


def test_old_phone_does_not_regain_a_seat_given_away_in_the_rematch(master) -> None:
    table, phones = finished(master)
    after = table_creation.start_rematch(table, Who.of(master), acts.StartRematch(), key=new_key())
    host_actions.free_seat(after, Who.of(master), acts.FreeSeat(1), key=new_key())
    newcomer = Client()
    sit(newcomer, reload(after), 1, "Newcomer")
    host_actions.start_game(after, Who.of(master), acts.StartGame(), key=new_key())
    answer = phones[1].get(f"/tables/{after.code}/")
    assert answer.status_code == 200
    assert phones[1].get(seat_url(after, 1)).status_code == 302
    assert newcomer.get(seat_url(after, 1)).status_code == 200
    # A phone that joined the rematch cannot see a second hand of the same deal.
    assert phones[0].get(f"/tables/{after.code}/").status_code == 302
    seating.set_bot(after, Who.of(master), acts.SetBot(0, "random"), key=new_key())
    answer = phones[0].post(f"/tables/{after.code}/sit/", {"key": new_key(), "seat": 2, "name": "Second hand"})
    assert answer.status_code == 409


def test_shared_phone_shows_the_end_after_any_last_choice(master) -> None:
    """A result is not covered: there is nothing left to hide."""
    table, (phone, *_) = finished(master, game="monarchs", shared=True)
    for number in (0, 1):
        assert b"finale" in phone.get(seat_url(table, number), follow=True).content
        assert b"data-go" in phone.get(seat_url(table, number, "part/")).content
