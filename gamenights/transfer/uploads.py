"""An uploaded file of plays: stored for a day, checked by a job, previewed, deleted."""

from __future__ import annotations

import datetime as dt
import gzip
from hashlib import sha256

from django.db import transaction
from django.utils import timezone

from gamenights.nights.day_boundary import day_of
from gamenights.transfer.core import PlaysFile, read_plays_file
from gamenights.transfer.core.plays_file import LARGEST_FILE
from gamenights.transfer.models import PlaysUpload
from groups.models import Group
from jobs import services as jobs_services
from jobs import timers
from jobs.models import Due, Job, State
from jobs.registry import JobContext, Outcome
from people.models import Person
from refusal import Refusal

CHECK_JOB = "plays-file"
EXPIRY_TIMER = "plays-file"
KEEP_FOR = dt.timedelta(days=1)


def store_upload(group: Group, person: Person, name: str, raw: bytes) -> Job:
    if len(raw) > LARGEST_FILE:
        raise Refusal("The file is larger than 20 MB. Export a shorter period.", field="file")
    now = timezone.now()
    values = {"name": name[:200], "packed": gzip.compress(raw, 6), "at": now}
    with transaction.atomic():
        row, _ = PlaysUpload.objects.update_or_create(group=group, person=person, defaults=values)
        timers.set_timer(EXPIRY_TIMER, row.pk, now + KEEP_FOR)
        return jobs_services.request_job(CHECK_JOB, {"upload": row.pk}, person, key=_key(group, raw))


def _key(group: Group, raw: bytes) -> str:
    return f"{group.pk}-{sha256(raw).hexdigest()[:40]}"


def read_file(group: Group, raw: bytes) -> PlaysFile:
    return read_plays_file(raw, day_of(timezone.now(), group.tzinfo), group.tzinfo)


def check_upload(job: JobContext) -> Outcome:
    """The job: read the whole file once, in a process of its own."""
    row = PlaysUpload.objects.select_related("group").filter(pk=job.args["upload"]).first()
    if row is None:
        raise Refusal("The file was deleted. Upload it again.")
    job.progress("Reading the plays")
    found = read_file(row.group, gzip.decompress(bytes(row.packed)))
    job.progress("Done", len(found.plays), len(found.plays))
    return Outcome({"plays": len(found.plays), "left_out": len(found.left_out)})


class PendingFile:
    """An uploaded file and the job that checks it."""

    def __init__(self, row: PlaysUpload) -> None:
        self.row = row
        self.raw = gzip.decompress(bytes(row.packed))
        jobs = Job.objects.filter(kind=CHECK_JOB, owner=row.person_id, key=_key(row.group, self.raw))
        self.job = jobs.order_by("-pk").first()

    @property
    def is_checked(self) -> bool:
        return self.job is not None and self.job.state == State.DONE

    def read(self) -> PlaysFile:
        if not self.is_checked:
            raise Refusal("The file has not been checked yet.", status=409)
        return read_file(self.row.group, self.raw)

    @property
    def digest(self) -> str:
        return sha256(self.raw).hexdigest()


def find_pending(group: Group, person: Person) -> PendingFile | None:
    rows = PlaysUpload.objects.select_related("group").filter(group=group, person=person)
    row = rows.filter(at__gte=timezone.now() - KEEP_FOR).first()
    return PendingFile(row) if row else None


def delete_upload(row: PlaysUpload) -> None:
    timers.cancel_timer(EXPIRY_TIMER, row.pk)
    row.delete()


def delete_old_upload(due: Due) -> None:
    PlaysUpload.objects.filter(at__lt=timezone.now() - KEEP_FOR + dt.timedelta(seconds=1)).delete()
