"""Log lines: as JSON if wanted, in a file that may be moved, each with the id of the request being answered.

The id is in the answer's header and on error pages too.
"""

import json
import logging
import re
import secrets
from contextvars import ContextVar
from logging.handlers import WatchedFileHandler

HEADER = "X-Request-ID"
# What common proxies send. Anything else is replaced, so that nobody can write into our log.
FROM_PROXY = re.compile(r"[A-Za-z0-9._-]{8,64}")

_current: ContextVar[str] = ContextVar("request_id", default="")


def begin_request(sent: str = "") -> str:
    """Note the id that the proxy sent, or a new one, for all that this request does."""
    request_id = sent if FROM_PROXY.fullmatch(sent) else secrets.token_hex(6)
    _current.set(request_id)
    return request_id


def current_request_id() -> str:
    """Empty outside a request."""
    return _current.get()


class RequestIdFilter(logging.Filter):
    """Gives every log record a ``request_id``, which the formatters print."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = current_request_id() or "-"
        return True


# ── As JSON, one object per line (LOG_FORMAT=json) ─────────────────────────────────────────────────────


class JsonFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            "request": getattr(record, "request_id", "-"),
        }
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


# ── The log file (LOG_FILE) ────────────────────────────────────────────────────────────────────────────
# The standard library's, which goes on in a new file when logrotate has moved it.


class LogFile(WatchedFileHandler):
    def emit(self, record: logging.LogRecord) -> None:
        try:
            super().emit(record)
        except OSError:  # moved or deleted while the disk is full: that must not stop the site
            self.handleError(record)
