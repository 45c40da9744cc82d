"""Timers with a fake clock: bots take their time, and a reaction window hides who was quick."""

from __future__ import annotations

import datetime as dt

import pytest
from django.test import Client

from cardgames import games, job_kinds
from cardgames.engine.questions import BOT_PAUSE
from cardgames.models import Seat, Table
from cardgames.tables import choice_services, host_actions, load_from_log
from cardgames.tables.core import acts
from cardgames.tables.seats import seating
from jobs import timers as jobs_timers
from jobs.models import Due
from log.models import Log
from log.services import new_key
from people.requester import Who
from refusal import Refusal
from tests.cardgames.engine.toy_games import SIEGE, STRICT_SIEGE
from tests.cardgames.tables.sample_tables import (
    begin_sample_game,
    choose,
    first_option,
    open_sample_table,
    reload,
    seat_url,
    sit,
)

pytestmark = pytest.mark.django_db

HOLD = 3.0


def later(table: Table, seconds: float) -> dt.datetime:
    return reload(table).asked_at + dt.timedelta(seconds=seconds)


def test_bot_moves_only_after_its_thinking_time(master):
    table, _ = begin_sample_game(master, people=0)
    assert jobs_timers.fire_due_timers(later(table, BOT_PAUSE - 0.01)) == 0
    assert load_from_log.choice_rows_of(table) == ()
    assert jobs_timers.fire_due_timers(later(table, BOT_PAUSE)) == 1
    assert len(load_from_log.choice_rows_of(table)) == 1
    # The next thinking time counts from the new question, and its timer is stored in case the server dies.
    assert Due.objects.get(kind=choice_services.TIMER).due_at == later(table, BOT_PAUSE)


def test_bots_play_a_whole_game_by_themselves(master):
    table, _ = begin_sample_game(master, "monarchs", people=0, bots="greedy", options={"brisk_court": True})
    for _ in range(400):
        if reload(table).state == Table.State.OVER:
            break
        jobs_timers.fire_due_timers(later(table, BOT_PAUSE))
    assert reload(table).state == Table.State.OVER
    assert not Due.objects.filter(kind=choice_services.TIMER).exists()


def test_timer_that_fires_twice_moves_once(master):
    table, _ = begin_sample_game(master, people=0)
    due = Due.objects.get(kind=choice_services.TIMER)
    job_kinds.run_due_moves(due)
    job_kinds.run_due_moves(due)
    assert len(load_from_log.choice_rows_of(table)) == 1


def test_no_bot_moves_while_the_game_is_paused(master):
    table, _ = begin_sample_game(master, people=0)
    host_actions.set_paused(table, Who.of(master), acts.SetPaused(True), key=new_key())
    assert jobs_timers.fire_due_timers(later(table, 60)) == 0
    host_actions.set_paused(table, Who.of(master), acts.SetPaused(False), key=new_key())
    assert Due.objects.filter(kind=choice_services.TIMER).exists()
    assert jobs_timers.fire_due_timers(later(table, 60)) == 1


def test_bot_that_takes_over_a_turn_plays_after_its_thinking_time(master):
    table, phones = begin_sample_game(master, "monarchs")
    seat = table.asked[0]
    assert not Due.objects.filter(kind=choice_services.TIMER).exists()
    phones[seat].post(seat_url(table, seat, "own/"), {"key": new_key(), "act": "bot"})
    due = Due.objects.get(kind=choice_services.TIMER).due_at
    assert due >= later(table, BOT_PAUSE)
    jobs_timers.fire_due_timers(due)
    assert len(load_from_log.choice_rows_of(table)) == 1
    refused = choose(phones[seat], table, seat, first_option(table, seat))
    assert refused.status_code == 409


@pytest.fixture
def toys(monkeypatch):
    """Registers two small games with reaction windows."""
    for game, deck in (SIEGE, STRICT_SIEGE):
        monkeypatch.setitem(games.SHELF, game.key, game)
        monkeypatch.setitem(games.GAMES, (game.key, game.version), game)
        monkeypatch.setitem(games.HOUSE, game.key, lambda deck=deck: deck)


