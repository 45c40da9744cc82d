"""gunicorn's worker: threads, so that a slow phone does not stop others, and a limit on the time for request heads.

A connection takes a thread when it has sent something. By itself gunicorn gives each new one a thread for five seconds:
a few that say nothing would stop a worker. A worker that is busy leaves new connections to the others.
"""

from __future__ import annotations

import contextlib
import selectors
import socket
import time
from functools import partial
from typing import Any

from gunicorn.workers.gthread import TConn, ThreadWorker

from config.servers.answers_at_once import places
from config.servers.deadlines import Deadline
from config.servers.thread_turns import take_short_turns

# For the head of a request, from its first byte. By itself gunicorn would wait for ever.
HEAD_SECONDS = 15.0
WAITS_TO_ACCEPT = 0.005


class ImpatientWorker(ThreadWorker):
    head_seconds = HEAD_SECONDS

    def init_process(self) -> None:
        take_short_turns()
        super().init_process()

    def accept(self, listener: Any) -> None:
        if not places.wait_until_free(WAITS_TO_ACCEPT):
            return  # another worker may be free; if none is, this one is asked again at once
        try:
            connection, address = listener.accept()
        except (BlockingIOError, ConnectionAbortedError):  # another worker was quicker, or they left again
            return
        conn = TConn(self.cfg, connection, address, listener.getsockname())
        conn.timeout = time.monotonic() + self.head_seconds
        self.nr_conns += 1
        self.pending_conns.append(conn)
        self.poller.register(connection, selectors.EVENT_READ, partial(self.on_pending_socket_readable, conn))

    def murder_pending(self) -> None:
        """Closes those who were silent for too long; at the end of the worker all, who would hold it up."""
        if not self.alive:
            for conn in self.pending_conns:
                conn.timeout = 0
        super().murder_pending()

    def handle(self, conn: TConn) -> Any:
        conn.head_deadline = Deadline(self.head_seconds, partial(_hang_up, conn.sock))
        try:
            return super().handle(conn)
        finally:
            conn.head_deadline.cancel()

    def handle_request(self, req: Any, conn: TConn) -> Any:
        conn.head_deadline.cancel()
        return super().handle_request(req, conn)


def _hang_up(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
