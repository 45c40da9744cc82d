"""How many files and connections a server may have open."""

from __future__ import annotations

import contextlib
import resource

# Connections, streams, files and the database: more than the 1024 that a process usually begins with.
OPEN_FILES = 8192


def raise_open_files() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = OPEN_FILES if hard == resource.RLIM_INFINITY else min(OPEN_FILES, hard)
    if soft < wanted:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
