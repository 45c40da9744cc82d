"""Sites to break: all in one process on SQLite, and three kinds of processes on PostgreSQL and Redis."""

from __future__ import annotations

import contextlib
import os
import pwd
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg

from tests.services import ROOT, SETTING_NAMES, free_port, is_answering, stop_process, wait_for

PATIENCE = 120


class BreakableSite:
    """Processes by name, each of which can be killed and started again."""

    def __init__(self, var: Path, **env: str) -> None:
        self.port = free_port()
        clean = {name: value for name, value in os.environ.items() if name not in SETTING_NAMES}
        own = {"VAR": str(var), "PORT": str(self.port), "DEMO": "0", "LOG_LEVEL": "ERROR", "API_RATE": "0"}
        self.env = clean | own | env
        self.var = var
        self.commands: dict[str, list[str]] = {}
        self.processes: dict[str, subprocess.Popen] = {}

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self, *names: str) -> None:
        for name in names or self.commands:
            self.processes[name] = subprocess.Popen(
                self.commands[name],
                cwd=ROOT,
                env=self.env,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        if "web" in (names or self.commands):
            wait_for(lambda: is_answering(self.port), PATIENCE, "the site")

    def kill(self, name: str) -> None:
        """kill -9 of the process and its children, as a power cut would."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.processes[name].pid, signal.SIGKILL)
        self.processes[name].wait()

    def stop(self) -> None:
        for process in self.processes.values():
            stop_process(process, 10)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)

    def shell(self, code: str) -> str:
        return self.manage("shell", "-v0", "-c", code)

    def manage(self, *words: str) -> str:
        command = [sys.executable, "manage.py", *words]
        done = subprocess.run(command, cwd=ROOT, env=self.env, capture_output=True, text=True, timeout=PATIENCE)
        if done.returncode:
            raise RuntimeError(done.stderr[-2000:])
        return done.stdout


@contextlib.contextmanager
def embedded_site(var: Path) -> Iterator[BreakableSite]:
    site = BreakableSite(var)
    site.commands = {"web": [sys.executable, "manage.py", "serve"]}
    try:
        site.start()
        yield site
    finally:
        site.stop()


@contextlib.contextmanager
def production_site(var: Path, database_url: str) -> Iterator[BreakableSite]:
    redis_port = free_port()
    site = BreakableSite(var, DATABASE_URL=database_url, REDIS_URL=f"redis://127.0.0.1:{redis_port}/0", DEBUG="0")
    site.env["PUBLIC_URL"] = site.url
    python = [sys.executable, "-m"]
    folder = str(var.parent)
    site.commands = {
        "redis": ["redis-server", "--port", str(redis_port), "--bind", "127.0.0.1", "--save", "", "--dir", folder],
        "web": [*python, "gunicorn", "config.wsgi", "--workers", "3", "--bind", f"127.0.0.1:{site.port}"],
        "worker": [*python, "celery", "-A", "config", "worker", "--concurrency", "2", "--loglevel", "ERROR"],
    }
    site.manage("deploy")
    try:
        site.start()
        yield site
    finally:
        site.stop()


@contextlib.contextmanager
def small_folder(megabytes: int) -> Iterator[Path | None]:
    """A folder with a disk of its own that is soon full; None where we may not mount one."""
    folder = Path(tempfile.mkdtemp(prefix="companion-small-"))
    mount = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(folder)]
    done = subprocess.run(mount, capture_output=True) if shutil.which("mount") else None
    if done is None or done.returncode:
        folder.rmdir()
        yield None
        return
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=False)
        with contextlib.suppress(OSError):
            folder.rmdir()


def stop_postgres(url: str, seconds: float) -> subprocess.Popen:
    """Stop the private server, wait, and start it again. Returns the new process."""
    with psycopg.connect(url) as connection:
        data = Path(connection.execute("SELECT current_setting('data_directory')").fetchone()[0])
    command = shlex.split((data / "postmaster.opts").read_text())
    os.kill(int((data / "postmaster.pid").read_text().splitlines()[0]), signal.SIGINT)
    time.sleep(seconds)
    wait_for(lambda: not (data / "postmaster.pid").exists(), 30, "the end of PostgreSQL")
    as_owner = {}
    if os.geteuid() == 0:
        as_owner = {"user": pwd.getpwuid(data.stat().st_uid).pw_name, "extra_groups": []}
    return subprocess.Popen(command, cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **as_owner)
