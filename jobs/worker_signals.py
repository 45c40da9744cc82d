"""What a Celery worker does besides its tasks: fire timers, return its jobs when it stops, and end with its site."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable
from typing import Any

from celery import signals
from django.db import DatabaseError, InterfaceError, connection

from jobs import lease, tasks
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
            lease.put_back_all()
        except (DatabaseError, InterfaceError) as error:
            logger.warning("the worker cannot return its jobs: %s", str(error).strip())
            connection.close()
        time.sleep(0.3)