def siege(master, game: str = "siege", bots: tuple[int, ...] = (), seed: bytes = b"x") -> tuple[Table, list[Client]]:
    """Three players; the first attacks, and the others may answer with a shield."""
    table = open_sample_table(master, game, seats=3, seed=seed)
    phones = [Client() for _ in range(3)]
    for number, phone in enumerate(phones):
        if number in bots:
            seating.set_bot(table, Who.of(master), acts.SetBot(number, "random"), key=new_key())
        else:
            sit(phone, table, number, f"Guest {number}")
    host_actions.start_game(table, Who.of(master), acts.StartGame(), key=new_key())
    answer(table, phones, 0, "attack")
    return reload(table), phones


def answer(table: Table, phones: list[Client], seat: int, choice: str, replay=None):
    row = Seat.objects.select_related("token").get(table=table, number=seat)
    stamp = load_from_log.load_running_table(reload(table)).stamp
    return choice_services.submit_choice(
        reload(table), row, row.token, key=new_key(), choice=choice, stamp=stamp, replay=replay
    )


@pytest.mark.parametrize("held", [False, True])
def test_answer_in_a_window_is_shown_as_a_new_page_shows_it(master, toys, held):
    table, phones = siege(master)
    if held:  # then the last answer closes the window
        jobs_timers.fire_due_timers(Due.objects.get(kind=choice_services.TIMER).due_at)
    for seat in (1, 2):
        replay = load_from_log.SeatReplay(seat)
        answer(table, phones, seat, "pass", replay)
        running, past = load_from_log.load_for_seat(reload(table), seat, replay)
        fresh, fresh_past = load_from_log.load_for_seat(reload(table), seat)
        assert (running.line, past) == (fresh.line, fresh_past)
        assert running.seat_display(seat, "ABC").as_json() == fresh.seat_display(seat, "ABC").as_json()
        assert running is replay.running or (held and seat == 2)


def public(table: Table) -> tuple:
    """Everything visible without a seat: the version on the stream, and what the TV shows."""
    running = load_from_log.load_running_table(reload(table))
    return Log.objects.get(pk=table.log_id).version, reload(table).asked, running.seat_display(None, ["a", "b", "c"])


def test_answers_in_a_window_do_not_change_the_version_before_the_hold_ends(master, toys):
    table, phones = siege(master)
    before = public(table)
    answer(table, phones, 1, "pass")
    assert public(table) == before
    answer(table, phones, 2, "pass")
    assert public(table) == before
    assert jobs_timers.fire_due_timers(later(table, HOLD - 0.01)) == 0
    assert public(table) == before
    assert jobs_timers.fire_due_timers(later(table, HOLD)) == 1
    assert public(table)[0] == before[0] + 1
    assert load_from_log.load_running_table(reload(table)).kind == "attack"


def test_sealed_answer_can_be_repeated_undone_and_changed(master, toys):
    table, phones = siege(master)
    row = Seat.objects.select_related("token").get(table=table, number=1)
    stamp, key = load_from_log.load_running_table(table).stamp, new_key()
    for _ in range(2):
        choice_services.submit_choice(table, row, row.token, key=key, choice="pass", stamp=stamp)
    with pytest.raises(Refusal):
        answer(table, phones, 1, "pass")
    assert load_from_log.load_running_table(table).question_for(1) is None
    answer(table, phones, 1, "undo")
    assert load_from_log.load_running_table(table).question_for(1) is not None
    answer(table, phones, 1, "pass")
    answer(table, phones, 2, "pass")
    jobs_timers.fire_due_timers(later(table, HOLD))
    rows = load_from_log.choice_rows_of(table)
    assert sorted(rows[1:]) == [(-1, "hold"), (1, "pass"), (2, "pass")]
    # Sent again after the window closed, it gets the same answer and is not written again.
    choice_services.submit_choice(reload(table), row, row.token, key=key, choice="pass", stamp=stamp)
    assert load_from_log.choice_rows_of(table) == rows


