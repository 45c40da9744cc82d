"""A game that a process keeps between requests is always the one in the log, and shows each seat its own cards."""

from __future__ import annotations

import random

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from cardgames.engine import UNDO
from cardgames.models import Seat, Table
from cardgames.tables import choice_services, load_from_log
from cardgames.tables.load_from_log import SeatReplay, kept_games
from jobs import timers
from jobs.models import Due
from log.services import new_key
from people.models import Pass
from refusal import Refusal
from tests.cardgames.tables.sample_tables import begin_sample_game, choose, reload, seat_url

pytestmark = pytest.mark.django_db(transaction=True)

NAMES = ["Ann", "Ben", "Cid", "Dot"]


def shown(table: Table, seat: int) -> tuple:
    """What a seat is shown, from a kept game if there is one; the game is put back."""
    now = reload(table)
    running, past = load_from_log.load_for_seat(now, seat)
    display = running.seat_display(seat, NAMES[: table.seats]).as_json()
    load_from_log.keep_game(now, running)
    return running.rows[:], running.stamp, display, past


def shown_anew(table: Table, seat: int) -> tuple:
    now = reload(table)
    rows = load_from_log.choice_rows_of(now)
    _, game = load_from_log.open_game(now, rows)
    display = game.seat_display(seat, NAMES[: table.seats]).as_json()
    return game.rows[:], game.stamp, display, game.past_of(seat, rows, now.asked)


def submit(table: Table, seat: int, choice: str, replay: SeatReplay | None = None) -> None:
    row = Seat.objects.select_related("token").get(table=table, number=seat)
    stamp = load_from_log.load_running_table(reload(table)).stamp
    choice_services.submit_choice(
        reload(table), row, row.token, key=new_key(), choice=choice, stamp=stamp, replay=replay
    )


def queries_of_entries(table: Table, seat: int) -> list[str]:
    with CaptureQueriesContext(connection) as seen:
        shown(table, seat)
    return [row["sql"] for row in seen if 'FROM "log_entry"' in row["sql"]]


@pytest.mark.parametrize(("game", "seats"), [("menagerie", 4), ("moods", 3), ("majesty", 3)])
def test_kept_game_is_what_the_log_says_after_every_choice(master, game, seats):
    """Read by some seats now and then, with choices that are undone."""
    table, _ = begin_sample_game(master, game, people=seats, seats=seats, seed=b"kept")
    rng = random.Random(7)
    undone = 0
    for number in range(40):
        running = load_from_log.load_running_table(reload(table))
        if running.result is not None:
            break
        if not running.unanswered_seats:
            timers.fire_due_timers(Due.objects.get(kind=choice_services.TIMER).due_at)
            continue
        seat = rng.choice(running.unanswered_seats)
        submit(
            table, seat, rng.choice(sorted(running.question_for(seat).options)), rng.choice([None, SeatReplay(seat)])
        )
        after = load_from_log.load_running_table(reload(table))
        if after.can_undo(seat) and undone < 6:
            undone += 1
            submit(table, seat, UNDO)
        for reader in range(seats) if number % 3 else [rng.randrange(seats)]:
            assert shown(table, reader) == shown_anew(table, reader)
    assert undone or game != "menagerie"


def test_next_seat_reads_no_entries_and_a_newer_version_only_the_new_ones(master):
    table, phones = begin_sample_game(master, people=4, seed=b"kept")
    assert len(queries_of_entries(table, 0)) == 1
    assert queries_of_entries(table, 1) == queries_of_entries(table, 2) == []
    game = kept_games.take(reload(table))
    old = game.length
    seat = reload(table).asked[0]
    choose(phones[seat], table, seat, next(iter(game.question_for(seat).options)))
    kept_games.clear()
    kept_games.put(table, game)  # as in another process
    (asked,) = queries_of_entries(table, 1)
    assert f'"number" > {old}' in asked
    assert shown(table, 1) == shown_anew(table, 1)


def test_choice_by_the_api_keeps_its_game_too(master):
    """The phones of the others, who fetch their view of it, need not read it from the beginning."""
    table, phones = begin_sample_game(master, people=4, seed=b"kept")
    seat = reload(table).asked[0]
    sent = {"choice": shown(table, seat)[2]["view"]["ask"]["keys"][0], "stamp": 0, "key": new_key()}
    address = f"/api/v1/tables/{table.code}/seats/{seat}/choose/"
    assert phones[seat].post(address, sent, content_type="application/json").status_code == 201
    assert kept_games.rows_of(reload(table)) is not None
    assert shown(table, 1) == shown_anew(table, 1)


