"""Backup and clean-up jobs, on request and every night."""

from django.conf import settings

from jobs import services as jobs_services, timers
from jobs.models import Due, Job
from jobs.registry import JobContext, JobKind, Outcome, register_kind
from ops import backup, cleanup
from people.models import Person
from people.requester import Who
from refusal import Refusal

BACKUP = "backup"
TIDY = "tidy"
NIGHT = "night"


def request_once(kind: str, person: Person) -> Job:
    """Asking twice requests the job once."""
    running = Job.objects.open().filter(kind=kind).first()
    return running or jobs_services.request_job(kind, {}, person)


def make_backup(job: JobContext) -> Outcome:
    path = backup.new_copy_path()
    try:
        manifest = backup.write_backup(path, job.progress)
    except OSError as error:
        raise Refusal(f"Cannot write the backup to {path.parent}: {error.strerror or error}.") from error
    facts = {"copy": path.name, "rows": sum(manifest["rows"].values()), "files": manifest["files"]}
    return Outcome(facts)


def tidy(job: JobContext) -> Outcome:
    return Outcome(cleanup.clean_up(job.progress))


def _run_nightly(due: Due) -> None:
    """Clean up first, so that the backup is small. One key per night: fired twice, it runs once."""
    jobs_services.request_job(TIDY, {}, None, key=due.key)
    jobs_services.request_job(BACKUP, {}, None, key=due.key)


def _is_owner(job: Job, who: Who) -> bool:
    """Every owner's own order makes the same: neither depends on who asks."""
    return who.user is not None and who.user.is_staff


register_kind(
    JobKind(TIDY, "Clean-up", "ops.clean_up", work="ops.job_kinds:tidy", is_slow=True, seconds=1800, same_for=_is_owner)
)
register_kind(
    JobKind(
        BACKUP,
        "Backup",
        "ops.back_up",
        work="ops.job_kinds:make_backup",
        is_slow=True,
        landed=lambda job: backup.prune_copies(),
        seconds=3600,
        same_for=_is_owner,
    )
)
timers.register_timer(NIGHT, _run_nightly, again=timers.nightly(settings.NIGHT_HOUR))
