"""Jobs without Redis: the ticker and a Celery worker as threads of the site's own process."""

from __future__ import annotations

import logging
import os
import threading
import time

from celery.worker import WorkController
from celery.worker import state as celery_state

from config.celery import app
from jobs.execution import child_handle, dispatch, runner
from jobs.timers import Ticker

logger = logging.getLogger(__name__)

_ticker: Ticker | None = None
_worker: threading.Thread | None = None


def start() -> None:
    """Start both threads. Returns at once."""
    global _ticker, _worker
    if _ticker is not None:
        return
    runner.stopping.clear()
    celery_state.should_stop = celery_state.should_terminate = None
    os.environ.setdefault("CELERY_SKIP_CHECKS", "1")  # the site has been checked already
    _ticker = Ticker()
    _ticker.start()
    _worker = threading.Thread(target=_run_worker, name="jobs", daemon=True)
    _worker.start()
    dispatch.heard_here = True


def stop(seconds: float = 1.5) -> None:
    """Stop both within ``seconds``. A running job goes back to the queue and its child is killed."""
    global _ticker, _worker
    if _ticker is None or _worker is None:
        return
    deadline = time.monotonic() + seconds
    runner.stopping.set()
    celery_state.should_stop = 0
    # Celery looks up only between messages, and sleeps for two seconds where there are none.
    for _ in range(3):
        dispatch.send_message(0)
    dispatch.heard_here = False
    _ticker.stop(seconds / 2)
    _worker.join(max(0.1, deadline - time.monotonic()))
    if _worker.is_alive():
        logger.warning("the worker thread did not end in time; the site stops without it")
    child_handle.stop_fork_server()
    _ticker = _worker = None


def _run_worker() -> None:
    """Start another worker if one crashes, or jobs would wait for ever."""
    while not runner.stopping.is_set():
        try:
            WorkController(
                app=app,
                pool="solo",
                concurrency=1,
                hostname="embedded@site",
                without_heartbeat=True,
                without_mingle=True,
                without_gossip=True,
            ).start()
        except Exception:
            logger.exception("the worker thread crashed")
        runner.stopping.wait(1)
