"""Run as a program on a database of its own: many threads want the same rows, leases and bells; who got what, as JSON."""

# ruff: noqa: E402  Django has to be set up before its models can be imported.

from __future__ import annotations

import json
import threading

import django

django.setup()

from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from jobs import clock, runner
from jobs.models import Due, Job

THREADS = 8


def race(mode: str) -> dict:
    barrier = threading.Barrier(THREADS)
    got: list[int] = []
    errors: list[str] = []
    clock._bells["race"] = clock.Bell(lambda due: got.append(due.pk))
    if mode == "TAKE":
        things = [Job.objects.create(kind="adds") for _ in range(10)]
    else:
        for number in range(10):
            clock.wake("race", number, timezone.now())
        things = list(Due.objects.filter(kind="race"))

    def grab() -> None:
        try:
            barrier.wait()
            for thing in things:
                if mode == "TAKE":
                    if runner.take(thing.pk) is not None:
                        got.append(thing.pk)
                else:
                    clock.ring(thing, timezone.now())
        except Exception as error:
            errors.append(f"{type(error).__name__}: {error}")
        finally:
            connection.close()

    started = [threading.Thread(target=grab) for _ in range(THREADS)]
    for thread in started:
        thread.start()
    for thread in started:
        thread.join()
    return {"things": [thing.pk for thing in things], "got": sorted(got), "errors": errors}


if __name__ == "__main__":
    call_command("migrate", interactive=False, verbosity=0)
    print(json.dumps({mode: race(mode) for mode in ("TAKE", "RING")}))
    Job.objects.all().delete()
