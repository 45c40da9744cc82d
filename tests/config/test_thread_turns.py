"""Threads of a server take short turns, so that a request with many queries does not wait for each of them."""

from __future__ import annotations

import subprocess
import sys

from config.servers import thread_turns
from tests.services import ROOT

GUNICORN = """
from gunicorn.workers.gthread import ThreadWorker
from config.gunicorn_worker import ImpatientWorker
ThreadWorker.init_process = lambda worker: None
ImpatientWorker.init_process(object.__new__(ImpatientWorker))
"""


def test_gunicorn_takes_short_turns(tmp_path, monkeypatch):
    monkeypatch.setenv("VAR", str(tmp_path))
    code = f"{GUNICORN}\nimport sys\nprint('turns', sys.getswitchinterval())"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert f"turns {thread_turns.SECONDS}" in done.stdout
