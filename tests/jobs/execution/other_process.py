"""Run as a program beside a site: another process of it that does what it is told, one JSON line in, one out.

Starting Django for every question would take longer than the tests themselves.
"""

# ruff: noqa: E402  Django has to be set up before its models can be imported.

from __future__ import annotations

import json
import sys

import django

django.setup()

from django.utils import timezone

from jobs import clock, desk
from jobs.models import Job


def ask(kind: str, args: dict) -> int:
    return desk.ask(kind, args, None).pk


def facts(pk: int) -> dict:
    return Job.objects.values("state", "attempts", "result", "done").get(pk=pk)


def wake(kind: str, ref: str) -> None:
    clock.wake(kind, ref, timezone.now())


for line in sys.stdin:
    name, *words = json.loads(line)
    print(json.dumps(globals()[name](*words)), flush=True)
