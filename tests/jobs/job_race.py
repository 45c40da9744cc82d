"""Many threads compete for the same rows, leases and timers; report who got what."""

from __future__ import annotations

from django.core.management import call_command
from django.utils import timezone

from jobs import timers
from jobs.models import Due, Job
from jobs.turns_and_leases import take_lease
from tests.races import run_at_once

THREADS = 8


def _race(mode: str) -> dict:
    got: list[int] = []
    timers._timer_kinds["race"] = timers.TimerKind(lambda due: got.append(due.pk))
    if mode == "TAKE":
        things = [Job.objects.create(kind="adds") for _ in range(10)]
    else:
        for number in range(10):
            timers.set_timer("race", number, timezone.now())
        things = list(Due.objects.filter(kind="race"))

    def grab() -> None:
        for thing in things:
            if mode == "RING":
                timers.fire_timer(thing, timezone.now())
            elif take_lease(thing.token) is not None:
                got.append(thing.pk)

    errors = [str(row) for row in run_at_once([grab] * THREADS) if row.error]
    return {"things": [thing.pk for thing in things], "got": sorted(got), "errors": errors}


def race() -> dict[str, dict]:
    call_command("migrate", interactive=False, verbosity=0)
    by_key = {mode: _race(mode) for mode in ("TAKE", "RING")}
    Job.objects.all().delete()
    return by_key
