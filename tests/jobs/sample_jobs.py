"""Small jobs for the tests: each does one thing that a real job might do."""

from __future__ import annotations

import hashlib
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.db import OperationalError

from jobs.registry import JobContext, JobKind, Outcome
from refusal import Refusal


def adds(job: JobContext) -> Outcome:
    job.progress("Adding", 1, 1)
    return Outcome({"sum": job.args["a"] + job.args["b"]})


def writes(job: JobContext) -> Outcome:
    file = job.folder / "sheet.txt"
    file.write_text(job.args["text"])
    return Outcome({}, file, "Muster of Oakhold.txt")


def counts(job: JobContext) -> Outcome:
    """Count slowly, and record each start and end in a file so that a test can see how often it ran.

    Halfway it waits while the file ``hold`` exists, so that a test can kill it there however slow the machine is.
    """
    diary = Path(job.args["diary"])
    with diary.open("a") as file:
        file.write(f"begin {os.getpid()}\n")
    for k in range(job.args["to"]):
        job.progress("Counting", k, job.args["to"])
        time.sleep(job.args.get("pace", 0.05))
        while k == job.args["to"] // 2 and Path(job.args.get("hold", "")).is_file():
            time.sleep(0.05)
    job.progress("Counting", job.args["to"], job.args["to"])
    with diary.open("a") as file:
        file.write(f"end {os.getpid()}\n")
    return Outcome({"counted": job.args["to"]})


def spins(job: JobContext) -> Outcome:
    """Loop for ever without yielding the processor."""
    while True:
        pass


def refuses(job: JobContext) -> Outcome:
    raise Refusal("The deck has no queen.")


def breaks(job: JobContext) -> Outcome:
    raise RuntimeError("a bug")


def kills_itself(job: JobContext) -> Outcome:
    """Die the first time, as if the machine had run out of memory; succeed the second time."""
    mark = Path(job.args["mark"])
    if not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return Outcome({"survived": True})


def always_dies(job: JobContext) -> Outcome:
    os.kill(os.getpid(), signal.SIGKILL)
    return Outcome({})


def eats(job: JobContext) -> Outcome:
    hoard = []
    while True:
        hoard.append(bytearray(8 * 2**20))
        job.progress("Eating", len(hoard))


def hashes(job: JobContext) -> Outcome:
    """Work outside Python, where no exception can interrupt it."""
    hashlib.pbkdf2_hmac("sha256", b"", b"", 2**31 - 1)
    return Outcome({})


def aborts(job: JobContext) -> Outcome:
    """As a library does that gets no memory."""
    os.abort()


def loses_the_database(job: JobContext) -> Outcome:
    raise OperationalError("the connection was closed")


def _kind(work: Callable[[JobContext], Outcome], **options: Any) -> JobKind:
    name = work.__name__
    return JobKind(name, name.capitalize(), f"tests.{name}", work=f"{__name__}:{name}", **options)


KINDS = [
    _kind(adds),
    _kind(writes),
    _kind(counts),
    _kind(spins, seconds=1),
    _kind(refuses),
    _kind(breaks),
    _kind(kills_itself),
    _kind(always_dies),
    _kind(eats, megabytes=48),
    _kind(hashes, seconds=1),
    _kind(aborts),
    _kind(loses_the_database, tries=2),
    JobKind("plods", "Plods", "tests.plods", work=f"{__name__}:counts", is_slow=True),
]
