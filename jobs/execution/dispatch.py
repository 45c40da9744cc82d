"""Send the message "look at row 17" to a worker. If it gets lost, the sweeper finds the row."""

from __future__ import annotations

import logging
import time
from typing import Any

from django.conf import settings
from django.utils import timezone

from jobs.models import Job

logger = logging.getLogger(__name__)

# A message nobody took up by then is stale: the row has been sent again since.
STALE = 60
# After a failure nobody waits for the broker again for so long.
PAUSE = 10.0
_quiet_until = 0.0
# Without Redis a message never leaves the process it was sent in; embedded.py says whether anybody hears it there.
heard_here = False


def send_message(job_id: int) -> bool:
    """Whether the message went out."""
    from jobs.tasks import look_at

    if not send_task(look_at, job_id):
        return False
    Job.objects.filter(pk=job_id).update(sent_at=timezone.now())
    return True


def send_task(task: Any, *args: int) -> bool:
    global _quiet_until
    if time.monotonic() < _quiet_until or not (settings.REDIS_URL or heard_here):
        return False
    try:
        task.apply_async(args, expires=STALE)
    except Exception as error:  # whatever the broker's library raises, the row stays
        _quiet_until = time.monotonic() + PAUSE
        logger.warning("%s %s could not be sent (%s); the sweeper looks after the jobs", task.name, args, error)
        return False
    return True
