"""A rotating log file that several processes can write to (LOG_FILE)."""

from __future__ import annotations

import contextlib
import fcntl
import logging
import os
from logging.handlers import WatchedFileHandler
from pathlib import Path


class SharedRotatingFile(WatchedFileHandler):
    """``name`` is written, ``name.1`` to ``name.N`` are older.

    The standard rotating handler believes itself alone: a second process would go on writing into a file already
    moved, and move it again. Here whoever finds the file full takes a lock, looks again, and moves it; the others
    notice that the name leads elsewhere now.
    """

    def __init__(self, filename: str, most_bytes: int = 10 * 2**20, kept: int = 5) -> None:
        Path(filename).parent.mkdir(parents=True, exist_ok=True)
        self.most_bytes = most_bytes
        self.kept = kept
        super().__init__(filename, encoding="utf-8", delay=True)

    def emit(self, record: logging.LogRecord) -> None:
        with contextlib.suppress(OSError):  # a disk that is full must not stop the site
            self.rotate_if_full()
        super().emit(record)

    def rotate_if_full(self) -> None:
        if self.size() < self.most_bytes:
            return
        with open(self.baseFilename + ".lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if self.size() < self.most_bytes:
                return  # somebody else was first
            for number in range(self.kept - 1, 0, -1):
                with contextlib.suppress(FileNotFoundError):
                    os.replace(f"{self.baseFilename}.{number}", f"{self.baseFilename}.{number + 1}")
            os.replace(self.baseFilename, f"{self.baseFilename}.1")

    def size(self) -> int:
        try:
            return os.stat(self.baseFilename).st_size
        except FileNotFoundError:
            return 0
