"""The secret key: made on the first start and kept, because printed QR codes are signed with it."""

from __future__ import annotations

import contextlib
import os
import secrets
import tempfile
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured


def kept_secret(path: Path) -> str:
    """The key in the file; made there if the file is not. Two processes starting at once agree on one key."""
    try:
        with contextlib.suppress(FileNotFoundError):
            return _read(path)
        return _make(path)
    except OSError as error:
        raise ImproperlyConfigured(
            f"{path.parent} cannot be written to ({error.strerror}). Give yourself the right to write there, or name "
            "another folder: make run VAR=~/companion"
        ) from error


def _make(path: Path) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, mine = tempfile.mkstemp(prefix=f"{path.name}.", dir=path.parent)  # for this user's eyes only
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
            f"The secret key in {path} is too short. Remove the file to make a new one, or restore it from a backup."
        )
    return key
