"""Starts everything the site needs in one go: database, demo world, pages, live stream, jobs."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import uvicorn
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError, connection
from django.db.migrations.executor import MigrationExecutor

from home import banner
from jobs import embedded
from live import hub


class Command(BaseCommand):
    help = "Starts the site on HOST and PORT (default 127.0.0.1:8000)."
    requires_system_checks = []

    def handle(self, *args: object, **options: object) -> None:
        check_var(settings.VAR)
        listening = take_port(settings.HOST, settings.PORT)
        prepare_database()
        if not settings.AT_HOME:
            call_command("collectstatic", interactive=False, verbosity=0)
        if settings.DEMO:
            call_command("demo", first_run=True, verbosity=0)
        with workers():
            server = Server(
                uvicorn.Config(
                    "config.asgi:application",
                    log_config=None,
                    lifespan="off",
                    timeout_graceful_shutdown=2,
                    # Proxies are believed by settings.TRUSTED_PROXIES only, where failures are counted.
                    proxy_headers=False,
                    server_header=False,
                    access_log=False,
                )
            )
            # uvicorn has shut down in good order by then, and raises the signal it caught once more. What kill sends would
            # end this process there and then, and leave a worker of ours running; so it counts as Ctrl-C.
            signal.signal(signal.SIGTERM, signal.default_int_handler)
            with contextlib.suppress(KeyboardInterrupt):
                server.run(sockets=[listening])
        self.stdout.write("The site has stopped. Everything is kept in " + str(settings.VAR) + ".")


class Server(uvicorn.Server):
    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            sys.stdout.write(banner.text())
            sys.stdout.flush()

    def handle_exit(self, sig: int, frame: object) -> None:
        # Open streams would hold the server for its whole grace; they are told to end first.
        hub.shutdown()
        super().handle_exit(sig, frame)


def check_var(var: Path) -> None:
    try:
        var.mkdir(parents=True, exist_ok=True)
        probe = var / f".write-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise CommandError(
            f"{var} cannot be written to ({error.strerror}). Give yourself the right to write there, or name another "
            "folder: make run VAR=~/companion"
        ) from error


def take_port(host: str, port: int) -> socket.socket:
    """Bind at once, so that two starts at the same moment cannot both believe the port is free."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind((host, port))
        sock.listen(2048)
    except PermissionError as error:
        raise CommandError(f"Port {port} needs the rights of root. Take one above 1023: make run PORT=8000") from error
    except socket.gaierror as error:
        raise CommandError(_no_address(host)) from error
    except OSError as error:
        if error.errno == errno.EADDRNOTAVAIL:
            raise CommandError(_no_address(host)) from error
        raise CommandError(
            f"Port {port} on {host} is taken. Stop the program that uses it, or choose another: make run PORT={port + 1}"
        ) from error
    return sock


def _no_address(host: str) -> str:
    return f"HOST={host} is not an address of this computer. Try HOST=0.0.0.0 or 127.0.0.1."


def prepare_database() -> None:
    try:
        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            call_command("migrate", interactive=False, verbosity=0)
    except OperationalError as error:
        where = settings.DATABASES["default"]
        raise CommandError(
            f"The database {where['NAME']} does not answer: {str(error).strip().splitlines()[0]}. "
            "Check DATABASE_URL, or unset it to use the built-in one."
        ) from error
    finally:
        connection.close()


@contextlib.contextmanager
def workers() -> Iterator[None]:
    """Jobs: inside this process without Redis, in a Celery worker beside it with Redis."""
    if not settings.REDIS_URL:
        embedded.start()
        try:
            yield
        finally:
            embedded.stop()
        return
    command = [sys.executable, "-m", "celery", "-A", "config", "worker", "--concurrency=1", "--loglevel=WARNING"]
    # A group of its own: Ctrl-C in the terminal must not reach it before we have stopped taking requests.
    worker = subprocess.Popen(command, cwd=settings.BASE_DIR, start_new_session=True)
    try:
        yield
    finally:
        worker.send_signal(signal.SIGTERM)
        try:
            worker.wait(2)
        except subprocess.TimeoutExpired:
            worker.kill()
            worker.wait()
