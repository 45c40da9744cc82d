"""Compress stylesheets and scripts at home, where no deploy has done it beforehand. They hold no secrets."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.cache import patch_vary_headers

from config.static_files import compress

COMPRESSED = (".css", ".js", ".svg")


@lru_cache(maxsize=256)
def _compress(path: str, modified: str, body: bytes) -> bytes:
    return compress(body)


class StaticCompressionMiddleware:
    """In production WhiteNoise has files that were compressed once and for all."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        path = request.path_info
        if not (settings.AT_HOME and path.startswith(settings.STATIC_URL) and path.endswith(COMPRESSED)):
            return response
        patch_vary_headers(response, ["Accept-Encoding"])
        if (
            response.status_code != 200
            or request.method != "GET"
            or "br" not in request.headers.get("Accept-Encoding", "").replace(" ", "").split(",")
        ):
            return response
        body = b"".join(response.streaming_content) if response.streaming else response.content
        made = HttpResponse(_compress(path, response.headers.get("Last-Modified", ""), body))
        for name, value in response.headers.items():
            if name not in ("Content-Length", "ETag"):
                made.headers[name] = value
        made.headers["Content-Encoding"] = "br"
        made.headers["Content-Length"] = str(len(made.content))
        response.close()
        return made
