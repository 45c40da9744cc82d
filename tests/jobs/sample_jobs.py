"""Small pieces of work for the tests: each one does one thing a real one might."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from jobs.kinds import Errand, Outcome
from refusal import Refusal


def adds(errand: Errand) -> Outcome:
    errand.progress("Adding", 1, 1)
    return Outcome({"sum": errand.args["a"] + errand.args["b"]})


def writes(errand: Errand) -> Outcome:
    file = errand.folder / "sheet.txt"
    file.write_text(errand.args["text"])
    return Outcome({}, file, "Muster of Oakhold.txt")


def counts(errand: Errand) -> Outcome:
    """Counts slowly, and notes every beginning and every end in a file, so that a test can see how often it ran."""
    diary = Path(errand.args["diary"])
    with diary.open("a") as file:
        file.write(f"begin {os.getpid()}\n")
    for k in range(errand.args["to"]):
        errand.progress("Counting", k, errand.args["to"])
        time.sleep(errand.args.get("pace", 0.05))
    errand.progress("Counting", errand.args["to"], errand.args["to"])
    with diary.open("a") as file:
        file.write(f"end {os.getpid()}\n")
    return Outcome({"counted": errand.args["to"]})


def spins(errand: Errand) -> Outcome:
    """Never gives up the processor, nor ends."""
    while True:
        pass


def refuses(errand: Errand) -> Outcome:
    raise Refusal("The deck has no queen.")


def breaks(errand: Errand) -> Outcome:
    raise RuntimeError("a bug")


def kills_itself(errand: Errand) -> Outcome:
    """Dies the first time, as if the machine had run out of memory; works the second."""
    mark = Path(errand.args["mark"])
    if not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return Outcome({"survived": True})


def always_dies(errand: Errand) -> Outcome:
    os.kill(os.getpid(), signal.SIGKILL)
    return Outcome({})


def eats(errand: Errand) -> Outcome:
    hoard = []
    while True:
        hoard.append(bytearray(8 * 2**20))
        errand.progress("Eating", len(hoard))


def has_a_helper(errand: Errand) -> Outcome:
    """Starts a program of its own and waits for it."""
    program = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    Path(errand.args["mark"]).write_text(str(program.pid))
    program.wait()
    return Outcome({})
