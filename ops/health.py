"""Health checks: alive (the process answers) and ready (the database has this release's tables)."""

from __future__ import annotations

import datetime as dt
import logging
import shutil
from dataclasses import dataclass

import redis
from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from jobs.models import Due
from jobs.pulse_and_sweeper_timers import PULSE

logger = logging.getLogger(__name__)

OK = "ok"
FULL = "full"
MEGABYTE = 1024 * 1024
# A backup of a club's site has a few megabytes, a print one.
LOW_BELOW = 200 * MEGABYTE
FULL_BELOW = 5 * MEGABYTE
# The pulse is due every 15 s; this long after its time, no process fires timers.
MISSED = dt.timedelta(seconds=45)

# Once the tables were found to be those of this release they stay so for the life of the process.
_migrated = False


@dataclass(frozen=True, slots=True)
class Health:
    """Each check says "ok" or what is wrong. Not ready without the database; degraded without the rest."""

    database: str
    migrations: str
    redis: str
    clock: str
    disk: str

    @property
    def is_ready(self) -> bool:
        return self.database == OK and self.migrations == OK and self.disk != FULL

    @property
    def is_degraded(self) -> bool:
        return not self.is_ready or self.redis not in (OK, "not used") or self.clock != OK or self.disk != OK


def check_health() -> Health:
    database = check_database()
    if database != OK:
        return Health(database, "unknown", check_redis(), "unknown", check_disk())
    migrations = check_migrations()
    clock = check_timers() if migrations == OK else "unknown"
    return Health(OK, migrations, check_redis(), clock, check_disk())


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


def check_timers() -> str:
    """Whether some process fires timers and runs jobs."""
    due = Due.objects.filter(kind=PULSE).values_list("due_at", flat=True).first()
    return OK if due is not None and due > timezone.now() - MISSED else "stopped, no worker is running"


@never_cache
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    return HttpResponse("ok\n", content_type="text/plain")


@never_cache
@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    found = check_health()
    checks = {
        "database": found.database,
        "migrations": found.migrations,
        "redis": found.redis,
        "clock": found.clock,
        "disk": found.disk,
    }
    answer = {"ready": found.is_ready, "degraded": found.is_degraded, "checks": checks}
    return JsonResponse(answer, status=200 if found.is_ready else 503)
