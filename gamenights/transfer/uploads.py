"""An uploaded file of plays: stored for a day, checked by a job, previewed, imported by another, deleted."""

from __future__ import annotations

import contextlib
import datetime as dt
import gzip
from hashlib import sha256

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from dataclass_json import write_all
from gamenights.plays.values import day_of
from gamenights.transfer.core import PlaysFile, read_plays_file
from gamenights.transfer.core.plays_file import MAX_FILE, check_size
from gamenights.transfer.models import PlaysUpload
from gamenights.transfer.preview import compare_with_group, make_preview
from groups.models import Group
from jobs import services as jobs_services
from jobs import timers
from jobs.models import OPEN, Due, Job
from jobs.registry import JobContext, Outcome
from people.models import Person
from refusal import Refusal

CHECK_JOB = "plays-file"
EXPIRY_TIMER = "plays-file"
KEEP_FOR = dt.timedelta(days=1)
MAX_BODY = MAX_FILE + 1024 * 1024  # of a request with a file


def store_upload(group: Group, person: Person, name: str, raw: bytes) -> Job:
    """Keep the file and have it checked. Sending the same file twice checks it once."""
    check_size(raw)
    now = timezone.now()
    digest = sha256(raw).hexdigest()
    values = {
        "name": name[:200],
        "packed": gzip.compress(raw, 6),
        "at": now,
        "digest": digest,
        "found": None,
        "import_job": None,
        "imported_plays": 0,
        "imported_people": 0,
    }
    with transaction.atomic():
        before = _uploads(group, person).first()
        if before is not None and before.import_job is not None and before.import_job.is_open:
            raise Refusal("Your last file is still being imported. Wait until it is done.", status=409, field="file")
        if before is not None and before.job is not None and before.job.is_open:
            if before.digest == digest:
                return before.job
            with contextlib.suppress(Refusal):  # it has just ended
                jobs_services.cancel_job(before.job)
        row, _ = PlaysUpload.objects.update_or_create(group=group, person=person, defaults=values)
        timers.set_timer(EXPIRY_TIMER, row.pk, now + KEEP_FOR)
        row.job = jobs_services.request_job(CHECK_JOB, {"upload": row.pk}, person)
        row.save(update_fields=["job"])
        return row.job


def _uploads(group: Group, person: Person) -> QuerySet[PlaysUpload]:
    """Without the file itself, which pages do not need."""
    rows: QuerySet[PlaysUpload] = PlaysUpload.objects.filter(group=group, person=person)
    return rows.select_related("group", "job", "import_job").defer("packed")


def read_file(group: Group, raw: bytes) -> PlaysFile:
    return read_plays_file(raw, day_of(timezone.now(), group.tzinfo), group.tzinfo)


def check_upload(job: JobContext) -> Outcome:
    """The job: read the whole file and compare it with the group, in a process of its own. Pages show what it found."""
    row = PlaysUpload.objects.select_related("group").filter(pk=job.args["upload"]).first()
    if row is None:
        raise Refusal("The file was deleted. Upload it again.")
    job.progress("Reading the plays")
    file = read_file(row.group, gzip.decompress(bytes(row.packed)))
    job.progress("Comparing them with yours")
    preview = make_preview(compare_with_group(row.group, file))
    job.progress("Done", len(file.plays), len(file.plays))
    return Outcome({"plays": len(file.plays), "left_out": preview.left_out, "preview": write_all(preview)})


def save_preview(job: Job) -> None:
    """What the file holds goes with the file, and is deleted with it."""
    facts = dict(job.result)
    PlaysUpload.objects.filter(pk=job.args["upload"], job=job).update(found=facts.pop("preview"))
    Job.objects.filter(pk=job.pk).update(result=facts)


def find_pending(group: Group, person: Person) -> PlaysUpload | None:
    return _uploads(group, person).filter(at__gte=timezone.now() - KEEP_FOR).first()


def delete_upload(row: PlaysUpload) -> None:
    timers.cancel_timer(EXPIRY_TIMER, row.pk)
    row.delete()


def delete_old_upload(due: Due) -> None:
    old = PlaysUpload.objects.filter(at__lt=timezone.now() - KEEP_FOR + dt.timedelta(seconds=1))
    old.exclude(import_job__state__in=OPEN).delete()
