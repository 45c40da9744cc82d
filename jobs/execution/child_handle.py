"""The site's handle on one child process: its order, reports, memory and end. Starts the fork server on first use."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypedDict

from django.conf import settings


class ChildReport(TypedDict, total=False):
    """What a child says: its process, how far it is, or how it ended."""

    pid: int
    stage: str
    k: int
    n: int
    end: str  # done, refused, too big, broke
    sentence: str
    trace: str
    file: str
    saved_as: str
    facts: dict[str, object]


_lock = threading.Lock()
_house: socket.socket | None = None
_process: subprocess.Popen[bytes] | None = None


def _new_child_socket() -> socket.socket:
    """One end of a socket; a newly forked child has the other."""
    ours, theirs = socket.socketpair()
    with theirs, _lock:
        try:
            socket.send_fds(_start_fork_server(), [b"+"], [theirs.fileno()])
        except OSError:
            # It was killed. The next child starts in a new fork server.
            _stop_fork_server()
            try:
                socket.send_fds(_start_fork_server(), [b"+"], [theirs.fileno()])
            except OSError:
                ours.close()
                raise
    return ours


def _start_fork_server() -> socket.socket:
    global _house, _process
    if _house is None or _process is None or _process.poll() is not None:
        _stop_fork_server()
        _house, theirs = socket.socketpair()
        with theirs:
            _process = subprocess.Popen(
                [sys.executable, "-m", "jobs.execution.fork_server", str(theirs.fileno())],
                cwd=settings.BASE_DIR,
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                # Ctrl-C in the terminal is for the site, which then decides about its children.
                start_new_session=True,
            )
    return _house


def _stop_fork_server() -> None:
    global _house, _process
    if _house is not None:
        _house.close()
    if _process is not None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            _process.wait(0.2)
        if _process.poll() is None:
            _process.kill()
            _process.wait()
    _house = _process = None


def stop_fork_server() -> None:
    """For a clean stop. A killed site ends the fork server as well."""
    with _lock:
        _stop_fork_server()


class ChildProcess:
    """One job's process. ``reports()`` returns its new reports, or ``None`` once the socket is closed."""

    def __init__(self, work: str, args: Mapping[str, Any], folder: Path, megabytes: int) -> None:
        self.pid: int | None = None
        self.megabytes = megabytes
        self._buffer = b""
        self._line = _new_child_socket()
        order = {"work": work, "args": args, "folder": str(folder), "megabytes": megabytes}
        self._line.settimeout(10)
        # A child that died at once shows in reports(), like any other.
        with contextlib.suppress(OSError):
            self._line.sendall(json.dumps(order).encode() + b"\n")

    def reports(self, seconds: float) -> list[ChildReport] | None:
        ready, _, _ = select.select([self._line], [], [], seconds)
        if not ready:
            return []
        try:
            more = self._line.recv(65536)
        except OSError:
            more = b""
        if not more:
            return None
        *whole, self._buffer = (self._buffer + more).split(b"\n")
        found: list[ChildReport] = [json.loads(row) for row in whole]
        for report in found:
            self.pid = report.get("pid", self.pid)
        return found

    def is_too_big(self) -> bool:
        """Whether it uses more resident memory than allowed, including memory the limit inside the child cannot see."""
        if self.pid is None:
            return False
        try:
            with open(f"/proc/{self.pid}/statm") as statm:
                pages = statm.read().split()
        except OSError:
            return False
        # Shared pages are mostly the fork server's own; they are not the job's doing.
        private = (int(pages[1]) - int(pages[2])) * os.sysconf("SC_PAGE_SIZE")
        return private > (self.megabytes + 64) * 2**20

    def kill(self) -> None:
        """Kill it and everything it started. A child without a pid yet gets no order and ends by itself."""
        if self.pid is None:
            deadline = time.monotonic() + 0.5
            while self.pid is None and time.monotonic() < deadline and self.reports(0.1) is not None:
                pass
        if self.pid is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(self.pid, signal.SIGKILL)
        self._line.close()
