"""Remove link tokens from addresses in the server log."""

from __future__ import annotations

import logging
import re
from typing import Any

ADDRESS = re.compile(r"(/[ip]/)[A-Za-z0-9_-]{6,}")
# The loggers that write request addresses.
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
            record.msg = _mask(record.msg)
        if isinstance(record.args, tuple):
            record.args = tuple(_mask(arg) for arg in record.args)
        return True


def _mask(value: Any) -> Any:
    return ADDRESS.sub(r"\1…", value) if isinstance(value, str) else value


def install_filters() -> None:
    mask = MaskTokens()
    for name in LOGGERS:
        logging.getLogger(name).addFilter(mask)
