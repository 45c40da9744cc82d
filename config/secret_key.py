"""The secret key: created on the first start, then kept, because it signs printed QR codes."""

from __future__ import annotations

import contextlib
import os
import secrets
import tempfile
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured


def read_or_make_secret_key(path: Path) -> str:
    """Read the key from the file, or create it. Processes that start at the same time agree on one key."""
    try:
        with contextlib.suppress(FileNotFoundError):
            return _read(path)
        return _make(path)
    except OSError as error:
        raise ImproperlyConfigured(
            f"Cannot write to {path.parent} ({error.strerror}). Change its permissions, or choose another folder: "
            "make run VAR=~/companion"
        ) from error


def _make(path: Path) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, mine = tempfile.mkstemp(prefix=f"{path.name}.", dir=path.parent)  # only this user can read it
    with os.fdopen(handle, "w") as file:
        file.write(secrets.token_urlsafe(64))
    try:
        os.link(mine, path)  # unlike a rename, this fails if another process was first
    except FileExistsError:
        pass
    finally:
        os.unlink(mine)
    return _read(path)


def _read(path: Path) -> str:
    key = path.read_text().strip()
    if len(key) < 50:
        raise ImproperlyConfigured(
            f"The secret key in {path} is too short. Delete the file to get a new one, or restore it from a backup."
        )
    return key
