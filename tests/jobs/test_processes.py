"""Real workers on real databases: whichever process is killed, each job is done exactly once."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.services import ROOT, Site, slowdown, stop_process

SETTINGS = "tests.jobs.test_app.settings"
# Seconds on an idle machine; see slowdown.
STARTS_WITHIN = 1
RETURNS_WITHIN = 15
STOPS_WITHIN = 8


class Place:
    """A site with the tests' job kinds, and another process beside it."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.hand = subprocess.Popen(
            [sys.executable, "-m", "tests.jobs.other_process"],
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

    def race(self) -> None:
        """Of many threads that want a row, one gets it."""
        words = [sys.executable, "-m", "tests.races", "tests.jobs.job_race"]
        done = subprocess.run(words, cwd=ROOT, env=self.site.env, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        for result in json.loads(done.stdout).values():
            assert result["errors"] == []
            assert result["got"] == sorted(result["things"])

    def worker(self) -> subprocess.Popen:
        words = [sys.executable, "-m", "celery", "-A", "config", "worker", "--loglevel=WARNING", "-n", f"{time.time()}"]
        with (self.site.var.parent / "worker.txt").open("ab") as out:
            return subprocess.Popen(words, cwd=ROOT, env=self.site.env, stdout=out, stderr=out)

    def ask(self, kind: str, **args: Any) -> AskedJob:
        return AskedJob(self, self.tell("ask", kind, args))


class AskedJob:
    """A job requested by another process, and what became of it."""

    def __init__(self, place: Place, pk: int) -> None:
        self.place = place
        self.pk = pk

    def facts(self) -> dict[str, Any]:
        return self.place.tell("facts", self.pk)

    def until(self, state: str, seconds: float = 60) -> dict[str, Any]:
        return until(lambda: (facts := self.facts())["state"] == state and facts, seconds, self.facts)


class CountJob(AskedJob):
    """A job that records each start and end in a diary, and waits halfway while the file ``hold`` exists."""

    def __init__(self, place: Place, folder: Path, *, to: int) -> None:
        self.diary, self.hold = folder / f"diary-{to}", folder / f"hold-{to}"
        self.hold.touch()
        words = {"to": to, "pace": 0.05, "diary": str(self.diary), "hold": str(self.hold)}
        super().__init__(place, place.tell("ask", "counts", words))

    def events(self) -> list[str]:
        return [line.split()[0] for line in self.diary.read_text().splitlines()] if self.diary.exists() else []

    def until_event(self, event: str, seconds: float = 60) -> None:
        until(lambda: event in self.events(), seconds, self.facts)

    def child(self) -> int:
        return int(self.diary.read_text().split()[-1])

    def assert_done_once(self, attempts: int) -> None:
        facts = self.until("done", 5 * slowdown())
        assert (facts["attempts"], facts["result"], facts["done"]) == (attempts, {"counted": 40}, 40)
        assert self.events() == ["begin", "begin", "end"]


def until(happens: Callable[[], Any], seconds: float, said: Callable[[], Any]) -> Any:
    end = time.monotonic() + seconds
    while not (result := happens()):
        assert time.monotonic() < end, f"not within {seconds} s: {said()}"
        time.sleep(0.05)
    return result


def is_gone(pid: int, within: float = 20) -> bool:
    end = time.monotonic() + within
    while time.monotonic() < end:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.02)
    return False


@pytest.fixture(scope="module")
def place(make_site) -> Place:
    """SQLite, no Redis: the worker is a child of the site."""
    result = Place(make_site(start=False, DJANGO_SETTINGS_MODULE=SETTINGS))
    result.race()
    result.site.start()
    result.ask("adds", a=1, b=2).until("done", 60 * slowdown())
    return result


@pytest.mark.clock
def test_job_starts_within_a_second(place):
    limit = STARTS_WITHIN * slowdown()
    took = []
    for _ in range(3):
        begun = time.monotonic()
        place.ask("adds", a=1, b=2).until("done", 30)
        took.append(time.monotonic() - begun)
    assert min(took) < limit


def test_job_over_its_time_limit_ends_with_a_sentence(place):
    """In Python, and where no exception can interrupt it."""
    sentence = "The job took longer than 1 second and was stopped."
    jobs = [place.ask("spins"), place.ask("hashes")]
    for job in jobs:
        facts = job.until("failed")
        assert (facts["error"], facts["attempts"]) == (sentence, 1)


def test_job_over_its_memory_limit_ends_with_a_sentence(place):
    facts = place.ask("eats").until("failed")
    assert "48 MB" in facts["error"]
    assert facts["done"] < 10, "eight megabytes each"
    assert "512 MB" in place.ask("aborts").until("failed")["error"]
    # The process is as good as before.
    assert place.ask("adds", a=2, b=3).until("done")["result"] == {"sum": 5}