def test_last_answer_after_the_hold_closes_the_window_with_all_answers(master, toys):
    table, phones = siege(master)
    answer(table, phones, 1, "pass")
    jobs_timers.fire_due_timers(later(table, HOLD))
    assert load_from_log.load_running_table(reload(table)).kind == "defend"
    answer(table, phones, 2, "pass")
    assert load_from_log.load_running_table(reload(table)).kind == "attack"
    assert len(load_from_log.choice_rows_of(table)) == 4


def test_bots_answer_exactly_when_the_hold_ends(master, toys):
    moments = set()
    for seed in (b"a", b"b", b"c", b"d"):
        table, _ = siege(master, bots=(1, 2), seed=seed)
        due = Due.objects.get(kind=choice_services.TIMER, ref=str(table.pk))
        moments.add(round((due.due_at - table.asked_at).total_seconds(), 3))
        jobs_timers.fire_due_timers(later(table, HOLD - 0.01))
        assert load_from_log.load_running_table(reload(table)).kind == "defend"
        jobs_timers.fire_due_timers(later(table, HOLD))
        assert load_from_log.load_running_table(reload(table)).kind == "attack"
    assert moments == {HOLD}


def test_sitting_down_does_not_extend_a_window_but_a_pause_restarts_it(master, toys):
    table, _ = siege(master, bots=(1, 2))
    bell = Due.objects.filter(kind=choice_services.TIMER, ref=str(table.pk))
    seating.set_bot(table, Who.of(master), acts.SetBot(1, "greedy"), key=new_key())
    assert bell.get().due_at == later(table, HOLD)
    for paused in (True, False):
        host_actions.set_paused(table, Who.of(master), acts.SetPaused(paused), key=new_key())
    assert reload(table).asked_at > table.asked_at
    assert bell.get().due_at == later(table, HOLD)


def test_silent_seats_pass_at_the_deadline(master, toys):
    table, phones = siege(master, "strict")
    deadline = load_from_log.load_running_table(table).window.deadline
    answer(table, phones, 1, "pass")
    jobs_timers.fire_due_timers(later(table, HOLD))
    assert load_from_log.load_running_table(reload(table)).kind == "defend"
    assert jobs_timers.fire_due_timers(later(table, deadline - 0.01)) == 0
    assert jobs_timers.fire_due_timers(later(table, deadline)) == 1
    assert load_from_log.load_running_table(reload(table)).kind == "attack"
    with pytest.raises(Refusal) as late:
        answer(table, phones, 2, "pass")
    assert late.value.status == 409


def test_nobody_can_watch_the_sealed_log(master, toys):
    table, phones = siege(master)
    assert phones[0].get(f"/live/{table.sealed_id}/").status_code == 404
    assert master.client.get(f"/live/{table.sealed_id}/").status_code == 404


def test_stream_is_for_players_and_visitors_with_the_code(master, stranger):
    """A 503 means access is allowed: the test server has no stream."""
    table, phones = begin_sample_game(master)
    stream = f"/live/{table.log_id}/"
    watcher = Client()
    assert [client.get(stream).status_code for client in (watcher, stranger.client)] == [404, 404]
    watcher.get(f"/tables/{table.code}/wall/")
    assert [client.get(stream).status_code for client in (watcher, phones[0], master.client)] == [503] * 3
    # Watching gives no seat, and does not change the pass that identifies a phone with a seat.
    assert watcher.get(seat_url(table, 0)).status_code == 302
    before = phones[0].get("/live/token/").json()["who"]
    phones[0].get(f"/tables/{open_sample_table(master).code}/")
    assert phones[0].get("/live/token/").json()["who"] == before
