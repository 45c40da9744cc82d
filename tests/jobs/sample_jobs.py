"""Small jobs for the tests: each does one thing that a real job might do."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from jobs.registry import JobContext, Outcome
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


def has_a_helper(job: JobContext) -> Outcome:
    """Start another program and wait for it."""
    program = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    Path(job.args["mark"]).write_text(str(program.pid))
    program.wait()
    return Outcome({})
