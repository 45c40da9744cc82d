"""Private servers for the tests: PostgreSQL, Redis, Chromium and the site, each with its own port and folder.

Where a program is missing the test is skipped with one line that names the package, or fails with REQUIRE_SERVICES=1.
"""

from __future__ import annotations

import contextlib
import os
import pwd
import resource
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.migrated_once import migrate, migrated_file, migrated_once
from tests.site_console import Console

ROOT = Path(__file__).resolve().parent.parent
REQUIRED = os.environ.get("REQUIRE_SERVICES") == "1"


def skip_or_fail(kind: str, package: str) -> None:
    sentence = f"needs {kind}: install the package {package}"
    if REQUIRED:
        pytest.fail(sentence, pytrace=False)
    pytest.skip(sentence)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(ready, seconds: float, what: str) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if ready():
            return
        time.sleep(0.05)
    raise TimeoutError(f"{what} did not come up within {seconds:g} s")


def is_answering(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 0.5):
        return True
    return False


def stop_process(process: subprocess.Popen, seconds: float = 5) -> None:
    """Stop a process we started; kill it if it does not end."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def slowdown(niceness: int | None = None) -> float:
    """How much longer than on an idle machine a process takes just now, from the start of one: a job's, if not said."""
    from jobs.registry import NICENESS

    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    nice = ["nice", "-n", str(NICENESS if niceness is None else niceness)]
    words = [*nice, sys.executable, "-c", "import django.db.models"]
    subprocess.run(words, cwd=ROOT, check=True)
    took, after = time.monotonic() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    return max(1.0, took / (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime))


# PostgreSQL


def postgres_program(name: str) -> str | None:
    if result := shutil.which(name):
        return result
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    if config := shutil.which("pg_config"):
        folders.insert(0, Path(subprocess.run([config, "--bindir"], capture_output=True, text=True).stdout.strip()))
    return next((str(folder / name) for folder in folders if (folder / name).exists()), None)


@contextlib.contextmanager
def private_postgres(prepared: Path | None = None, *, durable: bool = False) -> Iterator[str]:
    """A server of its own on a new folder of data, or on a copy of ``prepared``; ``durable`` as on a real machine."""
    folder = Path(tempfile.mkdtemp(prefix="companion-pg-"))
    if os.geteuid() == 0:
        shutil.chown(folder, *_postgres_user())
    try:
        if prepared:
            subprocess.run(["cp", "-a", str(prepared), str(folder / "data")], check=True)
        else:
            make_postgres_data(folder / "data")
        with running_postgres(folder, durable=durable) as url:
            yield url
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _postgres_user() -> tuple[str, str]:
    # PostgreSQL refuses to run as root, so there it runs as its own user in a folder that user owns.
    user = "postgres" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name
    return user, user


def _run_as_postgres() -> dict[str, Any]:
    run: dict[str, Any] = {"cwd": "/", "stdout": subprocess.DEVNULL}
    return run | ({"user": _postgres_user()[0], "extra_groups": []} if os.geteuid() == 0 else {})


def make_postgres_data(data: Path) -> None:
    initdb = postgres_program("initdb")
    if not initdb or not postgres_program("postgres"):
        skip_or_fail("PostgreSQL", "postgresql")
    words = [initdb, "-D", str(data), "-U", "companion", "-A", "trust", "-E", "UTF8", "--no-sync"]
    made = subprocess.run(words, stderr=subprocess.PIPE, **_run_as_postgres())
    if made.returncode:
        raise RuntimeError(made.stderr.decode())


@contextlib.contextmanager
def running_postgres(folder: Path, *, durable: bool = False) -> Iterator[str]:
    """A server on the data in this folder."""
    server, port = postgres_program("postgres"), free_port()
    fast = [word for name in ("fsync", "synchronous_commit", "full_page_writes") for word in ("-c", f"{name}=off")]
    where = ["-D", str(folder / "data"), "-p", str(port), "-k", str(folder), "-h", "127.0.0.1"]
    command = [server, *where, "-c", "max_connections=300", *([] if durable else fast)]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, **_run_as_postgres())
    url = f"postgresql://companion@127.0.0.1:{port}/postgres"
    try:
        wait_for(lambda: _postgres_ready(url), 30, "PostgreSQL")
        yield url
    finally:
        # SIGINT is PostgreSQL's fast stop: it does not wait for clients that are still connected.
        process.send_signal(signal.SIGINT)
        stop_process(process, 10)


def _postgres_ready(url: str) -> bool:
    import psycopg

    with contextlib.suppress(psycopg.OperationalError), psycopg.connect(url, connect_timeout=2):
        return True
    return False


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """A private server with one migrated database, MIGRATED."""
    with private_postgres(migrated_once("postgres", prepare_postgres) / "data") as url:
        yield url


MIGRATED = "migrated"


def prepare_postgres(folder: Path) -> None:
    """Data of a server whose database MIGRATED is migrated, so that each worker copies it."""
    if os.geteuid() == 0:
        shutil.chown(folder, *_postgres_user())
    make_postgres_data(folder / "data")
    with running_postgres(folder) as server:
        import psycopg

        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {MIGRATED}")
        url = f"{server.rsplit('/', 1)[0]}/{MIGRATED}"
        with tempfile.TemporaryDirectory(prefix="companion-migrate-") as var:
            migrate(VAR=var, DATABASE_URL=url)


def create_database(server: str, template: str = "") -> str:
    """The address of a new database on the private server: empty, or a copy of ``template``."""
    import psycopg

    name = f"t_{secrets.token_hex(6)}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} {f'TEMPLATE {template}' if template else ''}")
    return f"{server.rsplit('/', 1)[0]}/{name}"


def drop_database(server: str, url: str) -> None:
    import psycopg

    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {url.rsplit('/', 1)[1]} WITH (FORCE)")


