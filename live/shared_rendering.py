"""Draw once what many viewers see alike, with a key and a CSRF token of their own where it has forms."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.utils.safestring import SafeString

from config import prometheus_counters
from live.etag import add_etag, compare_etag, release_tag
from log.services import new_key
from pages.drawn_once.form_marks import MARKS, fill_marks

KEPT_DRAWINGS = 64

_drawings: OrderedDict[str, Future[Any]] = OrderedDict()
_drawings_lock = threading.Lock()


def render_once(request: HttpRequest, draw: Callable[[], HttpResponse], *tag: Any) -> HttpResponse:
    """``draw()``, but once for everyone: fifty viewers of the same news cost one drawing, not fifty.

    Only for what all who may see it see alike: no form, no key, no "you"; what differs by permission goes into ``tag``.
    The look-up before it remains each viewer's own permission check.
    """
    if answer := compare_etag(request, "all", *tag):
        return answer

    def drawn() -> tuple[bytes, str]:
        response = draw()
        return response.content, response["Content-Type"]

    body, content_type = _draw_once(request.live_etag, drawn)
    return add_etag(request, HttpResponse(body, content_type=content_type))


def draw_forms_once(request: HttpRequest, draw: Callable[[Mapping[str, str]], str], *tag: object) -> SafeString:
    """``draw(marks)``, but once for all viewers that ``tag`` describes alike, for what has forms.

    The marks stand where the forms have their key and CSRF token; each viewer gets their own. Nothing else may differ.
    A page has the same drawing as its live part.
    """
    parts = repr((release_tag(), request.COOKIES.get("zone", ""), "forms", *tag))
    drawing = _draw_once(parts, lambda: draw(MARKS))
    return fill_marks(drawing, key=new_key(), csrf_token=get_token(request))


def _draw_once(name: str, draw: Callable[[], Any]) -> Any:
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
            drawing.set_result(draw())
            prometheus_counters.DRAWINGS.labels("drawn").inc()
        except BaseException as error:
            with _drawings_lock:
                _drawings.pop(name, None)
            drawing.set_exception(error)
            raise
    else:
        prometheus_counters.DRAWINGS.labels("shared").inc()
    return drawing.result(timeout=30)
