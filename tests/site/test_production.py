"""The production commands of the README, run exactly as printed, on a private PostgreSQL and Redis."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

import bootstrap
from tests.services import ROOT, SETTING_NAMES, free_port

pytestmark = [pytest.mark.postgres, pytest.mark.redis]

SECTION = "## Running it for real\n"
SERVERS = ("gunicorn", "uvicorn", "celery")
HOST = "mice.example.org"
# A limit for a busy machine; an idle one needs a tenth of it.
PATIENCE = 120


def commands() -> list[str]:
    """Every indented line of the README's production section."""
    section = (ROOT / "README.md").read_text().split(SECTION)[1].split("\n## ")[0]
    return [line.strip() for line in section.splitlines() if line.startswith("    ")]


def settings_in(command: str) -> dict[str, str]:
    """What an export line sets."""
    words = shlex.split(command, comments=True)
    return dict(word.split("=", 1) for word in words[1:]) if words[0] == "export" else {}


def is_server(command: str) -> bool:
    return shlex.split(command)[0].rpartition("/")[2] in SERVERS


def is_installed() -> bool:
    """Whether .venv is what the lock file names, so that bootstrap.py has nothing to do."""
    return bootstrap.read(f"{bootstrap.VENV}/installed-dev") == bootstrap.fingerprint("dev")


def wait_until(happens: Callable[[], Any], what: str) -> Any:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if found := happens():
            return found
        time.sleep(0.2)
    raise TimeoutError(f"{what}: still waiting after {PATIENCE} s")


