"""Run one job: take the lease, watch the child, write the outcome once."""

from __future__ import annotations

import datetime as dt
import logging
import secrets
import shutil
import threading
import time
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection, transaction
from django.db.models import F
from django.utils import timezone

from jobs import worker_watch
from jobs.execution import dispatch
from jobs.execution.child_handle import ChildProcess, ChildReport
from jobs.models import Job, State
from jobs.queue import next_waiting_job
from jobs.registry import KIND, JobKind
from refusal import Refusal

logger = logging.getLogger(__name__)

# A worker that dies is missed after LEASE; one that lives renews three times in that span.
LEASE = 6.0
LOOK = 0.4
TICK = 0.1

# One job at a time in each process, whoever hands it over.
_slot = threading.Lock()
stopping = threading.Event()


def folder_of(job_id: int, token: str) -> Path:
    """Every attempt writes to its own folder; the job's row names the one that won."""
    return Path(settings.MEDIA_ROOT) / "jobs" / f"{job_id}-{token}"


def run_if_waiting(job_id: int, *, wait: bool = True) -> None:
    """Run what waits, in the order in which people take turns, until this job and all others are done or taken.

    Without ``wait``, only if this process is idle.
    """
    if not _slot.acquire(blocking=wait):
        return
    try:
        while not stopping.is_set() and (next_id := next_waiting_job()) is not None:
            taken = take_lease(next_id)
            if taken is not None:
                JobRun(*taken).through()
                worker_watch.note_seen()
    finally:
        connection.close()
        _slot.release()


def take_lease(job_id: int) -> tuple[Job, str] | None:
    """The job and a token that proves the lease is ours. One statement, so that only one of two workers gets it."""
    now = timezone.now()
    token = secrets.token_hex(8)
    mine = (
        Job.objects.waiting(now)
        .filter(pk=job_id, kind__in=KIND)
        .update(
            state=State.RUNNING,
            lease_token=token,
            lease_until=now + dt.timedelta(seconds=LEASE),
            attempts=F("attempts") + 1,
            started_at=now,
            stage="",
            done=0,
            total=0,
        )
    )
    if not mine:
        return None
    job = Job.objects.get(pk=job_id)
    if job.lease_token != token:
        return None
    if job.attempts > KIND[job.kind].tries:
        write_end(job, token, state=State.FAILED, error=gave_up_sentence(KIND[job.kind]))
        return None
    return job, token


def gave_up_sentence(kind: JobKind) -> str:
    return f"The job was interrupted {kind.tries} times and stopped. Try again when the computer is less busy."


def write_end(job: Job, token: str, **values: Any) -> bool:
    """Write the outcome of a job; only the holder of the token can."""
    ours = Job.objects.filter(pk=job.pk, state=State.RUNNING, lease_token=token)
    return bool(ours.update(**{"finished_at": timezone.now(), "lease_token": "", "lease_until": None, **values}))


