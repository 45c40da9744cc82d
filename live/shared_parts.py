"""Live parts that many viewers see alike: drawn once for each version of their log and each audience."""

from __future__ import annotations

import gzip
import io
import secrets
from collections.abc import Callable, Mapping
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.utils.safestring import SafeString

from live.etag import add_etag, compare_etag, release_tag
from log.services import new_key
from pages.drawn_parts import MARKS, fill_marks, get_or_draw


def render_once(
    request: HttpRequest, draw: Callable[[], HttpResponse], *tag: Any, content_type: str | None = None
) -> HttpResponse:
    """``draw()``, but once for everyone: fifty viewers of the same news cost one drawing, not fifty.

    Only for what all who may see it see alike: no form, no key, no "you"; what differs by permission goes into ``tag``.
    The look-up before it remains each viewer's own permission check.
    """
    if answer := compare_etag(request, "all", *tag):
        return answer
    body: bytes = get_or_draw(request.live_etag, lambda: bytes(draw().content))
    response = HttpResponse(body, content_type=content_type)
    if content_type is None and accepts_gzip(request):
        response.content = get_or_draw((request.live_etag, "gzip"), lambda: compress(body))
        response["Content-Encoding"] = "gzip"
    return add_etag(request, response)


def accepts_gzip(request: HttpRequest) -> bool:
    return "gzip" in request.headers.get("Accept-Encoding", "") and not settings.PLAIN


def compress(body: bytes) -> bytes:
    """Once for all viewers. As in Django's middleware, a random name inside hides the length of what is compressed."""
    packed = io.BytesIO()
    name = secrets.token_hex(50)[: secrets.randbelow(101)]
    with gzip.GzipFile(filename=name, mode="wb", compresslevel=6, fileobj=packed, mtime=0) as file:
        file.write(body)
    return packed.getvalue()


def draw_forms_once(request: HttpRequest, draw: Callable[[Mapping[str, str]], str], *tag: object) -> SafeString:
    """``draw(marks)``, but once for all viewers that ``tag`` describes alike, for what has forms.

    The marks stand where the forms have their key and CSRF token; each viewer gets their own. Nothing else may differ.
    A page has the same drawing as its live part.
    """
    parts = repr((release_tag(), request.COOKIES.get("zone", ""), "forms", *tag))
    drawing: str = get_or_draw(parts, lambda: draw(MARKS))
    return fill_marks(drawing, key=new_key(), csrf_token=get_token(request))
