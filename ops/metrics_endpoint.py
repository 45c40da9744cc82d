"""/metrics for Prometheus: what the processes counted, and what the database knows at this moment."""

import hmac
import logging
import os
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from cardgames.models import Table
from config import prometheus_counters
from jobs.models import Job

OF_A_PROCESS = re.compile(r"gauge_live\w+_(\d+)\.db")


class DatabaseCollector(Collector):
    """Asked when Prometheus asks: two queries."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        jobs = GaugeMetricFamily("companion_jobs", "Jobs by state.", labels=["state"])
        for state, number in Job.objects.values_list("state").annotate(number=Count("pk")):
            jobs.add_metric([state], number)
        yield jobs
        tables = Table.objects.filter(state=Table.State.PLAY).count()
        yield GaugeMetricFamily("companion_card_tables", "Card tables in play.", value=tables)


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """For whoever knows METRICS_TOKEN. Without that setting the page does not exist."""
    sent = request.headers.get("Authorization", "")
    wanted = f"Bearer {settings.METRICS_TOKEN}"
    if not settings.METRICS_TOKEN or not hmac.compare_digest(sent.encode(), wanted.encode()):
        raise Http404
    registry = CollectorRegistry()
    registry.register(DatabaseCollector())
    folder = os.environ.get("PROMETHEUS_MULTIPROC_DIR")
    if folder:
        _forget_ended_processes(Path(folder))
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        text = generate_latest(registry)
    else:
        text = generate_latest(REGISTRY) + generate_latest(registry)
    return HttpResponse(text, content_type=CONTENT_TYPE_LATEST)


def _forget_ended_processes(folder: Path) -> None:
    """A process that was killed leaves its gauges behind. Its counts stay: what was answered was answered."""
    for path in folder.glob("gauge_live*.db"):
        process = OF_A_PROCESS.fullmatch(path.name)
        if process and not Path(f"/proc/{process[1]}").exists():
            path.unlink(missing_ok=True)


# ── Count queries, and log those that take too long, without their values: those may be secrets ──────────


logger = logging.getLogger(__name__)

MAX_STATEMENT = 600


def watch_connection(connection: Any, **_: Any) -> None:
    """Receiver of ``connection_created``; a connection that is opened again keeps its one wrapper."""
    if _log_if_slow not in connection.execute_wrappers:
        connection.execute_wrappers.append(_log_if_slow)


def _log_if_slow(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, object]) -> Any:
    begin = time.perf_counter()
    try:
        return execute(sql, params, many, context)
    finally:
        prometheus_counters.QUERIES.inc()
        milliseconds = (time.perf_counter() - begin) * 1000
        if 0 < settings.SLOW_QUERY_MS <= milliseconds:
            prometheus_counters.SLOW_QUERIES.inc()
            logger.warning("slow query, %.0f ms: %s", milliseconds, " ".join(sql.split())[:MAX_STATEMENT])
