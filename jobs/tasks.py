"""Celery's tasks: one for each kind of job, and one that shows that a worker is there.

A task takes the lease on its job's row, runs the work in this process of the worker and writes how it ended. Beside the
work a thread shows its progress, renews the lease, and ends the work when the lease is gone: the job was called off,
or the worker stops. What a killed process could not write, another task writes (JobRequest).
"""

import contextlib
import importlib
import logging
import os
import resource
import shutil
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from celery import Task, shared_task
from celery.exceptions import SoftTimeLimitExceeded, WorkerLostError
from celery.worker.request import Request
from django.db import DatabaseError, InterfaceError, OperationalError, connection, transaction
from django.utils import timezone

from config import celery_app as app
from jobs import turns_and_leases
from jobs.models import State
from jobs.registry import NICENESS, QUICK, JobContext, JobKind, Outcome
from jobs.turns_and_leases import (
    LEASE,
    Lease,
    find_lease,
    take_lease,
    token_prefix,
    too_big_sentence,
    too_long_sentence,
)
from refusal import Refusal

logger = logging.getLogger(__name__)

LOOK_EVERY = 0.4
# Work that cannot be interrupted, because it is not in Python, is killed so much later.
GRACE = 2.0
KILL_AFTER_LIMIT = 3


class JobFailed(Exception):
    """The row says why, in words for its person; this tells Celery."""


class JobRequest(Request):
    """A task in the worker's own process, which forks and therefore, because of SQLite, never asks the database."""

    def on_timeout(self, soft: bool, timeout: float) -> None:
        super().on_timeout(soft, timeout)
        if not soft:
            self._end_lost("time")

    def on_failure(self, exc_info: Any, send_failed_event: bool = True, return_ok: bool = False) -> None:
        super().on_failure(exc_info, send_failed_event, return_ok)
        if issubclass(exc_info.type, (WorkerLostError, SystemExit)):
            # A library that gets no memory aborts.
            self._end_lost("memory" if "SIGABRT" in exc_info.traceback else "")

    def _end_lost(self, limit: str) -> None:
        turns_and_leases.send(end_lost, QUICK, limit=limit, prefix=token_prefix(self.id), **self.kwargs)


class JobTask(Task):
    Request = JobRequest
    throws = (JobFailed,)  # no traceback in the log: what is a bug was logged as one
    acks_late = True  # so that a worker takes no more than it has processes
    autoretry_for = (OperationalError, InterfaceError)
    max_retries = 5
    retry_backoff = True
    retry_backoff_max = 60
    retry_jitter = True


def task_of(kind: JobKind) -> Any:
    """The Celery task of this kind."""
    if kind.task not in app.tasks:
        app.task(
            run_job,
            bind=True,
            name=kind.task,
            base=JobTask,
            soft_time_limit=kind.seconds,
            time_limit=kind.seconds + KILL_AFTER_LIMIT,
        )
    return app.tasks[kind.task]


@shared_task(name="jobs.note_worker")
def note_worker() -> None:
    turns_and_leases.note_seen()


@shared_task(name="jobs.end_lost")
def end_lost(*, person: str, job: str, prefix: str, limit: str) -> None:
    """Write how a job ended whose process was killed. If this gets lost too, the lease runs out."""
    if lease := find_lease(job, prefix):
        sentences = {"time": too_long_sentence, "memory": too_big_sentence}
        if limit:
            lease.fail(sentences[limit](lease.kind))
        else:
            lease.try_again()
        turns_and_leases.send_next(lease.kind.queue)


def run_job(self: JobTask, *, person: str, job: str) -> str:
    """Run this job if it still waits. ``person`` is for whoever looks at the tasks."""
    lease = take_lease(job, self.request.id)
    if lease is None:
        return "nothing to do"
    turns_and_leases.send_next(lease.kind.queue)
    try:
        return run_leased(lease)
    finally:
        turns_and_leases.note_seen()
        turns_and_leases.send_next(lease.kind.queue)


