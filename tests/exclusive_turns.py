"""Tests marked ``clock`` measure time, so they run alone while the other workers wait.

All workers of a run share two locks, ``queue`` and ``running``. Each test takes the queue lock then a shared running
lock. A ``clock`` test needs the running lock alone and keeps the queue lock until it has it, so nobody overtakes it.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def take_turn(run: str | None, *, alone: bool) -> Iterator[None]:
    if run is None:  # one worker: everything runs alone
        yield
        return
    folder = Path(tempfile.gettempdir()) / f"companion-turns-{os.getuid()}-{run}"
    folder.mkdir(exist_ok=True)
    with (folder / "queue").open("w") as queue, (folder / "running").open("w") as running:
        fcntl.flock(queue, fcntl.LOCK_EX)
        fcntl.flock(running, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)
        fcntl.flock(queue, fcntl.LOCK_UN)
        yield
