"""Each request replays the game once, however it is asked. Here no game is kept: a test's transaction never ends."""

from __future__ import annotations

import random
import re

import pytest

from cardgames.engine import RunningTable
from cardgames.tables import choice_services, load_from_log
from cardgames.tables.core.entries import ChoiceMade
from log import services as log_services
from log.services import new_key
from tests.cardgames.tables.sample_tables import begin_sample_game, choose, reload, seat_url

pytestmark = pytest.mark.django_db
OUTBOX = {"headers": {"X-Outbox": "1"}}


@pytest.fixture
def replays(monkeypatch):
    """Counts how often a game is played from its start."""
    count = []
    run = RunningTable._play_from_start

    def counted(self, line):
        count.append(len(line))
        run(self, line)

    monkeypatch.setattr(RunningTable, "_play_from_start", counted)
    return count


@pytest.mark.parametrize("game", ["menagerie", "monarchs"])
def test_one_replay_per_request(master, game, replays):
    table, phones = begin_sample_game(master, game, people=4 if game == "menagerie" else 2)
    seat = reload(table).asked[0]
    phone = phones[seat]
    phone.get(seat_url(table, seat))
    paths = [seat_url(table, seat), seat_url(table, seat, "part/"), f"/api/v1{seat_url(table, seat)}"]
    for path in (*paths, f"/tables/{table.code}/wall/", f"/tables/{table.code}/"):
        replays.clear()
        assert phone.get(path, follow=False).status_code in (200, 302)
        assert len(replays) <= 1, path
    running = load_from_log.load_running_table(reload(table))
    key = next(iter(running.question_for(seat).options))
    replays.clear()
    assert phone.post(seat_url(table, seat, "choose/"), {"pick": key, "stamp": running.stamp}).status_code == 200
    assert len(replays) == 2  # the game to be kept, and the copy in which the selection is played
    replays.clear()
    body = {"key": new_key(), "choice": key, "stamp": running.stamp}
    assert phone.post(seat_url(table, seat, "choose/"), body).status_code == 302
    assert len(replays) == 1


def _shown(answer) -> str:
    """The seat without what differs by request."""
    return re.sub(r'name="key" value="[^"]*"|csrfmiddlewaretoken" value="[^"]*"', "", answer.content.decode())


@pytest.mark.parametrize("game", ["monarchs", "menagerie"])
def test_outbox_shows_a_choice_from_the_replay_that_checked_it(master, game, replays):
    """Each choice is one replay, and shows what a new page would show."""
    table, phones = begin_sample_game(master, game, people=4 if game == "menagerie" else 2)
    sent = "/api/v1" if game == "menagerie" else ""
    rng = random.Random(3)
    running = load_from_log.load_running_table(reload(table))
    for turn in range(25):
        seat = running.unanswered_seats[0]
        key = rng.choice(list(running.question_for(seat).options))
        replays.clear()
        if sent and turn % 2:
            body = {"key": new_key(), "choice": key, "stamp": running.stamp}
            answer = phones[seat].post(f"{sent}{seat_url(table, seat, 'choose/')}", body, "application/json")
            now = phones[seat].get(f"{sent}{seat_url(table, seat)}")
            assert (answer.status_code, answer.json()) == (201, now.json())
        else:
            answer = choose(phones[seat], table, seat, key, stamp=running.stamp, **OUTBOX)
            assert answer.status_code == 200
            assert len(replays) == 1, (turn, seat, key)
            if turn % 5 == 0:
                assert _shown(answer) == _shown(phones[seat].get(seat_url(table, seat, "part/")))
        running = load_from_log.load_running_table(reload(table))


def test_last_choice_of_a_game_is_one_replay(master, replays):
    table, phones = begin_sample_game(master, "monarchs", people=1, seats=1)
    rng, rows = random.Random(5), []
    running = load_from_log.load_running_table(table)
    while running.result is None:
        seat = running.unanswered_seats[0]
        rows.append((seat, rng.choice(list(running.question_for(seat).options))))
        running.choose(*rows[-1])
    writer = log_services.LogWriter(table.log)
    for seat, key in rows[:-1]:
        choice_services.append_entry(writer, ChoiceMade(seat, key), actor=None)
    table.log.save()
    replays.clear()
    answer = choose(phones[0], table, 0, rows[-1][1], stamp=len(rows) - 1, **OUTBOX)
    assert answer.status_code == 200
    assert len(replays) == 1
    kept = reload(table).result.kept
    assert kept["choices"] == len(rows)
    # The steps are those of a game that is played once more, row by row.
    again = load_from_log.load_running_table(table, ())
    bounds = [len(again.table.events)]
    for seat, key in rows:
        again.choose(seat, key)
        bounds.append(len(again.table.events))
    told = [event["n"] for step in kept["steps"] for event in step["events"]]
    assert told == list(range(bounds[-1]))
    assert [step["events"][-1]["n"] + 1 for step in kept["steps"] if step["events"]] == sorted(
        {bound for before, bound in zip([0, *bounds], bounds, strict=False) if bound > before}
    )
