"""gunicorn's worker: threads, so that a slow phone does not stop others, and a limit on the time for request heads."""

from __future__ import annotations

import contextlib
import socket
import threading
from typing import Any

from gunicorn.workers.gthread import TConn, ThreadWorker

# For the head of a request, from its first byte. By itself gunicorn would wait for ever.
HEAD_SECONDS = 15.0


class ImpatientWorker(ThreadWorker):
    head_seconds = HEAD_SECONDS

    def handle(self, conn: TConn) -> Any:
        conn.head_timer = threading.Timer(self.head_seconds, _hang_up, [conn.sock])
        conn.head_timer.daemon = True
        conn.head_timer.start()
        try:
            return super().handle(conn)
        finally:
            conn.head_timer.cancel()

    def handle_request(self, req: Any, conn: TConn) -> Any:
        conn.head_timer.cancel()
        return super().handle_request(req, conn)


def _hang_up(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
