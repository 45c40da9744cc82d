"""/metrics for Prometheus: what the processes counted, and what the database knows at this moment."""

from __future__ import annotations

import hmac
import os
import re
from collections.abc import Iterator
from pathlib import Path

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
        found = OF_A_PROCESS.fullmatch(path.name)
        if found and not Path(f"/proc/{found[1]}").exists():
            path.unlink(missing_ok=True)
