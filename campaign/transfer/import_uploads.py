"""An uploaded campaign file: stored, checked by a job, previewed, deleted."""

import datetime as dt
import gzip
from hashlib import sha256

from django.db import transaction
from django.utils import timezone

from campaign.chronicle import export_and_import
from campaign.chronicle.acts.registry import RULES_VERSION
from campaign.chronicle.export_and_import import RuleDifference
from campaign.models import Parcel
from campaign.transfer import services
from jobs import services as jobs_services, timers
from jobs.models import Due, Job, State
from jobs.registry import JobContext, Outcome
from people.models import Person
from refusal import Refusal

CHECK_JOB = "campaign-file"  # the job that checks a file
EXPIRY_TIMER = "campaign-file"  # the timer for a file that nobody imported
KEEP_FOR = dt.timedelta(days=1)
MAX_DIFFERENCES = 50


def store_upload(person: Person, name: str, raw: bytes) -> Job:
    """Store an uploaded file for a day. Obvious problems are refused at once."""
    export_and_import.read_export(raw)
    now = timezone.now()
    values = {"name": name[:200], "packed": gzip.compress(raw, 6), "at": now}
    with transaction.atomic():
        timers.set_timer(EXPIRY_TIMER, person.pk, now + KEEP_FOR + dt.timedelta(seconds=1))
        Parcel.objects.update_or_create(person=person, defaults=values)
        return jobs_services.request_job(CHECK_JOB, {"person": person.pk}, person, key=_key(raw))


def _key(raw: bytes) -> str:
    """The same content under the same rules has the same findings."""
    return f"{sha256(raw).hexdigest()[:40]}-{RULES_VERSION}"


def check_upload(job: JobContext) -> Outcome:
    """The job: check every entry against the rulebook. Its findings name no person."""
    row = Parcel.objects.filter(person=job.args["person"]).first()
    if row is None:
        raise Refusal("The file was deleted. Upload it again.")
    job.progress("Opening the file")
    preview = services.check_file(gzip.decompress(bytes(row.packed)), job.progress)
    rows = [[row.number, row.entry_sentence, row.sentence] for row in preview.differences[:MAX_DIFFERENCES]]
    more = max(0, len(preview.differences) - MAX_DIFFERENCES)
    return Outcome({"entries": len(preview.entries), "differences": rows, "more": more})


class PendingImport:
    """An uploaded file, the job that checks it, and its preview once that is done."""

    def __init__(self, row: Parcel) -> None:
        self.row = row
        self.raw = gzip.decompress(bytes(row.packed))
        self.job = Job.objects.filter(kind=CHECK_JOB, owner=row.person_id, key=_key(self.raw)).order_by("-pk").first()

    @property
    def is_looked_through(self) -> bool:
        return self.job is not None and self.job.state == State.DONE

    @property
    def more(self) -> int:
        return self.job.result["more"] if self.job else 0

    def arrival(self) -> services.ImportPreview:
        if self.job is None or not self.is_looked_through:
            raise Refusal("The file has not been checked yet.", status=409)
        return services.reopen_file(self.raw, tuple(RuleDifference(*row) for row in self.job.result["differences"]))


def find_pending_import(person: Person) -> PendingImport | None:
    row = Parcel.objects.filter(person=person, at__gte=timezone.now() - KEEP_FOR).first()
    return PendingImport(row) if row else None


def delete_upload(person: Person) -> None:
    Parcel.objects.filter(person=person).delete()
    timers.cancel_timer(EXPIRY_TIMER, person.pk)


def delete_old_uploads(due: Due) -> None:
    Parcel.objects.filter(at__lt=timezone.now() - KEEP_FOR).delete()
