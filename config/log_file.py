"""The log file (LOG_FILE): the standard library's, which goes on in a new file when logrotate has moved it."""

from __future__ import annotations

import logging
from logging.handlers import WatchedFileHandler


class LogFile(WatchedFileHandler):
    def emit(self, record: logging.LogRecord) -> None:
        try:
            super().emit(record)
        except OSError:  # moved or deleted while the disk is full: that must not stop the site
            self.handleError(record)
