"""Stream files under ASGI in chunks. By itself Django would read the whole file into memory first."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from itertools import islice

from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponse

BLOCKS_PER_CHUNK = 64  # of 4 kB each, read together in one thread call


class FileStreamingMiddleware:
    """For static files and downloads alike."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if isinstance(request, ASGIRequest) and response.streaming and not response.is_async:
            response.streaming_content = _chunks(iter(response.streaming_content))
        return response


async def _chunks(blocks: Iterator[bytes]) -> AsyncIterator[bytes]:
    while chunk := await asyncio.to_thread(lambda: b"".join(islice(blocks, BLOCKS_PER_CHUNK))):
        yield chunk
