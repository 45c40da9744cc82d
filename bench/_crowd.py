"""Twenty people print at the same moment while one person only reads; the site runs in its own process."""

from __future__ import annotations

import os
import socket
import statistics
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PATHS = ("/rules/units/", "/campaigns/", "/print/")


def printing_at_once(people: int) -> list[tuple[Any, ...]]:
    from django.contrib.auth import get_user_model

    from jobs.models import Job
    from people.models import Person
    from people.requester import Who
    from printing import orders
    from printing.sheet_registry import PaperSetting

    port = _free_port()
    env = os.environ | {"PORT": str(port), "HOST": "127.0.0.1", "API_RATE": "0"}
    site = subprocess.Popen(
        [sys.executable, "manage.py", "serve"], cwd=ROOT, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    base = f"http://127.0.0.1:{port}"
    try:
        _until(lambda: _get(base + "/healthz") > 0)
        for path in PATHS:
            _get(base + path)
        idle = [_get(base + path) for _ in range(20) for path in PATHS]
        wanted = _wanted()[:people]
        for number, (sheet, subject) in enumerate(wanted):
            person = Person.objects.create(
                name=f"Mouse {number}", account=get_user_model().objects.create_user(f"mouse{number}")
            )
            who = Who.of(person)
            orders.request_print(orders.build_order(who, sheet, subject, PaperSetting()), who)
        mine = Job.objects.filter(kind=orders.KIND)
        begin = time.perf_counter()
        busy = []
        while mine.open().exists() and time.perf_counter() - begin < 240:
            busy += [_get(base + path) for path in PATHS]
        took = time.perf_counter() - begin
        done = list(mine.filter(state="done").values_list("attempts", flat=True))
    finally:
        site.terminate()
        site.wait()
    before, during = statistics.median(idle) * 1000, statistics.median(busy) * 1000
    note = f"{during:.1f} ms against {before:.1f} ms idle, {people} prints in {took:.0f} s"
    return [
        (f"Pages while {people} people print, against idle", during / before, note, ("<=", 2)),
        (f"Prints of {people} people done, each once", float(done.count(1)), f"{len(done)} done", (">=", people)),
    ]


def _wanted() -> list[tuple[str, str]]:
    """Different sheets, so that none is reused for another."""
    from rulebook.data.scenarios import SCENARIOS

    single = [
        ("quick-reference", ""),
        ("scenarios", ""),
        ("heroes", ""),
        ("units", ""),
        ("tokens", ""),
        ("kingdom-sheet", ""),
    ]
    decks = [("deck", "menagerie"), ("deck", "monarchs"), ("player-aid", "menagerie"), ("player-aid", "monarchs")]
    return [*single, *decks, *(("scenario", row.key) for row in SCENARIOS)]


def _get(url: str) -> float:
    begin = time.perf_counter()
    with urllib.request.urlopen(url, timeout=30) as answer:
        answer.read()
    return time.perf_counter() - begin


def _until(ready: Any) -> None:
    end = time.monotonic() + 60
    while True:
        try:
            if ready():
                return
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.2)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