def test_choice_that_is_rolled_back_leaves_no_trace(master):
    table, _ = begin_sample_game(master, people=4, seed=b"kept")
    seat = reload(table).asked[0]
    before = shown(table, seat)
    now = reload(table)
    with transaction.atomic():
        _, game = load_from_log.open_game(now)
        game.choose(seat, next(iter(game.question_for(seat).options)))
        load_from_log.note_written(game, now.log.length + 1)
        load_from_log.keep_game(now, game)
        transaction.set_rollback(True)
    assert kept_games.rows_of(now) is None
    assert shown(table, seat) == before == shown_anew(table, seat)


def test_refused_choice_leaves_no_trace(master):
    table, phones = begin_sample_game(master, people=4, seed=b"kept")
    seat = reload(table).asked[0]
    before = shown(table, seat)
    with pytest.raises(Refusal):
        submit(table, seat, "no such card")
    assert shown(table, seat) == before
    other = (seat + 1) % 4
    assert choose(phones[other], table, other, "1").status_code == 409
    assert shown(table, seat) == before


def test_selecting_changes_no_kept_game(master):
    """What a choice would do is played in another copy of the game."""
    table, phones = begin_sample_game(master, people=4, seed=b"kept")
    seat = reload(table).asked[0]
    before = [shown(table, reader) for reader in range(4)]
    for key in before[seat][2]["view"]["ask"]["keys"]:
        picked = phones[seat].post(seat_url(table, seat, "choose/"), {"pick": key, "stamp": 0}, headers={"x-live": "1"})
        assert picked.status_code == 200
        assert [shown(table, reader) for reader in range(4)] == before


def test_another_table_with_the_same_log_number_is_another_game(master):
    table, _ = begin_sample_game(master, people=4, seed=b"kept")
    shown(table, 0)
    other = reload(table)
    other.seed = b"another deal"
    assert kept_games.take(other) is None
    assert kept_games.take(table) is not None


def test_older_reader_gets_its_version_and_leaves_the_newer_one(master):
    table, phones = begin_sample_game(master, people=4, seed=b"kept")
    old, seat = reload(table), reload(table).asked[0]
    choose(phones[seat], table, seat, next(iter(load_from_log.load_running_table(old).question_for(seat).options)))
    shown(table, 0)
    rows, _ = load_from_log.open_game(old)
    assert rows == ()
    assert len(kept_games.rows_of(reload(table))) == 1


def test_few_games_are_kept(master, monkeypatch):
    monkeypatch.setattr(load_from_log, "MAX_KEPT", 2)
    tables = [begin_sample_game(master, people=4, seed=bytes([n]))[0] for n in range(4)]
    for table in tables:
        shown(table, 0)
    assert [kept_games.take(table) is not None for table in tables] == [False, False, True, True]


def test_requests_of_a_seat_take_few_queries(master, django_assert_num_queries):
    """Session, log-in, passes, and the table with its seats; a choice locks, and writes four rows."""
    table, phones = begin_sample_game(master, people=4, seed=b"kept")
    seat = reload(table).asked[0]
    phone, live = phones[seat], {"x-live": "1"}
    page = seat_url(table, seat)
    phone.get(f"{page}part/", headers=live)
    with django_assert_num_queries(4):
        assert phone.get(f"{page}part/", headers=live).status_code == 200
    _, _, display, _ = shown(table, seat)
    key = display["view"]["ask"]["keys"][0]
    with django_assert_num_queries(4):
        assert phone.post(f"{page}choose/", {"pick": key, "stamp": 0}, headers=live).status_code == 200
    with CaptureQueriesContext(connection) as seen:
        sent = {"choice": key, "stamp": 0, "key": new_key()}
        assert phone.post(f"{page}choose/", sent, headers={"x-outbox": "1", **live}).status_code == 200
    counted = [row["sql"] for row in seen if not row["sql"].startswith(("BEGIN", "COMMIT"))]
    assert len(counted) <= 10, counted
    with django_assert_num_queries(4):
        assert phone.get(f"{page}part/", headers=live).status_code == 200


def test_pass_that_is_revoked_ends_at_the_next_request(master):
    """Although the game is kept."""
    table, phones = begin_sample_game(master, people=4, seed=b"kept")
    seat = reload(table).asked[0]
    page = seat_url(table, seat)
    assert "data-yours" in phones[seat].get(f"{page}part/").content.decode()
    Pass.objects.filter(pk=Seat.objects.get(table=table, number=seat).token_id).update(revoked_at=timezone.now())
    assert "data-yours" not in phones[seat].get(f"{page}part/").content.decode()
    assert choose(phones[seat], table, seat, "1").status_code == 409
