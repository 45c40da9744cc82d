"""The tests' kinds of work and bells, found like any other app's."""

from __future__ import annotations

import os
from pathlib import Path

from jobs import clock, kinds
from jobs.models import Due
from tests.jobs import works

for work in (works.adds, works.counts, works.spins):
    kinds.register(kinds.Kind(work.__name__, work.__name__, work=f"tests.jobs.works:{work.__name__}", seconds=60))


def _note(due: Due) -> None:
    with Path(due.ref).open("a") as diary:
        diary.write(f"rung by {os.getpid()}\n")


clock.rings("note", _note)
