"""The small test site in its own process, and what can be seen of that process from outside."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.services import ROOT, SETTING_NAMES, free_port, is_answering, wait_for

SERVERS = {
    "uvicorn": [
        "uvicorn",
        "tests.live.world.asgi:application",
        "--timeout-graceful-shutdown",
        "3",
        "--log-level",
        "warning",
    ],
    "gunicorn": [
        "gunicorn",
        "tests.live.world.wsgi",
        "--threads",
        "4",
        "--log-level",
        "warning",
        "--graceful-timeout",
        "1",
    ],
}


@dataclass
class World:
    var: Path
    env: dict[str, str]
    logs: list[int]
    cookies: list[str]
    port: int = 0
    process: subprocess.Popen | None = None
    others: list[World] = field(default_factory=list)

    def start(self, server: str = "uvicorn") -> World:
        self.port = free_port()
        where = ["--port", str(self.port)] if server == "uvicorn" else ["--bind", f"127.0.0.1:{self.port}"]
        with (self.var / "output.txt").open("ab") as out:
            self.process = subprocess.Popen(
                [sys.executable, "-m", *SERVERS[server], *where], cwd=ROOT, env=self.env, stdout=out, stderr=out
            )
        wait_for(lambda: self.process.poll() is not None or is_answering(self.port), 30, "the world")
        assert self.process.poll() is None, self.output
        return self

    def beside(self, server: str, **env: str) -> World:
        """Another server on the same database."""
        other = World(self.var, self.env | env, self.logs, self.cookies).start(server)
        self.others.append(other)
        return other

    @property
    def output(self) -> str:
        return (self.var / "output.txt").read_text()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def cookie(self, number: int = 0) -> str:
        return f"companion_session={self.cookies[number]}"

    def run(self, *words: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "tests.live.world.prepare", *words],
            cwd=ROOT,
            env=self.env,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def write_from_outside(self, log_id: int, *texts: str) -> str:
        """Write from another process, as manage.py would, and return the version."""
        return self.run("write", str(log_id), *texts).strip()

    def stop(self, sig: int = signal.SIGINT) -> float:
        begin = time.monotonic()
        if self.process and self.process.poll() is None:
            self.process.send_signal(sig)
            try:
                self.process.wait(15)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        return time.monotonic() - begin

    def texts(self, log_id: int) -> list[str]:
        """The texts in the log, oldest first, read from the database file itself."""
        import sqlite3

        with sqlite3.connect(self.var / "companion.sqlite3") as connection:
            rows = connection.execute("SELECT body FROM log_entry WHERE log_id = ? ORDER BY number", [log_id])
            return [json.loads(row[0])["text"] for row in rows]

    # The process seen from outside

    def status(self, name: str) -> int:
        text = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(next(line for line in text.splitlines() if line.startswith(f"{name}:")).split()[1])

    @property
    def threads(self) -> int:
        return self.status("Threads")

    @property
    def megabytes(self) -> float:
        return self.status("VmRSS") / 1024

    @property
    def database_files(self) -> int:
        """How many file descriptors the process holds on the database; one connection holds up to three."""
        result = 0
        for path in Path(f"/proc/{self.process.pid}/fd").iterdir():
            try:
                result += "companion.sqlite3" in os.readlink(path)
            except OSError:
                continue
        return result


@pytest.fixture(scope="session")
def make_world(tmp_path_factory):
    made: list[World] = []

    def make(people: int = 3, *, start: bool = True, **env: str) -> World:
        var = tmp_path_factory.mktemp("world")
        clean = {name: value for name, value in os.environ.items() if name not in SETTING_NAMES}
        world = World(var, clean | {"VAR": str(var), "DEMO": "0"} | env, [], [])
        made_there = json.loads(world.run(str(people)))
        world.logs, world.cookies = made_there["logs"], made_there["cookies"]
        made.append(world)
        return world.start() if start else world

    yield make
    for world in made:
        for row in (world, *world.others):
            row.stop()


@pytest.fixture(scope="session")
def world(make_world) -> World:
    """The world most tests share."""
    return make_world()


@pytest.fixture
def log(world) -> int:
    """A new log in the shared world."""
    import sqlite3

    with sqlite3.connect(world.var / "companion.sqlite3", timeout=20) as connection:
        row = "INSERT INTO log_log (kind, version, length, size) VALUES ('world', 1, 0, 0)"
        return connection.execute(row).lastrowid


@pytest.fixture
def open_page(browser):
    """Open the world's page as one of its people and wait until its stream is up."""
    contexts = []

    def open_page(
        world: World,
        log: int | None = None,
        *,
        who: int = 0,
        port: int = 0,
        before=None,
        fresh: bool = False,
        **options,
    ):
        context = browser.new_context(**options)
        context.set_default_timeout(30_000)
        contexts.append(context)
        url = f"http://127.0.0.1:{port or world.port}"
        if fresh:  # a separate log-in, for tests that end it
            assert context.request.post(f"{url}/log-in/", form={"name": f"mouse{who}"}).ok
        else:
            context.add_cookies([{"name": "companion_session", "value": world.cookies[who], "url": url}])
        page = context.new_page()
        if before:
            before(page)
        address = f"{url}/{log or world.logs[0]}/"
        if options.get("java_script_enabled", True):
            with page.expect_response(lambda response: "/live/" in response.url):
                page.goto(address)
        else:
            page.goto(address)
        return page

    yield open_page
    for context in contexts:
        context.close()
