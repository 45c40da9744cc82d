"""Tokens of links: 128 bits, never stored. A row keeps a seed and a hash. The token is derived from the seed and the
site's secret key, so a link can be shown again, and a stolen database opens nothing.
"""

import base64
import hashlib
import logging
import re
import secrets
from typing import Any

from django.utils.crypto import salted_hmac

BYTES = 16
SHAPE = re.compile(r"[A-Za-z0-9_-]{22}")


def new_seed() -> str:
    return secrets.token_hex(16)


def token_of(seed: str) -> str:
    digest = salted_hmac("people.tokens", seed, algorithm="sha256").digest()[:BYTES]
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")


def hash_of(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


# ── Remove link tokens from addresses in the server log ──────────────────────────────────────────────────


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
