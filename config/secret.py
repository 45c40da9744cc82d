"""The secret key: made on the first start and kept, because printed QR codes are signed with it."""

from __future__ import annotations

import os
import secrets
from pathlib import Path


def kept_secret(path: Path) -> str:
    """The key in the file; made there if the file is not. Two processes starting at once agree on one key."""
    try:
        return _read(path)
    except FileNotFoundError:
        pass
    path.parent.mkdir(parents=True, exist_ok=True)
    mine = path.with_name(f"{path.name}.{os.getpid()}")
    handle = os.open(mine, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w") as file:
        file.write(secrets.token_urlsafe(64))
    try:
        os.link(mine, path)  # unlike a rename, this fails if another process was first
    except FileExistsError:
        pass
    finally:
        mine.unlink()
    return _read(path)


def _read(path: Path) -> str:
    key = path.read_text().strip()
    if len(key) < 50:
        raise ValueError(
            f"The secret key in {path} is too short. Remove the file to make a new one, or restore it from a backup."
        )
    return key
