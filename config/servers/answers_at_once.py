"""How many requests a process works on at once. The others wait, first come, first served.

Python runs one thread at a time. Four requests that take turns are all finished late; one after the other, three of
them are finished sooner, and each finds what it needs still in the processor's cache. Reading what a slow phone sends
and sending the answer are not part of it, and nobody waits long for a request that takes long.

A process whose place is taken lets others take new connections (``config.gunicorn_worker``): a request goes to
whichever process is free first.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

AT_ONCE = 1
MOST_SECONDS_OF_WAITING = 0.5


class Places:
    """For the requests that are worked on. Whoever waits gets one in the order in which they came.

    A request that takes long loses its place: nobody waits for it any more, only for those that came after it.
    """

    def __init__(self, count: int = AT_ONCE, most_seconds: float = MOST_SECONDS_OF_WAITING) -> None:
        self._count = count
        self._most_seconds = most_seconds
        self._begun: dict[object, float] = {}
        self._waiting: list[object] = []
        self._change = threading.Condition()

    def take(self) -> object:
        """What to give back."""
        place = object()
        with self._change:
            self._waiting.append(place)
            self._change.wait_for(lambda: self._waiting[0] is place and self._is_free(), self._most_seconds)
            self._waiting.remove(place)
            self._begun[place] = time.monotonic()
            self._change.notify_all()  # the next in line may be free to go too
        return place

    def give_back(self, place: object) -> None:
        with self._change:
            del self._begun[place]
            # All, because not only requests wait: one that looks for a free place would use up the call.
            self._change.notify_all()

    def wait_until_free(self, seconds: float) -> bool:
        """Whether a request would be worked on at once, or after so many seconds."""
        with self._change:
            return self._change.wait_for(lambda: not self._waiting and self._is_free(), seconds)

    def _is_free(self) -> bool:
        too_long = time.monotonic() - self._most_seconds
        return sum(begun > too_long for begun in self._begun.values()) < self._count


places = Places()


class AnswersAtOnce:
    def __init__(self, app: WSGIApplication, places: Places = places) -> None:
        self._app = app
        self._places = places

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        place = self._places.take()
        try:
            return self._app(environ, start_response)
        finally:
            self._places.give_back(place)
