"""Tests that are judged by the clock run alone: whoever else is at work waits at the door until they are done.

Two locks that all workers of a run share. Each test passes the turnstile and enters the hall; one marked ``clock`` waits in the turnstile
until the hall is empty, so nobody overtakes it.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def turn(run: str | None, *, alone: bool) -> Iterator[None]:
    if run is None:  # one worker: everything runs alone
        yield
        return
    folder = Path(tempfile.gettempdir()) / f"companion-turns-{os.getuid()}-{run}"
    folder.mkdir(exist_ok=True)
    with (folder / "turnstile").open("w") as turnstile, (folder / "hall").open("w") as hall:
        fcntl.flock(turnstile, fcntl.LOCK_EX)
        fcntl.flock(hall, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)
        fcntl.flock(turnstile, fcntl.LOCK_UN)
        yield
