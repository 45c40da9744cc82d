"""Files under ASGI, piece by piece. Left alone Django reads a file to its end into memory before its first byte is sent."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from itertools import islice

from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponse

BLOCKS = 64  # of a file's 4 kB each: so much is read by one hop to a thread


class PiecesMiddleware:
    """Whoever answers with an ordinary file need not know which kind of server asks: static files do not, nor do downloads."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if isinstance(request, ASGIRequest) and response.streaming and not response.is_async:
            response.streaming_content = _pieces(iter(response.streaming_content))
        return response


async def _pieces(blocks: Iterator[bytes]) -> AsyncIterator[bytes]:
    while piece := await asyncio.to_thread(lambda: b"".join(islice(blocks, BLOCKS))):
        yield piece
