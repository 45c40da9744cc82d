"""Request, cancel and retry jobs."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from jobs import files as jobs_files, turns_and_leases
from jobs.models import OPEN, Job, State
from jobs.registry import KIND
from people import privacy
from refusal import Refusal

if TYPE_CHECKING:
    from people.models import Person

MAX_OPEN = 20


def request_job(kind: str, args: Mapping[str, Any], owner: "Person | None", key: str | None = None) -> Job:
    """A job for this work, sent to a worker once the transaction is through.

    ``key`` names the content of the result (a hash of all that goes into it). With a key the same work is not done
    twice: an open job of this owner is given back, and so is a finished one as long as its file is kept; what was made
    for somebody else is handed over as a finished job of one's own.
    """
    if kind not in KIND:
        raise KeyError(f"no app has registered the job kind {kind!r}")
    key = key or ""
    if key and (before := _find_earlier(kind, args, key, owner)):
        return before
    if owner is not None and Job.objects.open().filter(owner=owner).count() >= MAX_OPEN:
        raise Refusal(
            f"{MAX_OPEN} of your jobs are still waiting. Let some finish or cancel some, then try again.", status=429
        )
    try:
        with transaction.atomic():
            job = Job.objects.create(kind=kind, args=dict(args), owner=owner, key=key)
    except IntegrityError:
        # Somebody pressed twice at once, and the other press was first.
        return Job.objects.open().get(kind=kind, key=key, owner=owner)
    transaction.on_commit(lambda: turns_and_leases.send_next(KIND[kind].queue))
    return job


def _find_earlier(kind: str, args: Mapping[str, Any], key: str, owner: "Person | None") -> Job | None:
    same = Job.objects.filter(kind=kind, key=key)
    if mine := same.open().filter(owner=owner).first():
        return mine
    for done in same.filter(state=State.DONE).order_by("-pk")[:10]:
        if done.file and done.path is None:
            continue  # cleared away; it has to be made again
        if done.owner_id == (owner.pk if owner else None):
            return done
        return Job.objects.create(
            kind=kind,
            key=key,
            args=dict(args),  # their own: the other order may name what they cannot see
            owner=owner,
            state=State.DONE,
            stage=done.stage,
            done=done.done,
            total=done.total,
            result=done.result,
            file=done.file,
            saved_as=done.saved_as,
            started_at=timezone.now(),
            finished_at=timezone.now(),
        )
    return None


def cancel_job(job: Job) -> Job:
    """Cancel the job. Its work is ended within a second, because it no longer holds the lease."""
    called_off = Job.objects.filter(pk=job.pk, state__in=OPEN).update(
        state=State.CANCELLED, lease_token="", lease_until=None, finished_at=timezone.now()
    )
    job.refresh_from_db()
    if not called_off and job.state != State.CANCELLED:
        raise Refusal(f"This job is already {job.get_state_display()}. There is nothing to cancel.", status=409)
    return job


def retry_job(job: Job) -> Job:
    """Run it again from the start. Asking twice runs it once."""
    if job.kind not in KIND:
        raise Refusal("This version no longer supports this kind of job.", status=409)
    try:
        with transaction.atomic():
            again = Job.objects.filter(pk=job.pk, state__in=(State.FAILED, State.CANCELLED)).update(
                state=State.QUEUED,
                stage="",
                done=0,
                total=0,
                error="",
                attempts=0,
                lease_token="",
                lease_until=None,
                created_at=timezone.now(),
                sent_at=None,
                started_at=None,
                finished_at=None,
            )
    except IntegrityError as error:
        raise Refusal("This job was already requested again.", status=409) from error
    job.refresh_from_db()
    if not again and not job.is_open:
        raise Refusal("This job is done; its result is on its page.", status=409)
    if again:
        transaction.on_commit(lambda: turns_and_leases.send_next(KIND[job.kind].queue))
    return job


# ── A person's jobs ────────────────────────────────────────────────────────────────────────────────────
# Part of "my data", deleted by "forget me".


def register_personal_data() -> None:
    privacy.register_part("jobs", _my_jobs)
    privacy.register_hook(_forget_jobs)


def _my_jobs(ids: tuple[int, ...]) -> list[dict[str, object]]:
    rows = Job.objects.filter(owner__in=ids).order_by("pk")
    return list(rows.values("kind", "args", "state", "created_at", "finished_at", "result", "saved_as"))


def _forget_jobs(ids: tuple[int, ...]) -> None:
    """Delete the rows at once; running jobs lose their row and stop; delete the files after the commit."""
    pks = list(Job.objects.filter(owner__in=ids).values_list("pk", flat=True))
    files = list(Job.objects.filter(pk__in=pks).exclude(file="").values_list("file", flat=True))
    Job.objects.filter(pk__in=pks).delete()
    transaction.on_commit(lambda: jobs_files.delete_files(files))
