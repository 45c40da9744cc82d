"""A Celery worker with Redis also ticks, and gives its job back when it is told to stop."""

from __future__ import annotations

from typing import Any

from celery import signals

_ticker = None


def listen() -> None:
    signals.worker_init.connect(_begin)
    signals.worker_shutting_down.connect(_give_back)
    signals.worker_shutdown.connect(_end)


def _begin(sender: Any, **_: Any) -> None:
    """Before the broker is reached: due times are kept even while Redis is away."""
    from celery.apps.worker import Worker

    from jobs.clock import Ticker

    global _ticker
    # The embedded worker is not one of these; it has its clock beside it.
    if isinstance(sender, Worker) and _ticker is None:
        _ticker = Ticker()
        _ticker.start()


def _give_back(**_: Any) -> None:
    from jobs import runner

    runner.stopping.set()


def _end(**_: Any) -> None:
    from jobs import child

    global _ticker
    if _ticker is not None:
        _ticker.stop()
        _ticker = None
    child.close_nursery()
