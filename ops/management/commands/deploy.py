"""manage.py deploy"""

from __future__ import annotations

import compileall
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import OperationalError, connection
from django.db.migrations.executor import MigrationExecutor

from config import gunicorn_addresses
from ops.migration_safety import Conflict, find_conflicts
from people.accounts import first_owner

NOT_OURS = re.compile(r"/(\.venv|tests|var)/")
# Any number will do, as long as every release uses the same one.
DEPLOY_LOCK = 7_403_201


class Command(BaseCommand):
    help = "Prepare a new release: check the settings, update the tables, collect static files. Safe to run twice."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--keep-running",
            action="store_true",
            help="Stop if the older release, still running, could not work with the new tables.",
        )

    def handle(self, *args: Any, keep_running: bool = False, **options: Any) -> None:
        call_command("check", deploy=not settings.AT_HOME, stdout=self.stdout, stderr=self.stderr)
        with _one_at_a_time():
            pending, conflicts = self._pending_migrations()
            if conflicts:
                self._explain(conflicts, keep_running)
            if pending:
                call_command("migrate", interactive=False, verbosity=0)
            self.stdout.write(f"Tables: {_count(pending, 'migration')} applied." if pending else "Tables: up to date.")
        call_command("collectstatic", interactive=False, verbosity=0)
        self.stdout.write(f"Static files: collected in {settings.STATIC_ROOT}.")
        # Where the processes may not write beside our code, each start would compile all of it again.
        compileall.compile_dir(settings.BASE_DIR, quiet=2, rx=NOT_OURS)
        if warning := gunicorn_addresses.warning(gunicorn_addresses.known_binds()):
            self.stdout.write(f"Warning: {warning}")
        if first_owner.has_no_owner():
            call_command("owner_code", stdout=self.stdout)
        self.stdout.write("Ready. Start or restart the processes.")

    def _pending_migrations(self) -> tuple[int, list[Conflict]]:
        executor = MigrationExecutor(connection)
        plan = [migration for migration, _ in executor.migration_plan(executor.loader.graph.leaf_nodes())]
        if not executor.loader.applied_migrations:
            return len(plan), []  # a new site has no older release
        applied = [key for key in executor.loader.applied_migrations if key in executor.loader.graph.nodes]
        before = executor.loader.project_state(applied) if plan else None
        return len(plan), find_conflicts(plan, before)

    def _explain(self, conflicts: list[Conflict], keep_running: bool) -> None:
        for conflict in conflicts:
            self.stdout.write(f"  {conflict}")
        sentence = "The older release cannot work with these changes. Stop its processes first."
        if keep_running:
            raise CommandError(f"{sentence} Nothing was changed.")
        self.stdout.write(sentence)


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    """On PostgreSQL two machines that deploy at once wait for each other. SQLite has one machine and its own lock."""
    try:
        connection.ensure_connection()
    except OperationalError as error:
        raise CommandError(f"The database does not answer. Check DATABASE_URL. ({str(error).strip()})") from error
    if connection.vendor != "postgresql":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [DEPLOY_LOCK])
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [DEPLOY_LOCK])


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