@pytest.fixture
def postgres_url(postgres_server: str) -> Iterator[str]:
    """The address of an empty database of its own on the private server."""
    url = create_database(postgres_server)
    yield url
    drop_database(postgres_server, url)


@pytest.fixture(scope="session")
def migrated_sqlite() -> Path:
    """A migrated SQLite file to copy."""
    return migrated_file()


@pytest.fixture(scope="session")
def migrated_postgres(postgres_server: str) -> str:
    """The name of a migrated database on the private server. Use it as a template."""
    return MIGRATED


@pytest.fixture
def migrated_postgres_url(postgres_server: str, migrated_postgres: str) -> Iterator[str]:
    """The address of a migrated database of its own."""
    url = create_database(postgres_server, migrated_postgres)
    yield url
    drop_database(postgres_server, url)


# Redis


@contextlib.contextmanager
def private_redis(port: int | None = None) -> Iterator[str]:
    server = shutil.which("redis-server")
    if not server:
        skip_or_fail("Redis", "redis-server")
    port = port or free_port()
    folder = tempfile.mkdtemp(prefix="companion-redis-")
    command = [server, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", folder]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(lambda: is_answering(port), 15, "Redis")
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        stop_process(process)
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def redis_server() -> Iterator[str]:
    with private_redis() as url:
        yield url


@pytest.fixture
def redis_url(redis_server: str) -> str:
    """The private Redis, emptied."""
    import redis

    with redis.Redis.from_url(redis_server) as connection:
        connection.flushall()
    return redis_server


# The site


@dataclass
class Site:
    """A real server process on a database of its own."""

    var: Path
    port: int
    env: dict[str, str]
    process: subprocess.Popen | None = None
    console: Console | None = None
    output: Path = field(init=False)

    def __post_init__(self) -> None:
        self.output = self.var.parent / "output.txt"

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self, seconds: float = 60) -> Site:
        with self.output.open("ab") as out:
            self.process = subprocess.Popen(
                [sys.executable, "manage.py", "serve"], cwd=ROOT, env=self.env, stdout=out, stderr=subprocess.STDOUT
            )
        try:
            wait_for(lambda: self.process.poll() is not None or self.get("/healthz")[0] == 200, seconds, "the site")
            if self.process.poll() is not None:
                raise RuntimeError("the site ended at once")
        except Exception as error:
            raise RuntimeError(f"{error}:\n{self.output.read_text()}") from error
        return self

    def get(self, path: str, **headers: str) -> tuple[int, str]:
        request = urllib.request.Request(self.url + path, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=10) as response:
                return response.status, response.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()
        except OSError:
            return 0, ""

    def manage(self, *words: str, stdin: str | None = None, seconds: float = 120) -> str:
        done = subprocess.run(
            [sys.executable, "manage.py", *words],
            cwd=ROOT,
            env=self.env,
            capture_output=True,
            text=True,
            input=stdin,
            timeout=seconds,
        )
        if done.returncode:
            raise RuntimeError(f"manage.py {' '.join(words)} failed:\n{done.stdout}{done.stderr}")
        return done.stdout

    def shell(self, code: str, seconds: float = 120) -> str:
        """What ``manage.py shell -c`` prints, from a process of its own."""
        if self.console and (self.console.env != self.env or self.console.process.poll() is not None):
            self.console.stop()
            self.console = None
        self.console = self.console or Console(self.env)
        return self.console.run(code, seconds)

    def stop(self) -> float:
        """Ctrl-C; gives how many seconds it took."""
        begin = time.monotonic()
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(15)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        return time.monotonic() - begin

    def kill(self) -> None:
        """kill -9, as a power cut would."""
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()


@pytest.fixture(scope="session")
def make_site(tmp_path_factory: pytest.TempPathFactory, migrated_sqlite: Path) -> Iterator:
    """make_site(DEMO="1", …) starts a site; all are stopped at the end. Its SQLite file is migrated by default."""
    made: list[Site] = []

    def make(*, start: bool = True, migrated: bool = True, **env: str) -> Site:
        folder = tmp_path_factory.mktemp("site")
        port = int(env.get("PORT") or free_port())
        clean = {k: v for k, v in os.environ.items() if k not in SETTING_NAMES}
        full = clean | {"VAR": str(folder / "var"), "PORT": str(port), "DEMO": "0", "PYTHONUNBUFFERED": "1"} | env
        site = Site(var=Path(full["VAR"]), port=port, env=full)
        if migrated and not env.get("DATABASE_URL") and not site.var.exists():
            site.var.mkdir()
            shutil.copy(migrated_sqlite, site.var)
        made.append(site)
        return site.start() if start else site

    yield make
    for site in made:
        site.stop()
        if site.console:
            site.console.stop()


SETTING_NAMES = {
    "DATABASE_URL",
    "REDIS_URL",
    "PUBLIC_URL",
    "HOST",
    "PORT",
    "DEBUG",
    "DEMO",
    "SECRET_KEY",
    "SIGN_UP",
    "VAR",
    "DJANGO_ALLOW_ASYNC_UNSAFE",  # for the tests' own browser; deploy refuses it
}


@pytest.fixture(scope="session")
def site(make_site) -> Site:
    """The site that most browser tests share: default settings, no demo."""
    return make_site()


# Chromium


def chromium_program() -> str | None:
    return next(
        filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"))),
        None,
    )


CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


@pytest.fixture(scope="session")
def browser() -> Iterator:
    program = chromium_program()
    if not program:
        skip_or_fail("Chromium", "chromium")
    from playwright.sync_api import sync_playwright

    from tests.browser_phones import set_patience

    set_patience()
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=program, args=CHROMIUM_FLAGS)
        yield chromium
        chromium.close()
