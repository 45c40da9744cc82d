"""A print survives its worker: another worker finishes it, once."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from tests.services import ROOT, Site, slowdown

RETURNS_WITHIN = 15
ARGS = {"sheet": "tokens", "subject": "", "paper": "a4", "ink": "colour", "title": "Tokens", "person": None}


class OtherProcess:
    """Another process on the site's database that requests jobs and reports their results."""

    def __init__(self, site: Site) -> None:
        words = [sys.executable, "-m", "tests.jobs.other_process"]
        self.process = subprocess.Popen(
            words, cwd=ROOT, env=site.env, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def __enter__(self) -> OtherProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()

    def tell(self, *words: Any) -> Any:
        self.process.stdin.write(json.dumps(words) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def until(self, pk: int, state: str, seconds: float) -> dict:
        end = time.monotonic() + seconds
        while (facts := self.tell("facts", pk))["state"] != state:
            assert time.monotonic() < end, facts
            time.sleep(0.05)
        return facts


def children_of(pid: int) -> str:
    return Path(f"/proc/{pid}/task/{pid}/children").read_text()


def test_print_whose_worker_is_killed_is_finished_by_the_next(make_site):
    site = make_site(start=False)
    site.var.mkdir(parents=True, exist_ok=True)
    with OtherProcess(site) as other:
        # Whoever holds the press makes every print wait in the middle of its work.
        with (site.var / "press.lock").open("w") as press:
            fcntl.flock(press, fcntl.LOCK_EX)
            site.start()
            pk = other.tell("ask", "print", ARGS)
            other.until(pk, "running", 30)
            [worker] = map(int, children_of(site.process.pid).split())
            os.killpg(worker, signal.SIGKILL)
        facts = other.until(pk, "done", RETURNS_WITHIN * slowdown())
    assert (facts["attempts"], facts["result"]["pages"]) == (2, 1)
