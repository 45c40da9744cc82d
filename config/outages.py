"""Is this error an outage, which passes, or a fault of ours? The database is away, or the disk is full."""

import errno

from django.conf import settings
from django.db import InterfaceError, NotSupportedError, OperationalError

NO_SPACE = (errno.ENOSPC, errno.EDQUOT)
# Errors of the same class that do not pass by themselves: tables of another release.
NOT_OUTAGES = ("no such table", "no such column", "has no column", "syntax error")
# What PostgreSQL says when a migration changed a column under a statement that a kept connection has prepared.
OUTDATED_PLAN = "cached plan must not change result type"


def is_outage(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, InterfaceError):
            return True
        if is_plan_outdated(error):
            return True
        if isinstance(error, OperationalError):
            return not any(words in str(error) for words in NOT_OUTAGES)
        if isinstance(error, OSError) and error.errno in NO_SPACE:
            return True
        error = error.__cause__ or error.__context__
    return False


def is_plan_outdated(error: BaseException | None) -> bool:
    """A new connection has prepared nothing yet: whoever answers the error closes the old one."""
    return isinstance(error, NotSupportedError) and OUTDATED_PLAN in str(error)


def is_disk_full(error: BaseException | None) -> bool:
    while error is not None:
        full = isinstance(error, OperationalError) and ("disk is full" in str(error) or "No space left" in str(error))
        if full or (isinstance(error, OSError) and error.errno in NO_SPACE):
            return True
        error = error.__cause__ or error.__context__
    return False


def database_sentence(error: BaseException) -> str:
    """For a terminal: which database does not answer, and what to do."""
    name = settings.DATABASES["default"]["NAME"]
    reason = (str(error).strip().splitlines() or ["no reason given"])[0].rstrip(".")
    return f"The database {name} is not answering: {reason}. Check DATABASE_URL, or unset it to use SQLite."
