"""The tests' job kinds and timers, found like those of any other app."""

from __future__ import annotations

import os
from pathlib import Path

from jobs import registry as jobs_registry, timers
from jobs.models import Due
from tests.jobs.sample_jobs import KINDS

for kind in KINDS:
    jobs_registry.register_kind(kind)


def _note(due: Due) -> None:
    with Path(due.ref).open("a") as diary:
        diary.write(f"fired by {os.getpid()}\n")


timers.register_timer("note", _note)
