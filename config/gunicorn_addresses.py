"""Where gunicorn listens, and how many files a server may open.

It answers nobody while slow requests hold its processes, so only a proxy may reach it. It notes its addresses when it
starts (gunicorn.conf.py), and ``manage.py deploy`` reads them: a command line is known to nobody else.
"""

import argparse
import contextlib
import ipaddress
import os
import resource
import shlex
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings


def _note() -> Path:
    return Path(settings.VAR) / "gunicorn_addresses"


def note(binds: Iterable[str]) -> None:
    with contextlib.suppress(OSError):  # a full disk must not stop the start
        _note().write_text("\n".join(binds))


def known_binds() -> list[str]:
    """Of the settings that gunicorn will read, else those of its last start."""
    parser = argparse.ArgumentParser(add_help=False, exit_on_error=False)
    parser.add_argument("-b", "--bind", action="append", default=[])
    with contextlib.suppress(argparse.ArgumentError, ValueError):
        if set_now := parser.parse_known_args(shlex.split(os.environ.get("GUNICORN_CMD_ARGS", "")))[0].bind:
            return list(set_now)
    with contextlib.suppress(OSError):
        return _note().read_text().splitlines()
    return []


def warning(binds: Iterable[str]) -> str:
    """A sentence if others than this machine can reach gunicorn; empty if not."""
    reachable = [bind for bind in binds if not _is_local(bind)]
    if not reachable:
        return ""
    return (
        f"gunicorn listens on {', '.join(reachable)}. Whoever reaches it without your proxy can stop the site with a "
        "few slow requests. Bind it to 127.0.0.1, or let only the proxy reach the port, as deploy/compose.yaml does."
    )


def _is_local(bind: str) -> bool:
    if bind.startswith(("unix:", "fd:")):
        return True
    host = urlsplit(f"//{bind}").hostname or ""
    with contextlib.suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host == "localhost"


# ── Open files and connections ─────────────────────────────────────────────────────────────────────────


# Connections, streams, files and the database: more than the 1024 that a process usually begins with.
OPEN_FILES = 8192


def raise_open_files() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = OPEN_FILES if hard == resource.RLIM_INFINITY else min(OPEN_FILES, hard)
    if soft < wanted:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