class JobRun:
    """One attempt at one job."""

    def __init__(self, job: Job, token: str) -> None:
        self.job = job
        self.token = token
        self.kind = KIND[job.kind]
        self.folder = folder_of(job.pk, token)
        self.progress = ("", 0, 0)
        self.written = self.progress
        self.renewed_at = self.looked_at = time.monotonic()

    def through(self) -> None:
        child = None
        kept = False
        try:
            child = ChildProcess(self.kind.work, self.job.args, self.folder, self.kind.megabytes)
            kept = self.watch(child)
        except OSError:
            logger.exception("no process could be started for job %s", self.job.pk)
            self.again()
        finally:
            if child is not None:
                child.kill()
            if not kept:
                shutil.rmtree(self.folder, ignore_errors=True)

    def watch(self, child: ChildProcess) -> bool:
        """Watch the child until it ends. Returns whether its folder is kept."""
        deadline = time.monotonic() + self.kind.seconds
        while True:
            reports = child.reports(TICK)
            if reports is None:
                logger.warning("the process of job %s died, attempt %s", self.job.pk, self.job.attempts)
                self.again()
                return False
            for report in reports:
                if "stage" in report:
                    self.progress = (report["stage"], report["k"], report["n"])
                elif "end" in report:
                    return self.ended(report)
            if stopping.is_set():
                self.put_back()
                return False
            if time.monotonic() > deadline:
                self.fail(f"The job took longer than {duration_in_words(self.kind.seconds)} and was stopped.")
                return False
            if child.is_too_big():
                self.fail(self.too_big())
                return False
            if not self.still_ours():
                return False

    def still_ours(self) -> bool:
        """Write the progress, renew the lease, and check whether somebody cancelled the job."""
        now = time.monotonic()
        if now - self.looked_at < LOOK:
            return True
        self.looked_at = now
        row = Job.objects.filter(pk=self.job.pk, state=State.RUNNING, lease_token=self.token)
        try:
            if self.progress == self.written and now - self.renewed_at < LEASE / 3:
                return row.exists()
            stage, k, n = self.progress
            until = timezone.now() + dt.timedelta(seconds=LEASE)
            ours = row.update(stage=stage, done=k, total=n, lease_until=until)
        except (DatabaseError, InterfaceError) as error:
            # A database that is down for a moment is not a reason to throw the work away; one that is down for longer
            # than the lease is, because somebody else may have begun by now.
            logger.warning("job %s cannot reach the database: %s", self.job.pk, error)
            connection.close()
            return now - self.renewed_at < LEASE
        self.written, self.renewed_at = self.progress, now
        return bool(ours)

    def ended(self, report: ChildReport) -> bool:
        match report["end"]:
            case "done":
                return self.finish(report)
            case "refused":
                self.fail(report["sentence"])
            case "too big":
                self.fail(self.too_big())
            case _:
                logger.error("job %s (%s) broke:\n%s", self.job.pk, self.job.kind, report.get("trace", ""))
                self.fail("Something went wrong in this job. The server log has the details.")
        return False

    def finish(self, report: ChildReport) -> bool:
        file = f"jobs/{self.folder.name}/{report['file']}" if report["file"] else ""
        stage, k, n = self.progress
        values = {
            "state": State.DONE,
            "stage": stage,
            "done": k,
            "total": n,
            "error": "",
            "result": report["facts"],
            "file": file,
            "saved_as": report["saved_as"][:200] or Path(file).name,
        }
        try:
            with transaction.atomic():
                ours = write_end(self.job, self.token, **values)
                if ours and self.kind.landed is not None:
                    self.job.refresh_from_db()
                    self.kind.landed(self.job)
        except Refusal as refusal:
            self.fail(refusal.sentence)
            return False
        except (DatabaseError, InterfaceError):
            # Not written: the lease runs out and the work is done again.
            logger.exception("the end of job %s could not be written", self.job.pk)
            connection.close()
            return False
        except Exception:
            logger.exception("job %s (%s) result could not be saved", self.job.pk, self.job.kind)
            self.fail("The job finished, but its result could not be saved. The server log has the details.")
            return False
        return ours and bool(file)

    def fail(self, sentence: str) -> None:
        stage, k, n = self.progress
        write_end(self.job, self.token, state=State.FAILED, error=sentence, stage=stage, done=k, total=n)

    def again(self) -> None:
        """Retry: the process died of something that may not happen again."""
        if self.job.attempts >= self.kind.tries:
            self.fail(gave_up_sentence(self.kind))
        elif write_end(self.job, self.token, state=State.QUEUED, finished_at=None):
            dispatch.send_message(self.job.pk)

    def put_back(self) -> None:
        """The site is stopping: the job goes back to the queue, and this attempt does not count."""
        write_end(self.job, self.token, state=State.QUEUED, finished_at=None, attempts=F("attempts") - 1, sent_at=None)

    def too_big(self) -> str:
        return f"The job needed more than {self.kind.megabytes} MB of memory and was stopped. Ask for less at once."


def duration_in_words(seconds: int) -> str:
    if seconds < 120:
        return "1 second" if seconds == 1 else f"{seconds} seconds"
    return f"{seconds // 60} minutes"
