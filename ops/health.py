"""Health checks: alive (the process answers), ready (it has this release's tables); what runs and is stored here."""

import logging
import os
import platform
import shutil
import sqlite3
import time
import tomllib
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

import django
import redis
from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from jobs import turns_and_leases

logger = logging.getLogger(__name__)

OK = "ok"
FULL = "full"
MEGABYTE = 1024 * 1024
# A backup of a club's site has a few megabytes, a print one.
LOW_BELOW = 200 * MEGABYTE
FULL_BELOW = 5 * MEGABYTE
# After a start the worker may still be on its way: nobody is sent away for that.
STARTING = "starting"
GRACE = 60.0
_started_at = time.monotonic()

# Once the tables were found to be those of this release they stay so for the life of the process.
_migrated = False


@dataclass(frozen=True, slots=True)
class Health:
    """Each check says "ok" or what is wrong. Not ready without what every page and every order needs."""

    database: str
    migrations: str
    redis: str
    clock: str
    worker: str
    disk: str

    @property
    def is_ready(self) -> bool:
        orders_are_filled = self.clock in (OK, STARTING) and self.worker in (OK, STARTING)
        return self.database == OK and self.migrations == OK and self.disk != FULL and orders_are_filled

    @property
    def is_degraded(self) -> bool:
        others = (self.clock, self.worker, self.disk)
        return not self.is_ready or self.redis not in (OK, "not used") or any(check != OK for check in others)


def check_health() -> Health:
    database = check_database()
    if database != OK:
        return Health(database, "unknown", check_redis(), "unknown", "unknown", check_disk())
    migrations = check_migrations()
    clock, worker = check_clock_and_worker() if migrations == OK else ("unknown", "unknown")
    return Health(OK, migrations, check_redis(), clock, worker, check_disk())


def check_database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
            cursor.fetchone()
    except (DatabaseError, InterfaceError) as error:
        logger.warning("the database does not answer: %s", str(error).strip())
        connection.close()
        return "does not answer"
    return OK


def check_migrations() -> str:
    global _migrated
    if _migrated:
        return OK
    executor = MigrationExecutor(connection)
    missing = len(executor.migration_plan(executor.loader.graph.leaf_nodes()))
    _migrated = not missing
    return OK if _migrated else f"{missing} missing, run manage.py migrate"


def check_redis() -> str:
    if not settings.REDIS_URL:
        return "not used"
    client = redis.Redis.from_url(settings.REDIS_URL, socket_connect_timeout=1, socket_timeout=1)
    try:
        client.ping()
    except redis.RedisError:
        return "does not answer"
    finally:
        client.close()
    return OK


def check_disk() -> str:
    """How much the folder of the site can still take: a warning in time, and "full" when nothing can be saved."""
    try:
        free = shutil.disk_usage(settings.VAR).free
    except OSError:
        return FULL
    if free < FULL_BELOW:
        return FULL
    return OK if free >= LOW_BELOW else f"only {free // MEGABYTE} MB free"


def check_clock_and_worker() -> tuple[str, str]:
    """Whether some process fires timers, and some process runs jobs."""
    away = turns_and_leases.away_parts()
    is_starting = time.monotonic() - _started_at < GRACE
    to_do = "Start the worker." if settings.REDIS_URL else "Restart the site."

    def check(part: str, missing: str) -> str:
        if part not in away:
            return OK
        return STARTING if is_starting else f"away for more than a minute: {missing}. {to_do}"

    return check("clock", "no timer fires"), check("worker", "no job is done")


@never_cache
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    return HttpResponse("ok\n", content_type="text/plain")


@never_cache
@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    health = check_health()
    answer = {"ready": health.is_ready, "degraded": health.is_degraded, "checks": asdict(health)}
    return JsonResponse(answer, status=200 if health.is_ready else 503)


# ── Which release of the companion this is ───────────────────────────────────────────────────────────────


@cache
def version() -> str:
    return tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text())["project"]["version"]


# ── What var/ holds and how big each part is, and which versions are running ─────────────────────────────


@dataclass(frozen=True, slots=True)
class StoragePart:
    name: str
    words: str
    size: int
    files: int


def storage_parts() -> list[StoragePart]:
    var = Path(settings.VAR)
    files = Path(settings.MEDIA_ROOT)
    made = _measure(files / "jobs")
    all_files = _measure(files)
    backups = _measure(Path(settings.BACKUPS))
    static = _measure(Path(settings.STATIC_ROOT))
    database = _database()
    logs = _logs()
    known = [all_files, backups, static, logs] + ([database] if connection.vendor == "sqlite" else [])
    whole = _measure(var)
    rest = (max(0, whole[0] - sum(size for size, _ in known)), max(0, whole[1] - sum(count for _, count in known)))
    return [
        StoragePart("Database", "People, campaigns and everything they wrote", *database),
        StoragePart("Made by jobs", "Prints and exports; cleared after a month", *made),
        StoragePart("Other files", "Uploaded by people", all_files[0] - made[0], all_files[1] - made[1]),
        StoragePart("Backups", "The newest backups", *backups),
        StoragePart("Static files", "Style sheets and scripts, collected at each start", *static),
        StoragePart("Logs", "Only with LOG_FILE", *logs),
        StoragePart("The rest", "The secret key and a few small files", *rest),
    ]


def free_space() -> int:
    return shutil.disk_usage(settings.VAR).free


def versions() -> list[tuple[str, str]]:
    return [
        ("Companion", version()),
        ("Python", platform.python_version()),
        ("Django", django.get_version()),
    ]


def _measure(folder: Path) -> tuple[int, int]:
    size = count = 0
    for root, _, names in os.walk(folder):
        for name in names:
            try:
                size += os.lstat(os.path.join(root, name)).st_size
                count += 1
            except OSError:
                continue
    return size, count


def _database() -> tuple[int, int]:
    if connection.vendor == "sqlite":
        name = Path(connection.settings_dict["NAME"])
        there = [path for path in (name, Path(f"{name}-wal"), Path(f"{name}-shm")) if path.is_file()]
        return sum(path.stat().st_size for path in there), len(there)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        return cursor.fetchone()[0], 0


def _logs() -> tuple[int, int]:
    if not settings.LOG_FILE:
        return 0, 0
    path = Path(settings.LOG_FILE)
    files = [file for file in path.parent.glob(f"{path.name}*") if file.is_file()]
    return sum(file.stat().st_size for file in files), len(files)


def database_version() -> str:
    if connection.vendor == "sqlite":
        return f"SQLite {sqlite3.sqlite_version}"
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_version")
        return f"PostgreSQL {cursor.fetchone()[0].split()[0]}"
