"""Settings of a site whose clock a test sets: the file ``clock`` beside its database says by how many seconds."""

import datetime as dt
from pathlib import Path

from django.utils import timezone

from config.settings import *  # noqa: F403
from config.settings import VAR

_real_now = timezone.now


def _shifted_now() -> dt.datetime:
    try:
        seconds = float((Path(VAR) / "clock").read_text())
    except (OSError, ValueError):  # not set yet, or being written just now
        seconds = 0
    return _real_now() + dt.timedelta(seconds=seconds)


timezone.now = _shifted_now
