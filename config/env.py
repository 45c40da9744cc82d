"""Read the environment. Every value has a working default; a wrong one stops the start and names the variable."""

import contextlib
import os
import secrets
import tempfile
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

PREPARE_THRESHOLD = 5  # a statement is prepared when a connection runs it once more than this


def read_text(name: str, default: str = "") -> str:
    return os.environ.get(name, "").strip() or default


def read_flag(name: str, default: bool) -> bool:
    raw = read_text(name).lower()
    if not raw:
        return default
    if raw in ("1", "true", "yes", "on"):
        return True
    if raw in ("0", "false", "no", "off"):
        return False
    raise ImproperlyConfigured(f"{name} must be 1 or 0, not {raw!r}.")


def read_number(name: str, default: int, *, least: int, most: int) -> int:
    raw = read_text(name)
    if not raw:
        return default
    if not raw.isascii() or not raw.isdigit() or not least <= int(raw) <= most:
        raise ImproperlyConfigured(f"{name} must be a whole number from {least} to {most}, not {raw!r}.")
    return int(raw)


def read_choice(name: str, choices: tuple[str, ...]) -> str:
    """One of the choices; the first is the default."""
    raw = read_text(name, choices[0])
    if raw not in choices:
        raise ImproperlyConfigured(f"{name} must be one of {', '.join(choices)}, not {raw!r}.")
    return raw


def read_list(name: str) -> list[str]:
    return [word.strip() for word in read_text(name).split(",") if word.strip()]


def read_public_url(name: str) -> str:
    """An http or https address without a path, or an empty string."""
    raw = read_text(name).rstrip("/")
    if not raw:
        return ""
    try:
        parts = urlsplit(raw)
        ok = parts.scheme in ("http", "https") and parts.hostname and not parts.path and not parts.query
        _ = parts.port
    except ValueError:
        ok = False
    if not ok:
        raise ImproperlyConfigured(
            f"{name} must look like https://mice.example.org or http://192.168.1.20:8000, not {raw!r}."
        )
    return raw


def read_redis_url(name: str) -> str:
    raw = read_text(name)
    if raw and urlsplit(raw).scheme not in ("redis", "rediss", "unix"):
        raise ImproperlyConfigured(f"{name} must start with redis://, rediss:// or unix://, not {raw!r}.")
    return raw


def read_database(name: str, var: Path, *, keep_seconds: int) -> dict[str, object]:
    """Django's DATABASES entry: SQLite in var/ by default, PostgreSQL or another SQLite file by address.

    A connection is kept so long for further requests.
    """
    return _database_at(name, var, is_kept=bool(keep_seconds)) | {"CONN_MAX_AGE": keep_seconds}


def _database_at(name: str, var: Path, *, is_kept: bool) -> dict[str, object]:
    raw = read_text(name)
    if not raw:
        return sqlite_settings(var / "companion.sqlite3")
    try:
        parts = urlsplit(raw)
        port = parts.port
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} is not a valid address: {error}.") from error
    if parts.scheme == "sqlite":
        path = unquote(parts.path)
        if not path.strip("/"):
            raise ImproperlyConfigured(f"{name} does not name a file. Use sqlite:////folder/file.sqlite3.")
        return sqlite_settings(Path(path[1:] if path.startswith("//") else path))
    if parts.scheme not in ("postgres", "postgresql"):
        raise ImproperlyConfigured(f"{name} must start with postgresql:// or sqlite://, not {parts.scheme or raw!r}.")
    name_of_database = unquote(parts.path.lstrip("/"))
    if not name_of_database:
        raise ImproperlyConfigured(
            f"{name} does not name a database. Use postgresql://user:password@host:5432/database."
        )
    # A host that does not answer must not hang a page. The URL can set a longer time.
    options: dict[str, object] = {"connect_timeout": "5", **dict(parse_qsl(parts.query))}
    # The server plans a statement that a kept connection runs often only once. PgBouncer hands connections round, and
    # with them what one client has prepared and another has not.
    options |= {"server_side_binding": True, "prepare_threshold": PREPARE_THRESHOLD if is_kept else None}
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": name_of_database,
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": options.pop("host", None) or unquote(parts.hostname or ""),
        "PORT": str(port or ""),
        "OPTIONS": options,
        "CONN_HEALTH_CHECKS": True,
        "DISABLE_SERVER_SIDE_CURSORS": not is_kept,
    }


def sqlite_settings(path: Path) -> dict[str, object]:
    # FULL waits for the disk before a tap is answered: a power cut loses nothing. NORMAL may lose the last taps.
    synchronous = read_choice("SQLITE_SYNC", ("full", "normal")).upper()
    _make_private(path)
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": path,
        "OPTIONS": {
            # A write transaction takes its lock at the start. Taken later, two of them deadlock and one fails.
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": (
                f"PRAGMA journal_mode=WAL; PRAGMA synchronous={synchronous}; PRAGMA foreign_keys=ON; "
                "PRAGMA busy_timeout=20000;"
            ),
        },
    }


def _make_private(path: Path) -> None:
    """SQLite itself would let everybody on this machine read a new file. What it puts beside it has the same mode."""
    with contextlib.suppress(OSError):  # whoever connects says what is wrong with the folder
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))


# ── The secret key ─────────────────────────────────────────────────────────────────────────────────────
# Created on the first start, then kept, because it signs printed QR codes.


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
