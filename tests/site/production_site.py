"""The site as the README starts it in production: its commands, and a place to run them exactly as printed.

The place is a copy of the project whose .venv was made from requirements.txt alone: the tests' own has more packages,
which hid that the worker lacked one. PostgreSQL and Redis are private.
"""

from __future__ import annotations

import configparser
import contextlib
import fcntl
import http.client
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import yaml

import bootstrap
from tests.services import ROOT, free_port, skip_or_fail

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


def program_of(command: str) -> str:
    return shlex.split(command)[0].rpartition("/")[2]


def systemd_commands() -> list[str]:
    """What the units start, in the folder they name."""
    rows = []
    for path in sorted((ROOT / "deploy" / "systemd").glob("*.service")):
        unit = configparser.ConfigParser(interpolation=None, strict=False)
        unit.read(path)
        rows.append(unit["Service"]["ExecStart"].replace(f"{unit['Service']['WorkingDirectory']}/", ""))
    return rows


def container_commands() -> list[str]:
    """What the containers start, after the steps that make their image."""
    services = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text())["services"]
    return [shlex.join(row["command"]) for row in services.values() if "build" in row]


def container_steps() -> list[str]:
    """What makes the image, but for what only root does before the project is there."""
    text = (ROOT / "deploy" / "Containerfile").read_text()
    return re.findall(r"^RUN (.*)$", text[text.index("\nUSER ") :], re.M)


def make_copy(folder: Path) -> None:
    """The project as a clone has it, with a .venv from the lock file alone. Runs with the same lock share the .venv."""
    hidden = shutil.ignore_patterns(".git", ".venv", "var", "__pycache__", ".*_cache", ".hypothesis")
    shutil.copytree(ROOT, folder, ignore=hidden)
    made = Path(tempfile.gettempdir()) / f"companion-run-{os.getuid()}-{bootstrap.fingerprint('run')[:16]}"
    made.mkdir(exist_ok=True)
    with (made / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for name in ("bootstrap.py", *bootstrap.LOCKS.values()):
            shutil.copy(ROOT / name, made)
        subprocess.run([sys.executable, "bootstrap.py", "run"], cwd=made, check=True, timeout=600)
    (folder / ".venv").symlink_to(made / ".venv")


def wait_until(happens: Callable[[], Any], what: str) -> Any:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if result := happens():
            return result
        time.sleep(0.2)
    raise TimeoutError(f"{what}: still waiting after {PATIENCE} s")


class Production:
    """The site as the README starts it: its processes, their output, and a browser behind the proxy."""

    def __init__(self, folder: Path, database_url: str, redis_url: str) -> None:
        self.folder = folder
        self.code = folder / "companion"
        self.ports = {"8000": str(free_port()), "8001": str(free_port())}
        ours = {"DATABASE_URL": database_url, "REDIS_URL": redis_url, "VAR": str(folder / "var")}
        settings = {name: value for line in commands() for name, value in settings_in(line).items()}
        # Nothing of this machine's environment, and a home that cannot be written, as under systemd.
        self.env = {"PATH": "/usr/bin:/bin", "HOME": "/dev/null"} | settings | ours
        self.processes: dict[str, subprocess.Popen] = {}
        self.cookies: dict[str, str] = {}
        self.owner_code = ""

    def as_here(self, command: str) -> str:
        """The command with free ports, and with the Python that runs the tests where it names one of the system."""
        for port, free in self.ports.items():
            command = re.sub(rf"\b{port}\b", free, command).replace("0.0.0.0", "127.0.0.1")
        return re.sub(r"^python3 ", f"{shlex.quote(sys.executable)} ", command)

    def output(self, name: str) -> Path:
        return self.folder / f"{name}.txt"

    def run(self, command: str) -> str:
        done = subprocess.run(
            ["bash", "-c", self.as_here(command)],
            cwd=self.code,
            env=self.env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        return done.stdout

    def start(self, command: str) -> None:
        name = program_of(command)
        with self.output(name).open("wb") as out:
            self.processes[name] = subprocess.Popen(
                ["bash", "-c", f"exec {self.as_here(command)}"],
                cwd=self.code,
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
        self.processes.clear()

    def check_alive(self) -> None:
        for name, process in self.processes.items():
            assert process.poll() is None, f"{name} ended:\n{self.output(name).read_text()}"

    def is_up(self, port: str) -> bool:
        self.check_alive()
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

    def read_pdf(self, path: str) -> str:
        """The text on the paper, read by another program."""
        connection = self.connection("8000")
        with contextlib.closing(connection):
            connection.request("GET", path, headers=self.headers())
            (self.folder / "print.pdf").write_bytes(connection.getresponse().read())
        if shutil.which("pdftotext") is None:
            skip_or_fail("poppler", "poppler-utils")
        words = ["pdftotext", str(self.folder / "print.pdf"), "-"]
        return subprocess.run(words, capture_output=True, text=True, check=True).stdout

    def submit(self, path: str, *, to: str = "", **fields: str) -> str:
        """Fill in the form on a page and send it; gives the address it leads to."""
        hidden = {}
        for tag in re.findall(r"<input\b[^>]*>", self.page(path)):
            matches = dict(re.findall(r'(name|value|type)="([^"]*)"', tag))
            if matches.get("type") == "hidden" and "name" in matches:
                hidden[matches["name"]] = matches.get("value", "")
        status, text, leads_to = self.ask(to or path, hidden | fields)
        assert status == 302, f"{to or path}: {status}\n{text[:2000]}"
        return leads_to
