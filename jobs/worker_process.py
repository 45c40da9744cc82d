"""The worker of a site that runs by itself: a Celery worker beside it, started again when it dies."""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import subprocess
import sys
import threading

from django.conf import settings

from jobs import timers, worker_watch
from jobs.worker_signals import ENDS_WITH_STDIN

logger = logging.getLogger(__name__)

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
        timers.register_heartbeat(worker_watch.EVERY.total_seconds(), self.note_running)

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
            worker_watch.note_seen()

    def stop(self, seconds: float = 2.0) -> None:
        """Its jobs are back in the queue at once; whatever still runs after so many seconds is killed."""
        self._stopping.set()
        self._process.send_signal(signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)
        self._process.kill()
        self._process.wait()
        self._thread.join()
