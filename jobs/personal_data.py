"""What the jobs know of a person: handed out with "my data", gone with "forget me"."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from jobs import shelf
from jobs.models import Job
from people import forgetting, my_data


def listen() -> None:
    my_data.register("jobs", _mine)
    forgetting.register(_forget)


def _mine(ids: tuple[int, ...]) -> list[dict[str, Any]]:
    rows = Job.objects.filter(owner__in=ids).order_by("pk")
    return list(rows.values("kind", "args", "state", "created_at", "finished_at", "result", "saved_as"))


def _forget(ids: tuple[int, ...]) -> None:
    """Their rows go at once, work under way loses its row and ends, the files go once that is certain."""
    pks = list(Job.objects.filter(owner__in=ids).values_list("pk", flat=True))
    files = list(Job.objects.filter(pk__in=pks).exclude(file="").values_list("file", flat=True))
    Job.objects.filter(pk__in=pks).delete()
    transaction.on_commit(lambda: shelf.drop(files))
