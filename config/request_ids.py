"""The id of the request being answered: in every log line, in the answer's header and on error pages."""

from __future__ import annotations

import logging
import re
import secrets
from contextvars import ContextVar

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
