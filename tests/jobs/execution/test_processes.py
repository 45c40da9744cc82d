"""Real processes on real databases: whichever is killed, each job is done exactly once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.services import ROOT, Site, slowdown, stop_process

SETTINGS = "tests.jobs.test_app.settings"
# Seconds on an idle machine; see slowdown.
RETURNS_WITHIN = 15
STOPS_WITHIN = 8


class Place:
    """A database on which the races have run, with the tests' job kinds, and another process beside it."""

    def __init__(self, site: Site) -> None:
        self.site = site
        for found in self.race().values():
            assert found["errors"] == []
            assert found["got"] == sorted(found["things"])  # of many threads that want a row, one gets it
        self.hand = subprocess.Popen(
            [sys.executable, "-m", "tests.jobs.execution.other_process"],
            cwd=ROOT,
            env=site.env,
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def tell(self, *words: Any) -> Any:
        self.hand.stdin.write(json.dumps(words) + "\n")
        self.hand.stdin.flush()
        return json.loads(self.hand.stdout.readline())

    def race(self) -> dict[str, Any]:
        words = [sys.executable, "-m", "tests.races", "tests.jobs.job_race"]
        done = subprocess.run(words, cwd=ROOT, env=self.site.env, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def worker(self) -> subprocess.Popen:
        words = [sys.executable, "-m", "celery", "-A", "config", "worker", "--loglevel=WARNING"]
        with (self.site.var.parent / "worker.txt").open("ab") as out:
            return subprocess.Popen(words, cwd=ROOT, env=self.site.env, stdout=out, stderr=out)


class Ask:
    """A job requested by another process, and what became of it."""

    def __init__(self, place: Place, folder: Path, *, to: int) -> None:
        self.place = place
        self.diary, self.hold = folder / f"diary-{to}", folder / f"hold-{to}"
        self.hold.touch()
        words = {"to": to, "pace": 0.05, "diary": str(self.diary), "hold": str(self.hold)}
        self.pk = place.tell("ask", "counts", words)

    def facts(self) -> dict[str, Any]:
        return self.place.tell("facts", self.pk)

    def events(self) -> list[str]:
        return [line.split()[0] for line in self.diary.read_text().splitlines()] if self.diary.exists() else []

    def until(self, event: str, seconds: float = 60) -> float:
        begin = time.monotonic()
        while event not in self.events():
            assert time.monotonic() - begin < seconds, f"no {event} within {seconds} s: {self.events()}, {self.facts()}"
            time.sleep(0.05)
        return time.monotonic() - begin

    def child(self) -> int:
        return int(self.diary.read_text().split()[1])

    def assert_done_once(self) -> None:
        end = time.monotonic() + 5 * slowdown()
        while self.facts()["state"] == "running" and time.monotonic() < end:
            time.sleep(0.05)
        assert self.facts() == {"state": "done", "attempts": 2, "result": {"counted": 40}, "done": 40}
        assert self.events() == ["begin", "begin", "end"]


def gone(pid: int, within: float = 20) -> bool:
    end = time.monotonic() + within
    while time.monotonic() < end:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.02)
    return False


def test_one_process_does_everything_without_settings(make_site, tmp_path):
    """SQLite, no Redis: a killed site restarts and finishes its job; a stopped site returns the job to the queue."""
    place = Place(make_site(start=False, DJANGO_SETTINGS_MODULE=SETTINGS))
    site = place.site.start()
    ask = Ask(place, tmp_path, to=40)
    ask.until("begin")
    site.kill()
    assert gone(ask.child())  # no process is left behind using the processor
    assert ask.facts()["state"] == "running"
    ask.hold.unlink()
    site.start()
    ask.until("end", RETURNS_WITHIN * slowdown())
    ask.assert_done_once()
    ready = json.loads(site.get("/readyz")[1])["checks"]
    assert ready.pop("redis") == "not used"
    assert set(ready.values()) == {"ok"}, ready

    slow = Ask(place, tmp_path, to=9999)
    slow.until("begin")
    limit = STOPS_WITHIN * slowdown()
    assert site.stop() < limit
    assert (slow.facts()["state"], slow.facts()["attempts"]) == ("queued", 0)
    assert gone(slow.child())


@pytest.mark.postgres
@pytest.mark.redis
def test_two_workers_on_redis_and_postgresql(make_site, migrated_postgres_url, redis_url, tmp_path):
    place = Place(
        make_site(start=False, DJANGO_SETTINGS_MODULE=SETTINGS, DATABASE_URL=migrated_postgres_url, REDIS_URL=redis_url)
    )
    workers = [place.worker(), place.worker()]
    try:
        ask = Ask(place, tmp_path, to=40)
        ask.until("begin")
        # Which worker runs it: the fork server's parent is the worker.
        busy = next(worker for worker in workers if worker.pid == parent(parent(ask.child())))
        other = next(worker for worker in workers if worker is not busy)
        busy.kill()
        busy.wait()
        assert gone(ask.child())
        ask.hold.unlink()
        ask.until("end", RETURNS_WITHIN * slowdown())
        ask.assert_done_once()

        # The remaining worker fires the timers.
        note = tmp_path / "note"
        place.tell("wake", "note", str(note))
        end_at = time.monotonic() + 5 * slowdown()
        while not note.exists() and time.monotonic() < end_at:
            time.sleep(0.05)
        assert note.read_text() == f"fired by {other.pid}\n"

        # When stopped, it returns its job to the queue.
        slow = Ask(place, tmp_path, to=9999)
        slow.until("begin")
        limit = STOPS_WITHIN * slowdown()
        at = time.monotonic()
        other.terminate()
        other.wait(limit)
        assert time.monotonic() - at < limit
        assert slow.facts()["state"] == "queued"
        assert gone(slow.child())
    finally:
        for worker in workers:
            stop_process(worker)


def parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])
