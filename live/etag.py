"""Answer "not modified" without drawing, and draw once what many viewers see alike.

A fragment's tag is its log's version, its viewer and the code that draws it.
"""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from functools import cache
from hashlib import blake2b
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.middleware.csrf import get_token
from django.utils.cache import patch_vary_headers
from django.utils.http import parse_etags

from config import metrics
from log.services import new_key

DRAWN_BY = ("*.py", "*.html", "*.svg")
NOT_OURS = {".venv", ".git", "var", "tests", "bench", "node_modules"}
KEPT_DRAWINGS = 64
# Where a shared drawing has the key and the token of each viewer; nobody can write them, for nobody knows them.
KEY_MARK, TOKEN_MARK = secrets.token_hex(20), secrets.token_hex(20)

_drawings: OrderedDict[str, Future[tuple[bytes, str]]] = OrderedDict()
_drawings_lock = threading.Lock()


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
    answer = _not_modified(request, request.who.ref, *tag)
    if answer is None:
        metrics.DRAWINGS.labels("drawn").inc()
    return answer


def add_etag(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """The drawn fragment with the tag that ``not_modified_response`` worked out."""
    response["ETag"] = request.live_etag
    response["Cache-Control"] = "private, no-cache"
    patch_vary_headers(response, ["Cookie"])
    return response


def render_once(request: HttpRequest, draw: Callable[[], HttpResponse], *tag: Any) -> HttpResponse:
    """``draw()``, but once for everyone: fifty viewers who hear of the same news cost one drawing, not fifty.

    Only for what all who may see it see alike: no form, no key, no "you"; what differs by permission goes into ``tag``.
    The look-up before it remains each viewer's own permission check.
    """
    if answer := _not_modified(request, "all", *tag):
        return answer
    body, content_type = _draw_once(request.live_etag, draw)
    return add_etag(request, HttpResponse(body, content_type=content_type))


def render_forms_once(
    request: HttpRequest, draw: Callable[[Mapping[str, str]], HttpResponse], *tag: object
) -> HttpResponse:
    """``draw(marks)``, but once for all viewers that ``tag`` describes alike, for what has forms.

    The marks stand where the forms have their key and CSRF token; each viewer gets their own. Nothing else may differ.
    """
    parts = repr((release_tag(), request.COOKIES.get("zone", ""), "forms", *tag))
    body, content_type = _draw_once(parts, lambda: draw({"key": KEY_MARK, "csrf_token": TOKEN_MARK}))
    own = body.replace(KEY_MARK.encode(), new_key().encode()).replace(TOKEN_MARK.encode(), get_token(request).encode())
    return HttpResponse(own, content_type=content_type)


def _draw_once(name: str, draw: Callable[[], HttpResponse]) -> tuple[bytes, str]:
    """The drawing of this name: ours, or the one another request made or is making."""
    with _drawings_lock:
        drawing = _drawings.get(name)
        mine = drawing is None
        if drawing is None:
            drawing = _drawings[name] = Future()
            while len(_drawings) > KEPT_DRAWINGS:
                _drawings.popitem(last=False)
    if mine:
        try:
            response = draw()
            drawing.set_result((response.content, response["Content-Type"]))
            metrics.DRAWINGS.labels("drawn").inc()
        except BaseException as error:
            with _drawings_lock:
                _drawings.pop(name, None)
            drawing.set_exception(error)
            raise
    else:
        metrics.DRAWINGS.labels("shared").inc()
    return drawing.result(timeout=30)


def _not_modified(request: HttpRequest, *tag: Any) -> HttpResponse | None:
    parts = (release_tag(), request.get_full_path(), request.COOKIES.get("zone", ""), *tag)
    request.live_etag = f'W/"{blake2b(repr(parts).encode(), digest_size=12).hexdigest()}"'
    if request.live_etag in parse_etags(request.headers.get("If-None-Match", "")):
        metrics.DRAWINGS.labels("unchanged").inc()
        return add_etag(request, HttpResponseNotModified())
    return None
