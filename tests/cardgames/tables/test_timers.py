"""The clock at a table, with a clock of the test's own: bots are never quick, and a reaction window tells nobody who was."""

from __future__ import annotations

import datetime as dt

import pytest
from django.test import Client

from cardgames import door, games, hosting, loading, seating, ticking
from cardgames.engine.timing import BOT_PAUSE
from cardgames.models import Seat, Table
from jobs import clock
from jobs.models import Due
from log.door import new_key
from log.models import Log
from people.who import Who
from refusal import Refusal
from tests.cardgames.tables import begun, choose, first_option, fresh, opened, seat_url, sit
from tests.cardgames.toys import SIEGE, STRICT_SIEGE

pytestmark = pytest.mark.django_db

HOLD = 3.0


def later(table: Table, seconds: float) -> dt.datetime:
    return fresh(table).asked_at + dt.timedelta(seconds=seconds)


def test_a_bot_moves_after_its_pause_and_not_before(master):
    table, _ = begun(master, people=0)
    assert clock.tick(later(table, BOT_PAUSE - 0.01)) == 0
    assert loading.rows_of(table) == ()
    assert clock.tick(later(table, BOT_PAUSE)) == 1
    assert len(loading.rows_of(table)) == 1
    # The next pause counts from the new question, and the row for it is there should the server die now.
    assert Due.objects.get(kind=door.BELL).due_at == later(table, BOT_PAUSE)


def test_bots_play_a_whole_game_by_themselves(master):
    table, _ = begun(master, "monarchs", people=0, bots="greedy", options={"brisk_court": True})
    for _ in range(400):
        if fresh(table).state == Table.State.OVER:
            break
        clock.tick(later(table, BOT_PAUSE))
    assert fresh(table).state == Table.State.OVER
    assert not Due.objects.filter(kind=door.BELL).exists()


def test_a_ring_that_is_rung_twice_moves_once(master):
    table, _ = begun(master, people=0)
    due = Due.objects.get(kind=door.BELL)
    ticking.move(due)
    ticking.move(due)
    assert len(loading.rows_of(table)) == 1


def test_while_a_table_is_paused_no_bot_moves(master):
    table, _ = begun(master, people=0)
    hosting.pause(table, Who.of(master), key=new_key(), paused=True)
    assert clock.tick(later(table, 60)) == 0
    hosting.pause(table, Who.of(master), key=new_key(), paused=False)
    assert Due.objects.filter(kind=door.BELL).exists()
    assert clock.tick(later(table, 60)) == 1


def test_a_seat_handed_to_a_bot_in_its_turn_is_played_after_a_pause(master):
    table, phones = begun(master, "monarchs")
    seat = table.asked[0]
    assert not Due.objects.filter(kind=door.BELL).exists()
    phones[seat].post(seat_url(table, seat, "own/"), {"key": new_key(), "act": "bot"})
    due = Due.objects.get(kind=door.BELL).due_at
    assert due >= later(table, BOT_PAUSE)
    clock.tick(due)
    assert len(loading.rows_of(table)) == 1
    refused = choose(phones[seat], table, seat, first_option(table, seat))
    assert refused.status_code == 409


@pytest.fixture
def toys(monkeypatch):
    """Two small games with reaction windows on the shelf."""
    for game, deck in (SIEGE, STRICT_SIEGE):
        monkeypatch.setitem(games.SHELF, game.key, game)
        monkeypatch.setitem(games.GAMES, (game.key, game.version), game)
        monkeypatch.setitem(games.HOUSE, game.key, lambda deck=deck: deck)


def siege(master, game: str = "siege", bots: tuple[int, ...] = (), seed: bytes = b"x") -> tuple[Table, list[Client]]:
    """Three sit down, the first attacks, the two others are asked for a shield."""
    table = opened(master, game, seats=3, seed=seed)
    phones = [Client() for _ in range(3)]
    for number, phone in enumerate(phones):
        if number in bots:
            seating.set_bot(table, Who.of(master), key=new_key(), number=number, level="random")
        else:
            sit(phone, table, number, f"Guest {number}")
    hosting.start(table, Who.of(master), key=new_key())
    answer(table, phones, 0, "attack")
    return fresh(table), phones


def answer(table: Table, phones: list[Client], seat: int, choice: str):
    row = Seat.objects.select_related("token").get(table=table, number=seat)
    stamp = loading.load(fresh(table)).stamp
    return door.choose(fresh(table), row, row.token, key=new_key(), choice=choice, stamp=stamp)


def public(table: Table) -> tuple:
    """Everything that shows without a seat: the version on the stream, and what the wall sees."""
    live = loading.load(fresh(table))
    return Log.objects.get(pk=table.log_id).version, fresh(table).asked, live.sheet(None, ["a", "b", "c"])


