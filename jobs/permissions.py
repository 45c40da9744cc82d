"""Who may see a job, and who may have what it made: the one place that decides.

What was made for one person reaches another only if that person's own order would make the same bytes.
"""

from django.http import Http404

from jobs.models import Job, State
from people.requester import Who


def get_job(who: Who, ref: str) -> Job:
    """A job by its token, for whoever requested it and for the site's owner; by its number only for the first."""
    rows = Job.objects.asked_by(who).filter(pk=ref) if ref.isdigit() else Job.objects.visible_to(who).filter(token=ref)
    return _found(rows.first())


def get_job_with_result(who: Who, ref: str, kind: str) -> Job:
    """A job whose result they may have. A number is not enough for anybody but whoever requested it."""
    rows = Job.objects.asked_by(who).filter(pk=ref) if ref.isdigit() else Job.objects.filter(token=ref)
    job = _found(rows.filter(kind=kind).first())
    return _found(job if can_have_result(who, job) else None)


def get_job_file(who: Who, ref: str) -> Job:
    """A job whose file they may have and that is still there."""
    job = get_job(who, ref)
    if not can_have_result(who, job):
        raise Http404
    if job.path is None:
        raise Http404("This file has been deleted. Files are kept for 30 days.")
    require_file_scope(who, job)
    return job


def require_file_scope(who: Who, job: Job) -> None:
    """A file can hold links that do more than an API token may."""
    if job.its_kind is not None:
        who.require_scope(job.its_kind.scope(job))


def _found(job: Job | None) -> Job:
    """What they cannot see looks as if it did not exist."""
    if job is None:
        raise Http404("There is no such job.")
    return job


def can_have_result(who: Who, job: Job) -> bool:
    """Whether it was made for them, or their own order would make the same."""
    if who.person is not None and job.owner_id in who.person.all_ids():
        return True
    kind = job.its_kind
    if kind is None or kind.same_for is None or job.state != State.DONE:
        return False
    return kind.same_for(job, who)
