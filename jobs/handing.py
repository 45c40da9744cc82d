"""Handing out a file from the site's own folder, after somebody has checked who asks."""

from __future__ import annotations

import asyncio
import mimetypes
from collections.abc import AsyncIterator
from pathlib import Path

from django.core.handlers.asgi import ASGIRequest
from django.http import FileResponse, HttpRequest, HttpResponseBase, StreamingHttpResponse
from django.utils.http import content_disposition_header

CHUNK = 256 * 1024


def hand_over(request: HttpRequest, path: Path, saved_as: str) -> HttpResponseBase:
    """The file as a download. Never shown in place: what a job made is not a page of this site."""
    content_type = mimetypes.guess_type(saved_as)[0] or "application/octet-stream"
    if isinstance(request, ASGIRequest):
        # Django would read an ordinary file to its end into memory before sending the first byte.
        response: StreamingHttpResponse = StreamingHttpResponse(_pieces(path), content_type=content_type)
        response["Content-Length"] = path.stat().st_size
    else:
        response = FileResponse(path.open("rb"), content_type=content_type)
    response["Content-Disposition"] = content_disposition_header(True, saved_as)
    response["Cache-Control"] = "private, no-store"
    return response


async def _pieces(path: Path) -> AsyncIterator[bytes]:
    file = await asyncio.to_thread(path.open, "rb")
    try:
        while piece := await asyncio.to_thread(file.read, CHUNK):
            yield piece
    finally:
        file.close()
