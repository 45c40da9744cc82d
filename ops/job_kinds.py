"""The work of the house: backups and clean-up, by hand and every night."""

from __future__ import annotations

from django.conf import settings

from jobs import clock, desk
from jobs.kinds import Errand, Kind, Outcome, register
from jobs.models import Due, Job
from ops import backup, copies, tidying
from refusal import Refusal

BACKUP = "backup"
TIDY = "tidy"
NIGHT = "night"


def make_backup(errand: Errand) -> Outcome:
    path = copies.new_path()
    try:
        manifest = backup.write(path, errand.progress)
    except OSError as error:
        raise Refusal(f"The copy could not be written to {path.parent}: {error.strerror or error}.") from error
    facts = {"copy": path.name, "rows": sum(manifest["rows"].values()), "files": manifest["files"]}
    return Outcome(facts)


def tidy(errand: Errand) -> Outcome:
    return Outcome(tidying.tidy(errand.progress))


def _prune(job: Job) -> None:
    copies.prune()


def _night(due: Due) -> None:
    """Clean up first, so that the copy is small. The key is the night's: rung twice, it is done once."""
    desk.ask(TIDY, {}, None, key=due.key)
    desk.ask(BACKUP, {}, None, key=due.key)


register(Kind(TIDY, "Clean-up", work="ops.job_kinds:tidy", seconds=1800))
register(Kind(BACKUP, "Backup", work="ops.job_kinds:make_backup", landed=_prune, seconds=3600))
clock.rings(NIGHT, _night, again=clock.nightly(settings.NIGHT_HOUR))
