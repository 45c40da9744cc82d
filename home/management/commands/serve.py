"""Start the whole site: database, demo world, pages, live stream and timers here, jobs in a worker beside it."""

import contextlib
import errno
import io
import os
import signal
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import segno
import uvicorn
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError, connection
from django.db.migrations.executor import MigrationExecutor

from config import gunicorn_addresses, outages
from home import demo_world
from jobs import turns_and_leases
from jobs.timers import Ticker
from jobs.worker_process import WorkerProcess
from live import hub
from pages.site_address_for_guests import ALL_INTERFACES, guest_url, home_network_addresses
from people import rate_limits
from people.accounts import services


class Command(BaseCommand):
    help = "Start the site on HOST and PORT (default 127.0.0.1:8000)."
    requires_system_checks: tuple[str, ...] = ()

    def handle(self, *args: object, **options: object) -> None:
        check_var(settings.VAR)
        gunicorn_addresses.raise_open_files()
        listening = take_port(settings.HOST, settings.PORT)
        prepare_database()
        if not settings.AT_HOME:
            call_command("collectstatic", interactive=False, verbosity=0)
        if settings.DEMO:
            call_command("demo", first_run=True, verbosity=0)
        banner = banner_text()  # reads the database, which the server's own loop must not
        turns_and_leases.note_seen()  # it is about to start
        connection.close()
        with jobs_and_timers():
            server = Server(
                banner,
                uvicorn.Config(
                    "config.asgi:application",
                    log_config=None,
                    lifespan="off",
                    timeout_graceful_shutdown=2,
                    # Only people.rate_limits trusts proxies, and only those in settings.TRUSTED_PROXIES.
                    proxy_headers=False,
                    server_header=False,
                    access_log=False,
                ),
            )
            # After a clean shutdown uvicorn raises the signal it caught again. SIGTERM would end this process at once
            # and leave our worker running, so treat it like Ctrl-C.
            signal.signal(signal.SIGTERM, signal.default_int_handler)
            with contextlib.suppress(KeyboardInterrupt):
                server.run(sockets=[listening])
        self.stdout.write(f"The site has stopped. Everything is saved in {settings.VAR}.")


class Server(uvicorn.Server):
    def __init__(self, banner: str, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.banner = banner

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            sys.stdout.write(self.banner)
            sys.stdout.flush()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        # End open streams first: they would hold the server until its grace period is over.
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
            f"Cannot write to {var} ({error.strerror}). Change its permissions, or choose another folder: "
            "make run VAR=~/companion"
        ) from error


def take_port(host: str, port: int) -> socket.socket:
    """Bind the port right away, so that two starts at the same moment cannot both think it is free."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind((host, port))
        sock.listen(2048)
    except PermissionError as error:
        raise CommandError(f"Port {port} is only for root. Choose one above 1023: make run PORT=8000") from error
    except socket.gaierror as error:
        raise CommandError(_no_address(host)) from error
    except OSError as error:
        if error.errno == errno.EADDRNOTAVAIL:
            raise CommandError(_no_address(host)) from error
        raise CommandError(
            f"Port {port} on {host} is in use. Stop the program that uses it, or choose another: "
            f"make run PORT={port + 1}"
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
        raise CommandError(outages.database_sentence(error)) from error
    finally:
        connection.close()


@contextlib.contextmanager
def jobs_and_timers() -> Iterator[None]:
    """Timers are fired in this process; jobs run in a Celery worker beside it."""
    worker, ticker = WorkerProcess(), Ticker()
    ticker.start()
    try:
        yield
    finally:
        ticker.stop()
        worker.stop()


# ── What the terminal shows once the site is up: its address, how phones reach it, and the demo log-ins ──


def banner_text() -> str:
    out = ["", "  Mice-at-Arms campaign companion", ""]
    host = settings.HOST
    local = "127.0.0.1" if host in ALL_INTERFACES else host
    out.append(f"  Open      http://{f'[{local}]' if ':' in local else local}:{settings.PORT}/")
    if host in ALL_INTERFACES:
        addresses = home_network_addresses()
        for address in addresses:
            out.append(f"  Phones    http://{address}:{settings.PORT}/")
        if not addresses:
            out.append("  Phones    This computer is not on a network, so no phone can reach it.")
    guests = guest_url("/")
    if settings.PUBLIC_URL:
        out.append(f"  Guests    {guests.url}")
    if services.needs_code() and services.has_no_owner():
        out += ["", f"  Owner code  {services.owner_code()}   Open the site and enter it to become the owner."]
    if warning := rate_limits.proxy_warning():
        out += ["", f"  {warning}"]
    log_ins = demo_world.log_ins()
    if log_ins:
        out += ["", "  Demo log-ins (to remove the demo: .venv/bin/python manage.py demo --remove)"]
        width = max(len(row.name) for row in log_ins)
        out += [f"    {row.name:<{width}}  {row.password}   {row.part}" for row in log_ins]
    if not guests.why_no_qr:
        out += ["", *(f"  {line}" for line in qr_lines(guests.url)), f"  {guests.url}"]
    elif host in ALL_INTERFACES or settings.PUBLIC_URL:
        out += ["", f"  {guests.why_no_qr}"]
    else:
        out += ["", "  To let phones on your network in: make run HOST=0.0.0.0"]
    out += ["", "  Press Ctrl-C to stop.", ""]
    return "\n".join(out) + "\n"


def qr_lines(url: str) -> list[str]:
    out = io.StringIO()
    segno.make(url, error="m", micro=False).terminal(out, border=2, compact=True)
    return out.getvalue().rstrip("\n").split("\n")
