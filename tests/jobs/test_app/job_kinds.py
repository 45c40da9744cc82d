"""The tests' job kinds and timers, found like those of any other app."""

from __future__ import annotations

import os
from pathlib import Path

from jobs import registry as jobs_registry
from jobs import timers
from jobs.models import Due
from tests.jobs import sample_jobs

for work in (sample_jobs.adds, sample_jobs.counts, sample_jobs.spins):
    jobs_registry.register_kind(
        jobs_registry.JobKind(work.__name__, work.__name__, work=f"tests.jobs.sample_jobs:{work.__name__}", seconds=60)
    )


def _note(due: Due) -> None:
    with Path(due.ref).open("a") as diary:
        diary.write(f"fired by {os.getpid()}\n")


timers.register_timer("note", _note)
