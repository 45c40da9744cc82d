"""Compress answers that are text. Pages repeat themselves, and wifi in a cellar is slow."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponseBase
from django.middleware.gzip import GZipMiddleware

# Pictures, prints and backups are compressed already. An event stream must leave the server line by line.
COMPRESSED_TYPES = (
    "text/html",
    "text/plain",
    "text/csv",
    "text/calendar",
    "application/json",
    "application/vnd.oai.openapi",
    "application/atom+xml",
    "application/xml",
    "image/svg+xml",
)


class CompressionMiddleware(GZipMiddleware):
    """gzip with random padding, so that the length of an answer does not betray a secret inside it (BREACH)."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if response.streaming or not response.get("Content-Type", "").startswith(COMPRESSED_TYPES):
            return response
        return super().process_response(request, response)
