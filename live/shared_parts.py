"""Live parts that many viewers see alike: drawn once for each version of their log and each audience."""

import gzip
import io
import secrets
from collections.abc import Callable, Mapping
from functools import cache
from hashlib import blake2b
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.middleware.csrf import get_token
from django.utils.cache import patch_vary_headers
from django.utils.crypto import salted_hmac
from django.utils.http import parse_etags
from django.utils.safestring import SafeString
from jinja2 import pass_context
from jinja2.runtime import Context

from config import prometheus_counters
from log.models import Log
from log.services import new_key
from pages import jinja
from pages.cached_parts import MARKS, fill_marks, get_or_draw


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


# ── Answer "not modified" without drawing ────────────────────────────────────────────────────────────────
# A fragment's tag is its log's version, its viewer and the code that draws it.


DRAWN_BY = ("*.py", "*.html", "*.svg")
NOT_OURS = {".venv", ".git", "var", "tests", "bench", "node_modules"}


@cache
def release_tag() -> str:
    """Changes with templates and code; the same in every process of one release."""
    stamp = blake2b(digest_size=8)
    for folder in sorted(path for path in settings.BASE_DIR.iterdir() if path.is_dir() and path.name not in NOT_OURS):
        for path in sorted(path for pattern in DRAWN_BY for path in folder.rglob(pattern)):
            stat = path.stat()
            stamp.update(f"{path.name} {stat.st_size} {stat.st_mtime_ns}\n".encode())
    return stamp.hexdigest()


def not_modified_response(request: HttpRequest, *tag: Any) -> HttpResponse | None:
    """304 if the sender already has what ``tag`` stands for. Call it after the permission check.

    ``tag`` holds the log's version and whatever else the fragment depends on; the address, the viewer and the release
    are added here. Read the version before the rows: an old number on new content costs one more fetch, the reverse
    would miss news.
    """
    answer = compare_etag(request, request.who.ref, *tag)
    if answer is None:
        prometheus_counters.DRAWINGS.labels("drawn").inc()
    return answer


def add_etag(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """The drawn fragment with the tag that ``not_modified_response`` worked out."""
    response["ETag"] = request.live_etag
    response["Cache-Control"] = "private, no-cache"
    patch_vary_headers(response, ["Cookie"])
    return response


def add_version(request: HttpRequest, response: HttpResponse, log: Log) -> HttpResponse:
    """Says which version of a log an answer shows, so that its page need not fetch the same once more.

    Read the version before the rows, as for ``not_modified_response``.
    """
    response["X-Live-Version"] = f"{log.pk}={log.version}"
    return response


def compare_etag(request: HttpRequest, *tag: Any) -> HttpResponse | None:
    """Works out the request's tag; 304 if the sender has that one."""
    parts = (release_tag(), request.get_full_path(), request.COOKIES.get("zone", ""), *tag)
    request.live_etag = f'W/"{blake2b(repr(parts).encode(), digest_size=12).hexdigest()}"'
    if not settings.PLAIN and request.live_etag in parse_etags(request.headers.get("If-None-Match", "")):
        prometheus_counters.DRAWINGS.labels("unchanged").inc()
        return add_etag(request, HttpResponseNotModified())
    return None


# ── An id of the viewer ────────────────────────────────────────────────────────────────────────────────
# So that an outbox never sends one person's entries as another's.


def viewer_mark_of(who: Any) -> str:
    """The same for the same viewer; reveals nothing about them."""
    return salted_hmac("live.viewer", who.ref).hexdigest()[:16]


@pass_context
def viewer_mark(context: Context) -> str:
    who = getattr(context.get("request"), "who", None)
    return viewer_mark_of(who) if who is not None else ""


def register_viewer_mark() -> None:
    jinja.add_functions({"viewer_mark": viewer_mark})
