"""Django behind an ASGI server, with each request answered by one thread.

All our views and middleware are synchronous. Django's own handler hands such a request from thread to thread several
times, and starts new threads and connections for it: 5 ms of a processor before a view is reached. Only streams need
the event loop (``live.streams``), and they are not Django's.
"""

from __future__ import annotations

import asyncio
import contextlib
from concurrent.futures import ThreadPoolExecutor
from typing import IO

from django.core import signals
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.core.handlers.base import BaseHandler
from django.http import FileResponse, HttpResponse
from django.urls import set_script_prefix

from config.request_limits import Message, Receive, Send
from config.servers.address_matching import MatchesAddressesOnce
from config.servers.thread_turns import take_short_turns

# One that waits for a lock must not keep others from a page.
THREADS = 16


class ThreadedHandler(MatchesAddressesOnce, ASGIHandler):
    def __init__(self) -> None:
        BaseHandler.__init__(self)
        self.load_middleware(is_async=False)
        self._threads = ThreadPoolExecutor(THREADS, "page")
        take_short_turns()  # the event loop, which writes all streams, is one more thread

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            raise ValueError(f"Django answers HTTP, not {scope['type']}.")
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        loop = asyncio.get_running_loop()
        with contextlib.closing(body):
            response = await loop.run_in_executor(self._threads, self._answer, scope, body)
            try:
                await self.send_response(response, send)
            finally:
                if response.streaming:
                    await loop.run_in_executor(self._threads, response.close)

    def _answer(self, scope: Message, body: IO[bytes]) -> HttpResponse:
        """The whole answer; of a file, how to read it."""
        set_script_prefix(get_script_prefix(scope))
        signals.request_started.send(sender=self.__class__, scope=scope)
        request, response = self.create_request(scope, body)
        if request is not None:
            response = self.get_response(request)
        response._handler_class = self.__class__
        if isinstance(response, FileResponse):
            response.block_size = self.chunk_size
        if not response.streaming:
            response.close()
        return response
