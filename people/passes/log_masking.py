"""No token in a log: the address of a link that broke is written down without its secret."""

from __future__ import annotations

import logging
import re
from typing import Any

ADDRESS = re.compile(r"(/[ip]/)[A-Za-z0-9_-]{6,}")
# Whoever writes down the address of a request.
LOGGERS = (
    "django.request",
    "django.server",
    "django.security.csrf",
    "uvicorn.access",
    "uvicorn.error",
    "gunicorn.access",
)


class MaskTokens(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record.msg, str):
            record.msg = _masked(record.msg)
        if isinstance(record.args, tuple):
            record.args = tuple(_masked(arg) for arg in record.args)
        return True


def _masked(said: Any) -> Any:
    return ADDRESS.sub(r"\1…", said) if isinstance(said, str) else said


def connect() -> None:
    mask = MaskTokens()
    for name in LOGGERS:
        logging.getLogger(name).addFilter(mask)
