"""Threads of a server take short turns, so that a request with many queries does not wait for each of them."""

from __future__ import annotations

import subprocess
import sys

import pytest

from config.servers import thread_turns
from tests.services import ROOT

GUNICORN = """
from gunicorn.workers.gthread import ThreadWorker
from config.gunicorn_worker import ImpatientWorker
ThreadWorker.init_process = lambda worker: None
ImpatientWorker.init_process(object.__new__(ImpatientWorker))
"""
UVICORN = "import config.asgi"


@pytest.mark.parametrize("start", [GUNICORN, UVICORN], ids=["gunicorn", "uvicorn"])
def test_servers_take_short_turns(start, tmp_path, monkeypatch):
    monkeypatch.setenv("VAR", str(tmp_path))
    code = f"{start}\nimport sys\nprint('turns', sys.getswitchinterval())"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert f"turns {thread_turns.SECONDS}" in done.stdout