def run_leased(lease: Lease) -> str:
    kind, progress = lease.kind, LatestProgress()
    is_kept = False
    broke = "Something went wrong in this job. The server log has the details."
    try:
        lease.folder.mkdir(parents=True, exist_ok=True)
        with watch(lease, progress), limit_memory(kind.megabytes):
            module, _, name = kind.work.partition(":")
            work = getattr(importlib.import_module(module), name)
            outcome = work(JobContext(lease.job.args, progress, lease.folder))
        broke = "The job finished, but its result could not be saved. The server log has the details."
        is_kept = finish(lease, outcome, progress)
        return "done"
    except Refusal as refusal:
        sentence = refusal.sentence
    except MemoryError:
        sentence = too_big_sentence(kind)
    except SoftTimeLimitExceeded:
        if not lease.row().exists():
            return "called off, or put back"
        sentence = too_long_sentence(kind)
    except (OperationalError, InterfaceError):
        logger.warning("job %s lost the database, attempt %s", lease.job.pk, lease.job.attempts)
        connection.close()
        lease.try_again()
        raise
    except Exception:
        logger.exception("job %s (%s) broke", lease.job.pk, kind.name)
        sentence = broke
    finally:
        if not is_kept:
            shutil.rmtree(lease.folder, ignore_errors=True)
    lease.fail(sentence, **progress)
    raise JobFailed(sentence)


def finish(lease: Lease, outcome: Outcome, progress: "LatestProgress") -> bool:
    """Write the result, and what belongs to it, in one transaction. Returns whether a file was made."""
    if not isinstance(outcome, Outcome):
        raise TypeError(f"{lease.kind.work} must give an Outcome, not {type(outcome).__name__}")
    file = ""
    if outcome.file is not None:
        file = f"jobs/{lease.folder.name}/{outcome.file.resolve().relative_to(lease.folder.resolve())}"
    with transaction.atomic():
        ours = lease.end(
            state=State.DONE,
            error="",
            result=dict(outcome.facts),
            file=file,
            saved_as=outcome.saved_as[:200] or Path(file).name,
            **progress,
        )
        if ours and lease.kind.landed is not None:
            lease.job.refresh_from_db()
            lease.kind.landed(lease.job)
    return ours and bool(file)


class LatestProgress(dict[str, Any]):
    """The columns of the row that say how far the work is; the thread beside it writes them."""

    def __call__(self, stage: str, k: int = 0, n: int = 0) -> None:
        self.update(stage=stage[:120], done=max(0, int(k)), total=max(0, int(n)))


# ── In a process of a worker ─────────────────────────────────────────────────────────────────────────────

_is_worker_process = False


def prepare_worker_process() -> None:
    """Before the first task of a process that a worker has forked."""
    global _is_worker_process
    _is_worker_process = True
    os.nice(NICENESS)


@contextlib.contextmanager
def watch(lease: Lease, progress: LatestProgress) -> Iterator[None]:
    """Write the progress and renew the lease while the work runs; end the work when the lease is gone."""
    if not _is_worker_process:
        yield
        return
    done = threading.Event()
    thread = threading.Thread(target=_watch, args=(lease, progress, done), name="lease", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _watch(lease: Lease, progress: LatestProgress, done: threading.Event) -> None:
    written, renewed_at = dict(progress), time.monotonic()
    try:
        while not done.wait(LOOK_EVERY):
            said, now = dict(progress), time.monotonic()
            try:
                if said != written or now - renewed_at > LEASE.total_seconds() / 3:
                    ours = bool(lease.row().update(lease_until=timezone.now() + LEASE, **said))
                    written, renewed_at = said, now
                else:
                    ours = lease.row().exists()
            except (DatabaseError, InterfaceError, MemoryError) as error:
                # A database that is down for a moment is not a reason to throw the work away; one that is down for
                # longer than the lease is, because somebody else may have begun by now.
                logger.warning("job %s cannot renew its lease: %s", lease.job.pk, error)
                connection.close()
                ours = now - renewed_at < LEASE.total_seconds()
            if not ours:
                # As Celery does at the soft time limit.
                signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGUSR1)
                if not done.wait(GRACE):
                    os.kill(os.getpid(), signal.SIGKILL)
    finally:
        connection.close()


@contextlib.contextmanager
def limit_memory(megabytes: int) -> Iterator[None]:
    """Allow this much more memory than now, then raise MemoryError."""
    status = Path("/proc/self/status")
    if not _is_worker_process or not status.exists():  # not Linux
        yield
        return
    sizes = dict(row.split(":", 1) for row in status.read_text().splitlines())
    now = int(sizes["VmData"].split()[0]) * 1024
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (now + megabytes * 2**20, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))
