"""Run as a program beside a site: another of its processes, which answers each JSON command line with one JSON line.

Starting Django for every command would take longer than the tests themselves.
"""

# ruff: noqa: E402  Django has to be set up before its models can be imported.

from __future__ import annotations

import json
import sys

import django

django.setup()

from django.utils import timezone

from jobs import services as jobs_services, timers
from jobs.models import Job


def ask(kind: str, args: dict) -> int:
    return jobs_services.request_job(kind, args, None).pk


def facts(pk: int) -> dict:
    return Job.objects.values("state", "attempts", "result", "error", "done", "total").get(pk=pk)


def cancel(pk: int) -> None:
    jobs_services.cancel_job(Job.objects.get(pk=pk))


def wake(kind: str, ref: str) -> None:
    timers.set_timer(kind, ref, timezone.now())


for line in sys.stdin:
    name, *words = json.loads(line)
    print(json.dumps(globals()[name](*words)), flush=True)
