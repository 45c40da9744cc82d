"""Background jobs and timers of game nights."""

from __future__ import annotations

from gamenights.transfer import uploads
from jobs import timers
from jobs.registry import JobKind, register_kind

register_kind(
    JobKind(
        uploads.CHECK_JOB,
        "Checking a file of plays",
        work="gamenights.transfer.uploads:check_upload",
        seconds=300,
    )
)
timers.register_timer(uploads.EXPIRY_TIMER, uploads.delete_old_upload)