def test_answers_in_a_window_raise_no_version_until_the_hold_is_over(master, toys):
    table, phones = siege(master)
    before = public(table)
    answer(table, phones, 1, "pass")
    assert public(table) == before
    answer(table, phones, 2, "pass")
    assert public(table) == before
    assert clock.tick(later(table, HOLD - 0.01)) == 0
    assert public(table) == before
    assert clock.tick(later(table, HOLD)) == 1
    assert public(table)[0] == before[0] + 1
    assert loading.load(fresh(table)).kind == "attack"


def test_a_sealed_answer_can_be_sent_twice_taken_back_and_given_anew(master, toys):
    table, phones = siege(master)
    row = Seat.objects.select_related("token").get(table=table, number=1)
    stamp, key = loading.load(table).stamp, new_key()
    for _ in range(2):
        door.choose(table, row, row.token, key=key, choice="pass", stamp=stamp)
    with pytest.raises(Refusal):
        answer(table, phones, 1, "pass")
    assert loading.load(table).ask_of(1) is None
    answer(table, phones, 1, "undo")
    assert loading.load(table).ask_of(1) is not None
    answer(table, phones, 1, "pass")
    answer(table, phones, 2, "pass")
    clock.tick(later(table, HOLD))
    rows = loading.rows_of(table)
    assert sorted(rows[1:]) == [(-1, "hold"), (1, "pass"), (2, "pass")]
    # Sent once more after all is over, it is answered as before and written no more.
    door.choose(fresh(table), row, row.token, key=key, choice="pass", stamp=stamp)
    assert loading.rows_of(table) == rows


def test_who_answers_after_the_hold_closes_the_window_with_everybodys_answers(master, toys):
    table, phones = siege(master)
    answer(table, phones, 1, "pass")
    clock.tick(later(table, HOLD))
    assert loading.load(fresh(table)).kind == "defend"
    answer(table, phones, 2, "pass")
    assert loading.load(fresh(table)).kind == "attack"
    assert len(loading.rows_of(table)) == 4


def test_bots_answer_exactly_when_the_hold_is_over_whatever_they_hold(master, toys):
    moments = set()
    for seed in (b"a", b"b", b"c", b"d"):
        table, _ = siege(master, bots=(1, 2), seed=seed)
        due = Due.objects.get(kind=door.BELL, ref=str(table.pk))
        moments.add(round((due.due_at - table.asked_at).total_seconds(), 3))
        clock.tick(later(table, HOLD - 0.01))
        assert loading.load(fresh(table)).kind == "defend"
        clock.tick(later(table, HOLD))
        assert loading.load(fresh(table)).kind == "attack"
    assert moments == {HOLD}


def test_a_window_is_not_prolonged_by_who_sits_down_and_is_put_anew_after_a_pause(master, toys):
    table, _ = siege(master, bots=(1, 2))
    bell = Due.objects.filter(kind=door.BELL, ref=str(table.pk))
    seating.set_bot(table, Who.of(master), key=new_key(), number=1, level="greedy")
    assert bell.get().due_at == later(table, HOLD)
    for paused in (True, False):
        hosting.pause(table, Who.of(master), key=new_key(), paused=paused)
    assert fresh(table).asked_at > table.asked_at
    assert bell.get().due_at == later(table, HOLD)


def test_at_the_deadline_whoever_is_silent_lets_it_go(master, toys):
    table, phones = siege(master, "strict")
    deadline = loading.load(table).window.deadline
    answer(table, phones, 1, "pass")
    clock.tick(later(table, HOLD))
    assert loading.load(fresh(table)).kind == "defend"
    assert clock.tick(later(table, deadline - 0.01)) == 0
    assert clock.tick(later(table, deadline)) == 1
    assert loading.load(fresh(table)).kind == "attack"
    with pytest.raises(Refusal) as late:
        answer(table, phones, 2, "pass")
    assert late.value.status == 409


def test_nobody_can_watch_the_sealed_log(master, toys):
    table, phones = siege(master)
    assert phones[0].get(f"/live/{table.sealed_id}/").status_code == 404
    assert master.client.get(f"/live/{table.sealed_id}/").status_code == 404


def test_the_stream_is_for_those_who_sit_there_or_came_by_the_code(master, stranger):
    """Here 503 is the door standing open: the server of the tests has no stream behind it."""
    table, phones = begun(master)
    stream = f"/live/{table.log_id}/"
    watcher = Client()
    assert [client.get(stream).status_code for client in (watcher, stranger.client)] == [404, 404]
    watcher.get(f"/tables/{table.code}/wall/")
    assert [client.get(stream).status_code for client in (watcher, phones[0], master.client)] == [503] * 3
    # Watching opens no seat, and does not change by which pass a phone with a seat is known.
    assert watcher.get(seat_url(table, 0)).status_code == 404
    before = phones[0].get("/live/token/").json()["who"]
    phones[0].get(f"/tables/{opened(master).code}/")
    assert phones[0].get("/live/token/").json()["who"] == before
