"""What a Celery worker does besides its tasks: fire timers, return its jobs when it stops, and end with its site."""

import contextlib
import logging
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

from celery import signals
from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection

from jobs import tasks, timers, turns_and_leases
from jobs.timers import Ticker

logger = logging.getLogger(__name__)

# Set by manage.py serve, which holds the other end of the worker's stdin.
ENDS_WITH_STDIN = "WORKER_ENDS_WITH_STDIN"


def connect_signals() -> None:
    signals.worker_init.connect(_begin)
    signals.worker_process_init.connect(_begin_process)
    signals.worker_shutting_down.connect(_stop)


def _begin(**_: Any) -> None:
    """Runs before the broker is reached, so that timers fire even while Redis is down."""
    if os.environ.get(ENDS_WITH_STDIN):
        wait: Callable[[], object] = lambda: os.read(0, 1)  # noqa: E731
    else:
        fork = multiprocessing.get_context("fork")
        timers = fork.Process(target=_fire_timers, args=[os.getpid()], name="timers", daemon=True)
        timers.start()
        wait = timers.join
    threading.Thread(target=_end_after, args=[wait], name="end-after", daemon=True).start()


def _end_after(wait: Callable[[], object]) -> None:
    """A worker stops when its site or its timers are gone; whoever started it starts it again."""
    wait()
    os.kill(os.getpid(), signal.SIGTERM)


def _fire_timers(worker: int) -> None:
    """In a process of its own, because the worker forks, and SQLite allows no connection in a process that does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    ticker = Ticker()
    ticker.start()
    while os.getppid() == worker:
        time.sleep(1)
    ticker.stop()


def _begin_process(**_: Any) -> None:
    tasks.prepare_worker_process()


def _stop(**_: Any) -> None:
    """Celery waits for running tasks; without their leases these end within a second.

    In a thread, because Celery calls this in the middle of whatever the main thread does.
    """
    threading.Thread(target=_put_back, name="put-back", daemon=True).start()


def _put_back() -> None:
    while True:  # until the process ends: a task may just be beginning
        try:
            turns_and_leases.put_back_all()
        except (DatabaseError, InterfaceError) as error:
            logger.warning("the worker cannot return its jobs: %s", str(error).strip())
            connection.close()
        time.sleep(0.3)


# ── The worker of a site that runs by itself ───────────────────────────────────────────────────────────
# A Celery worker beside it, started again when it dies.


COMMAND = [sys.executable, "-m", "celery", "--quiet", "-A", "config", "worker", "--loglevel", "WARNING"]
COMMAND += ["--without-gossip", "--without-mingle", "--without-heartbeat"]
PAUSE = 1.0
# It is for whoever runs a worker for strangers; at home nobody can do anything about it.
NO_WORD_ABOUT_ROOT = "ignore:You're running the worker with superuser"


class WorkerProcess:
    def __init__(self) -> None:
        self._stopping = threading.Event()
        self._process = self._start()
        self._thread = threading.Thread(target=self._keep_running, name="worker", daemon=True)
        self._thread.start()
        timers.register_heartbeat(turns_and_leases.WATCHED_EVERY.total_seconds(), self.note_running)

    def _start(self) -> subprocess.Popen[bytes]:
        """In a session of its own: Ctrl-C in the terminal must not reach it before the site takes no more requests."""
        return subprocess.Popen(
            COMMAND,
            cwd=settings.BASE_DIR,
            # The site has been checked already. If it is killed, the pipe ends, and so does the worker.
            env=os.environ | {ENDS_WITH_STDIN: "1", "CELERY_SKIP_CHECKS": "1", "PYTHONWARNINGS": NO_WORD_ABOUT_ROOT},
            stdin=subprocess.PIPE,
            start_new_session=True,
        )

    def _keep_running(self) -> None:
        while not self._stopping.is_set():
            self._process.wait()
            if not self._stopping.wait(PAUSE):
                logger.error("the worker ended with %s and is started again", self._process.returncode)
                self._process = self._start()

    def note_running(self) -> None:
        if self._process.poll() is None:
            turns_and_leases.note_seen()

    def stop(self, seconds: float = 2.0) -> None:
        """Its jobs are back in the queue at once; whatever still runs after so many seconds is killed."""
        self._stopping.set()
        self._process.send_signal(signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)
        self._process.kill()
        self._process.wait()
        self._thread.join()
