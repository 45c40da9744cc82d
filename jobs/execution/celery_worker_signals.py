"""A Celery worker on Redis also fires timers, and returns its job to the queue when it is told to stop."""

from __future__ import annotations

from typing import Any

from celery import signals

_ticker = None


def connect_signals() -> None:
    signals.worker_init.connect(_start_ticker)
    signals.worker_shutting_down.connect(_return_job)
    signals.worker_shutdown.connect(_stop_ticker)


def _start_ticker(sender: Any, **_: Any) -> None:
    """Runs before the broker is reached, so that timers fire even while Redis is down."""
    from celery.apps.worker import Worker

    from jobs.timers import Ticker

    global _ticker
    # The embedded worker is not one of these; it has its clock beside it.
    if isinstance(sender, Worker) and _ticker is None:
        _ticker = Ticker()
        _ticker.start()


def _return_job(**_: Any) -> None:
    from jobs.execution import runner

    runner.stopping.set()


def _stop_ticker(**_: Any) -> None:
    from jobs.execution import child_handle

    global _ticker
    if _ticker is not None:
        _ticker.stop()
        _ticker = None
    child_handle.stop_fork_server()
