"""Doing one job: take the lease, watch over the child, write the end once."""

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

from jobs import post
from jobs.child import Child
from jobs.kinds import KIND, Kind
from jobs.models import Job, State
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
    """Every attempt writes in a folder of its own; the one that wins is the one the row names."""
    return Path(settings.MEDIA_ROOT) / "jobs" / f"{job_id}-{token}"


def look_at(job_id: int, *, wait: bool = True) -> None:
    """Do this job if nobody does, then whatever else waits. Without ``wait`` only if no other is being done here."""
    if not _slot.acquire(blocking=wait):
        return
    try:
        next_id: int | None = job_id
        while next_id is not None and not stopping.is_set():
            taken = take(next_id)
            if taken is not None:
                Run(*taken).through()
            next_id = oldest_waiting()
    finally:
        connection.close()
        _slot.release()


def oldest_waiting() -> int | None:
    return Job.objects.waiting().filter(kind__in=KIND).order_by("pk").values_list("pk", flat=True).first()


def take(job_id: int) -> tuple[Job, str] | None:
    """The row and a token that says it is ours. One statement, so that of two workers one gets it."""
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
        end(job, token, state=State.FAILED, error=given_up(KIND[job.kind]))
        return None
    return job, token


def given_up(kind: Kind) -> str:
    return f"The work was cut short {kind.tries} times and was given up. Ask again when the computer is less busy."


def end(job: Job, token: str, **values: Any) -> bool:
    """The end of a job, written by whoever holds the token and by nobody else."""
    ours = Job.objects.filter(pk=job.pk, state=State.RUNNING, lease_token=token)
    return bool(ours.update(**{"finished_at": timezone.now(), "lease_token": "", "lease_until": None, **values}))


class Run:
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
            child = Child(self.kind.work, self.job.args, self.folder, self.kind.megabytes)
            kept = self.watch(child)
        except OSError:
            logger.exception("no process could be started for job %s", self.job.pk)
            self.again()
        finally:
            if child is not None:
                child.kill()
            if not kept:
                shutil.rmtree(self.folder, ignore_errors=True)

    def watch(self, child: Child) -> bool:
        """Until it ends, one way or another. Whether its folder is kept."""
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
                self.fail(f"The work took longer than {in_words(self.kind.seconds)} and was stopped.")
                return False
            if child.is_too_big():
                self.fail(self.too_big())
                return False
            if not self.still_ours():
                return False

    def still_ours(self) -> bool:
        """Write how far it is, renew the lease, and see whether somebody called it off."""
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
            # A database that is away for a moment is no reason to throw the work away; one that is away for longer
            # than the lease is, because somebody else may have begun by now.
            logger.warning("job %s cannot reach the database: %s", self.job.pk, error)
            connection.close()
            return now - self.renewed_at < LEASE
        self.written, self.renewed_at = self.progress, now
        return bool(ours)

    def ended(self, report: dict[str, Any]) -> bool:
        match report["end"]:
            case "done":
                return self.finish(report)
            case "refused":
                self.fail(report["sentence"])
            case "too big":
                self.fail(self.too_big())
            case _:
                logger.error("job %s (%s) broke:\n%s", self.job.pk, self.job.kind, report.get("trace", ""))
                self.fail("Something in the work broke. The details are in the site's log.")
        return False

    def finish(self, report: dict[str, Any]) -> bool:
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
                ours = end(self.job, self.token, **values)
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
            logger.exception("job %s (%s) could not land", self.job.pk, self.job.kind)
            self.fail("The work was done, but its result could not be taken in. The details are in the site's log.")
            return False
        return ours and bool(file)

    def fail(self, sentence: str) -> None:
        stage, k, n = self.progress
        end(self.job, self.token, state=State.FAILED, error=sentence, stage=stage, done=k, total=n)

    def again(self) -> None:
        """The process died of something that may not happen again."""
        if self.job.attempts >= self.kind.tries:
            self.fail(given_up(self.kind))
        elif end(self.job, self.token, state=State.QUEUED, finished_at=None):
            post.send(self.job.pk)

    def put_back(self) -> None:
        """The site stops. The row waits for its return, and this attempt does not count."""
        end(self.job, self.token, state=State.QUEUED, finished_at=None, attempts=F("attempts") - 1, sent_at=None)

    def too_big(self) -> str:
        return f"The work needed more than {self.kind.megabytes} MB of memory and was stopped. Ask for less at once."


def in_words(seconds: int) -> str:
    if seconds < 120:
        return f"{seconds} seconds"
    return f"{seconds // 60} minutes"