class Production:
    """The site as the README starts it: its processes, their output, and a browser behind the proxy."""

    def __init__(self, folder: Path, database_url: str, redis_url: str) -> None:
        self.folder = folder
        self.ports = {"8000": str(free_port()), "8001": str(free_port())}
        ours = {"DATABASE_URL": database_url, "REDIS_URL": redis_url, "VAR": str(folder / "var")}
        settings = {name: value for line in commands() for name, value in settings_in(line).items()}
        clean = {name: value for name, value in os.environ.items() if name not in SETTING_NAMES}
        self.env = clean | {"DEBUG": "0", "PUBLIC_URL": f"https://{HOST}"} | settings | ours
        self.processes: dict[str, subprocess.Popen] = {}
        self.cookies: dict[str, str] = {}

    def as_here(self, command: str) -> str:
        """The command with free ports, and with the Python that runs the tests where it names one of the system."""
        for port, free in self.ports.items():
            command = re.sub(rf"\b{port}\b", free, command)
        return re.sub(r"^python3 ", f"{shlex.quote(sys.executable)} ", command)

    def output(self, name: str) -> Path:
        return self.folder / f"{name}.txt"

    def run(self, command: str) -> str:
        done = subprocess.run(
            ["bash", "-c", self.as_here(command)],
            cwd=ROOT,
            env=self.env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        return done.stdout

    def start(self, command: str) -> None:
        name = shlex.split(command)[0].rpartition("/")[2]
        with self.output(name).open("wb") as out:
            self.processes[name] = subprocess.Popen(
                ["bash", "-c", f"exec {self.as_here(command)}"],
                cwd=ROOT,
                env=self.env,
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def stop(self) -> None:
        for process in self.processes.values():
            process.terminate()
        for process in self.processes.values():
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(15)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)  # its children too; the group is ours
            process.wait()

    def is_up(self, port: str) -> bool:
        for name, process in self.processes.items():
            assert process.poll() is None, f"{name} ended:\n{self.output(name).read_text()}"
        with contextlib.suppress(OSError, http.client.HTTPException):
            return self.ask("/healthz", port=port)[0] == 200
        return False

    def connection(self, port: str) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", int(self.ports[port]), timeout=PATIENCE)

    def headers(self) -> dict[str, str]:
        """What a proxy forwards: the public host, and secure cookies although this hop is plain http."""
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return {"Host": HOST, "X-Forwarded-Proto": "https"} | ({"Cookie": cookies} if cookies else {})

    def ask(self, path: str, form: dict[str, str] | None = None, *, port: str = "8000") -> tuple[int, str, str]:
        """Status, body and the address it redirects to."""
        connection = self.connection(port)
        with contextlib.closing(connection):
            headers = self.headers()
            body = None
            if form is not None:
                body = urlencode(form)
                headers |= {"Content-Type": "application/x-www-form-urlencoded", "Origin": f"https://{HOST}"}
            connection.request("POST" if form is not None else "GET", path, body, headers)
            answer = connection.getresponse()
            for cookie in answer.headers.get_all("Set-Cookie") or []:
                assert "Secure" in cookie
                name, _, value = cookie.split(";")[0].partition("=")
                self.cookies[name] = value
            return answer.status, answer.read().decode(errors="replace"), answer.headers.get("Location", "")

    def page(self, path: str) -> str:
        status, text, _ = self.ask(path)
        assert status == 200, f"{path}: {status}\n{text[:2000]}"
        return text

    def submit(self, path: str, *, to: str = "", **fields: str) -> str:
        """Fill in the form on a page and send it; gives the address it leads to."""
        hidden = {}
        for tag in re.findall(r"<input\b[^>]*>", self.page(path)):
            found = dict(re.findall(r'(name|value|type)="([^"]*)"', tag))
            if found.get("type") == "hidden" and "name" in found:
                hidden[found["name"]] = found.get("value", "")
        status, text, leads_to = self.ask(to or path, hidden | fields)
        assert status == 302, f"{to or path}: {status}\n{text[:2000]}"
        return leads_to


@pytest.fixture
def production(tmp_path, postgres_url, redis_url) -> Iterator[Production]:
    site = Production(tmp_path, postgres_url, redis_url)
    try:
        yield site
    finally:
        site.stop()


def test_the_readme_names_what_every_process_needs():
    named = {name for line in commands() for name in settings_in(line)}
    assert {"DEBUG", "PUBLIC_URL", "DATABASE_URL", "REDIS_URL"} <= named


def test_production_commands_of_the_readme_start_the_whole_site(production):
    lines = [line for line in commands() if not settings_in(line)]
    servers = [line for line in lines if is_server(line)]
    assert [shlex.split(line)[0] for line in servers] == [f".venv/bin/{name}" for name in SERVERS]
    printed = ""
    for line in lines:
        # make test has just installed everything. In a stale .venv, installing would disturb the tests that run in it.
        if not is_server(line) and ("bootstrap.py" not in line or is_installed()):
            printed += production.run(line)
    for line in servers:
        production.start(line)
    for port in production.ports:
        wait_until(lambda port=port: production.is_up(port), f"port {port}")

    # gunicorn: pages, and a stylesheet under the name that carries its fingerprint.
    assert production.ask("/")[::2] == (302, "/first/")  # whoever has the code becomes the owner
    code = re.search(r"Owner code: (\S+)", printed).group(1)
    assert production.submit("/first/", name="Maud", password="cheese-and-thyme", code=code)
    home = production.page("/")
    production.page("/rules/")
    css = re.search(r'href="(/static/css/[^"]+\.[0-9a-f]{12}\.css)"', home)
    assert css, "no stylesheet with a fingerprint in the page"
    assert "{" in production.page(css[1])
    mine, production.cookies = production.cookies, {}
    assert "password" in production.page("/log-in/")
    production.cookies = mine

    # Ready, with Redis, and with the worker's timers running.
    def all_well() -> bool:
        ready = json.loads(production.page("/readyz"))
        return ready["checks"] == {"database": "ok", "migrations": "ok", "redis": "ok", "clock": "ok", "disk": "ok"}

    wait_until(all_well, "/readyz")

    # uvicorn: a page's own live stream begins, and hears what gunicorn writes.
    leads_to = production.submit("/campaigns/found/", name="The War of the Cheese", go="found")
    campaign = "/".join(leads_to.split("/")[:3]) + "/"  # /campaigns/<code>/
    live = re.search(r'data-live="(/live/[0-9]+/)"', production.page(campaign))
    assert live, "the page of a campaign has no live stream"
    connection = production.connection("8001")
    with contextlib.closing(connection):
        connection.request("GET", live[1], headers=production.headers() | {"Accept": "text/event-stream"})
        stream = connection.getresponse()
        assert stream.status == 200
        assert stream.headers["Content-Type"].startswith("text/event-stream")
        first = version(stream)
        production.submit(campaign, to=f"{campaign}note/", key="note-of-the-test", text="Bring your own dice.")
        assert version(stream) > first

    # Celery: a print is finished, and can be downloaded.
    production.submit("/print/scenario/ambush/", paper="a4")

    def finished() -> dict[str, Any] | None:
        job = json.loads(production.page("/api/v1/jobs/"))[0]
        assert job["state"] != "failed", job
        return job if job["state"] == "done" else None

    job = wait_until(finished, "the print")
    assert production.page(job["file_url"]).startswith("%PDF")


def version(stream: http.client.HTTPResponse) -> int:
    """The next version that the stream tells; the connection's timeout ends the wait."""
    for line in iter(stream.readline, b""):
        if line.startswith(b"event: version"):
            return int(stream.readline().removeprefix(b"data: "))
    raise AssertionError("the stream ended")
