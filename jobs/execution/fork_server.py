"""The process that forks a child for each job, with Django loaded once.

Run as ``python -m jobs.execution.fork_server FD``. Over the socket FD comes one byte and one end of a line per child;
the child reads
its order from that line and reports on it, one JSON object a line. The fork server has a single thread and no database
connection, so forking it is safe, which forking the site itself would not be. When the site dies, however rudely, the
socket closes, the fork server ends, and the kernel ends its children.
"""

from __future__ import annotations

import ctypes
import gc
import importlib
import json
import os
import resource
import signal
import socket
import sys
import time
import traceback
from pathlib import Path
from typing import Any, NoReturn

NICENESS = 10
# Longer than this is not a result but a file.
LONGEST_REPORT = 1_000_000


def main(fd: int) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django
    from django.db import connections

    django.setup()
    connections.close_all()
    gc.collect()
    gc.freeze()  # what the collector never touches stays shared between all children
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the kernel removes ended children
    libc = ctypes.CDLL(None)
    house = socket.socket(fileno=fd)
    while True:
        try:
            byte, lines, _, _ = socket.recv_fds(house, 1, 1)
        except ConnectionError:
            return
        if not byte:
            return
        if os.fork() == 0:
            house.close()
            run_child(socket.socket(fileno=lines[0]), libc)
        os.close(lines[0])


def run_child(line: socket.socket, libc: Any) -> NoReturn:
    """Everything a child does. No exception may escape, or there would be two fork servers."""
    code = 1
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        parent = os.getppid()
        if hasattr(libc, "prctl"):  # Linux: SIGKILL when the fork server is gone
            libc.prctl(1, signal.SIGKILL)
            if os.getppid() != parent:
                os._exit(1)
        os.setsid()  # a group of its own, so that what it starts can be ended with it
        run_job(line)
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


def run_job(line: socket.socket) -> None:
    reporter = Reporter(line)
    reporter.say({"pid": os.getpid()})
    order = json.loads(line.makefile("r", encoding="utf-8").readline())
    os.nice(NICENESS)
    limit_memory(order["megabytes"])

    from jobs.registry import JobContext, Outcome
    from refusal import Refusal

    folder = Path(order["folder"])
    try:
        folder.mkdir(parents=True, exist_ok=True)
        module, _, name = order["work"].partition(":")
        function = getattr(importlib.import_module(module), name)
        outcome = function(JobContext(args=order["args"], progress=reporter.progress, folder=folder))
        if not isinstance(outcome, Outcome):
            raise TypeError(f"{order['work']} must give an Outcome, not {type(outcome).__name__}")
        file = ""
        if outcome.file is not None:
            file = str(outcome.file.resolve().relative_to(folder.resolve()))
        reporter.say({"end": "done", "facts": dict(outcome.facts), "file": file, "saved_as": outcome.saved_as})
    except Refusal as refusal:
        reporter.say({"end": "refused", "sentence": refusal.sentence})
    except MemoryError:
        resource.setrlimit(resource.RLIMIT_DATA, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        reporter.say({"end": "too big"})
    except Exception:
        reporter.say({"end": "broke", "trace": traceback.format_exc()[-20_000:]})


def limit_memory(megabytes: int) -> None:
    """Allow this much more memory than now, then raise MemoryError. ChildProcess.is_too_big sees the rest."""
    try:
        with open("/proc/self/status") as status:
            sizes = dict(row.split(":", 1) for row in status)
    except OSError:  # not Linux
        return
    now = int(sizes["VmData"].split()[0]) * 1024
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (now + megabytes * 2**20, hard))


class Reporter:
    """The child's end of the socket."""

    EVERY = 0.1

    def __init__(self, line: socket.socket) -> None:
        self.line = line
        self.stage = ""
        self.said_at = 0.0

    def say(self, report: dict[str, object]) -> None:
        text = json.dumps(report)
        if len(text) > LONGEST_REPORT:
            raise ValueError(f"the result has {len(text)} characters; put it into a file")
        self.line.sendall(text.encode() + b"\n")

    def progress(self, stage: str, k: int = 0, n: int = 0) -> None:
        now = time.monotonic()
        if stage != self.stage or k == n or now - self.said_at >= self.EVERY:
            self.stage, self.said_at = stage, now
            self.say({"stage": stage[:120], "k": max(0, int(k)), "n": max(0, int(n))})


if __name__ == "__main__":
    main(int(sys.argv[1]))
