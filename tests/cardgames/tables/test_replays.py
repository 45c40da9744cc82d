"""Each request replays the game once, however it is asked."""

from __future__ import annotations

import pytest

from cardgames.engine import RunningTable
from cardgames.tables import load_from_log
from log.services import new_key
from tests.cardgames.tables.sample_tables import begin_sample_game, reload, seat_url

pytestmark = pytest.mark.django_db


@pytest.fixture
def replays(monkeypatch):
    """Counts how often a game is played from its start."""
    count = []
    run = RunningTable._run

    def counted(self, line):
        count.append(len(line))
        run(self, line)

    monkeypatch.setattr(RunningTable, "_run", counted)
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
    assert len(replays) == 1
    replays.clear()
    body = {"key": new_key(), "choice": key, "stamp": running.stamp}
    assert phone.post(seat_url(table, seat, "choose/"), body).status_code == 302
    assert len(replays) == 1