def test_killed_process_is_replaced(place, tmp_path):
    facts = place.ask("kills_itself", mark=str(tmp_path / "mark")).until("done")
    assert (facts["result"], facts["attempts"]) == ({"survived": True}, 2)
    facts = place.ask("always_dies").until("failed")
    assert (facts["attempts"], "3 times" in facts["error"]) == (3, True)


def test_running_job_shows_progress_and_is_called_off_within_a_second(place, tmp_path):
    job = CountJob(place, tmp_path, to=5000)
    until(lambda: (facts := job.facts())["done"] > 0 and facts["total"] == 5000, 20, job.facts)
    child = job.child()
    place.tell("cancel", job.pk)
    limit = 3 * slowdown()
    folder = place.site.var / "files" / "jobs"
    until(lambda: not list(folder.glob(f"{job.pk}-*")), limit, job.facts)
    assert (job.facts()["state"], job.events()) == ("cancelled", ["begin"])
    assert not is_gone(child, 0.1), "work in Python is interrupted; its process stays"


def test_long_job_delays_no_other(place, tmp_path):
    slow = place.ask("plods", to=5000, diary=str(tmp_path / "slow"))
    slow.until("running")
    assert place.ask("adds", a=1, b=2).until("done")["result"] == {"sum": 3}
    assert slow.facts()["state"] == "running"
    place.tell("cancel", slow.pk)


def test_spoilt_message_loses_no_job(place):
    """Bad input: a file that is no message. The worker goes on, or is started again."""
    spoilt = place.site.var / "messages" / "1_a.quick.msg"
    spoilt.write_text("{")
    assert place.ask("adds", a=1, b=2).until("done", RETURNS_WITHIN * slowdown())["result"] == {"sum": 3}
    assert not spoilt.exists()


def test_killed_worker_is_started_again_and_a_killed_site_finishes_its_job(place, tmp_path):
    site = place.site
    job = CountJob(place, tmp_path, to=40)
    job.until_event("begin")
    worker = parent(job.child())
    assert parent(worker) == site.process.pid
    os.kill(worker, signal.SIGKILL)
    assert is_gone(job.child())  # no process is left behind using the processor
    job.hold.unlink()
    job.until_event("end", RETURNS_WITHIN * slowdown())
    job.assert_done_once(attempts=2)

    job = CountJob(place, tmp_path, to=41)
    job.until_event("begin")
    worker = parent(job.child())
    site.kill()
    assert is_gone(job.child())
    assert is_gone(worker)
    assert (job.facts()["state"], job.facts()["attempts"]) == ("queued", 0)
    job.hold.unlink()
    site.start()
    job.until_event("end", RETURNS_WITHIN * slowdown())
    ready = json.loads(site.get("/readyz")[1])["checks"]
    assert ready.pop("redis") == "not used"
    assert set(ready.values()) == {"ok"}, ready

    slow = CountJob(place, tmp_path, to=9999)
    slow.until_event("begin")
    limit = STOPS_WITHIN * slowdown()
    assert site.stop() < limit
    assert (slow.facts()["state"], slow.facts()["attempts"]) == ("queued", 0)
    assert is_gone(slow.child())


@pytest.mark.postgres
@pytest.mark.redis
def test_two_workers_on_redis_and_postgresql(make_site, migrated_postgres_url, redis_url, tmp_path):
    place = Place(
        make_site(start=False, DJANGO_SETTINGS_MODULE=SETTINGS, DATABASE_URL=migrated_postgres_url, REDIS_URL=redis_url)
    )
    place.race()
    workers = [place.worker(), place.worker()]
    try:
        job = CountJob(place, tmp_path, to=40)
        job.until_event("begin")
        busy = next(worker for worker in workers if worker.pid == parent(job.child()))
        other = next(worker for worker in workers if worker is not busy)
        busy.kill()
        busy.wait()
        assert is_gone(job.child())
        job.hold.unlink()
        job.until_event("end", RETURNS_WITHIN * slowdown())
        job.assert_done_once(attempts=2)

        # The remaining worker fires the timers.
        note = tmp_path / "note"
        place.tell("wake", "note", str(note))
        until(note.exists, 5 * slowdown(), lambda: "no note")
        assert parent(int(note.read_text().split()[-1])) == other.pid

        # Whatever ends, ends as without Redis.
        assert "3 times" in place.ask("always_dies").until("failed")["error"]
        assert "1 second" in place.ask("hashes").until("failed")["error"]
        assert "48 MB" in place.ask("eats").until("failed")["error"]

        # When stopped, it returns its job to the queue.
        slow = CountJob(place, tmp_path, to=9999)
        slow.until_event("begin")
        limit = STOPS_WITHIN * slowdown()
        at = time.monotonic()
        other.terminate()
        other.wait(limit)
        assert time.monotonic() - at < limit
        assert (slow.facts()["state"], slow.facts()["attempts"]) == ("queued", 0)
        assert is_gone(slow.child())
    finally:
        for worker in workers:
            stop_process(worker)


def parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])
