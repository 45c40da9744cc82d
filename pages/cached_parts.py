"""Parts of pages: drawn once for many viewers, and added by apps above.

A part that many viewers see alike is kept, by one cache in each process, by the values it was drawn from
(``drawn_once`` in templates), or by the log's version and the audience (``live.shared_parts``). While one request draws
it, others that want the same wait for that drawing. Forms are drawn with marks; each viewer gets their own key and CSRF
token in their place.
"""

import datetime as dt
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, TypeVar

from django.conf import settings
from django.db.models import Model
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from jinja2 import Environment, pass_context
from jinja2.runtime import Context

from config import prometheus_counters
from pages.template_functions import csrf_token

MAX_CHARACTERS = 16_000_000  # in one process
MAX_WAIT = 30  # seconds for somebody else's drawing
# Nobody can write them into a page, for nobody knows them.
MARKS = {"key": secrets.token_hex(20), "csrf_token": secrets.token_hex(20)}
PLAIN = {str, int, bool, float, type(None)}

Drawing = TypeVar("Drawing", str, bytes)

_SHARED, _DRAWN = prometheus_counters.DRAWINGS.labels("shared"), prometheus_counters.DRAWINGS.labels("drawn")
_lock = threading.Lock()
_parts: OrderedDict[Hashable, Future[Any]] = OrderedDict()
_size = 0
_fields: dict[type, tuple[str, ...]] = {}  # the names of each dataclass


def get_or_draw(key: Hashable, draw: Callable[[], Drawing]) -> Drawing:
    """The part that is kept under this key: ours, or the one another request made or is making."""
    global _size
    if settings.PLAIN:
        return draw()
    with _lock:
        if (part := _parts.get(key)) is not None:
            _parts.move_to_end(key)
        else:
            mine = _parts[key] = Future()
    if part is not None:
        _SHARED.inc()
        kept: Drawing = part.result(MAX_WAIT)
        return kept
    try:
        drawing = draw()
    except BaseException as error:
        with _lock:
            _parts.pop(key, None)
        mine.set_exception(error)
        raise
    mine.set_result(drawing)
    _DRAWN.inc()
    with _lock:
        if _parts.get(key) is mine:
            _size += len(drawing)
        while _size > MAX_CHARACTERS:
            _, oldest = _parts.popitem(last=False)
            _size -= len(oldest.result()) if oldest.done() else 0
    return drawing


def forget_all() -> None:
    global _size
    with _lock:
        _parts.clear()
        _size = 0


def fill_marks(drawing: str, *, key: str, csrf_token: str) -> SafeString:
    """What a template drew with ``MARKS``, with the viewer's own key and token."""
    return mark_safe(drawing.replace(MARKS["key"], key).replace(MARKS["csrf_token"], csrf_token))


@pass_context
def drawn_once(context: Context, template_name: str, key: str = "", **values: Any) -> SafeString:
    """``{{ drawn_once("campaign/home/_entry.html", entry=entry, code=display.code) }}``

    The part sees these values and nothing else, neither request nor viewer, so whoever has equal values gets an equal
    part. They must be frozen (dataclasses, texts, numbers; a list counts as a tuple). It cannot hold a term, whose
    numbers run through the page, and a form only if it is given its ``key``.
    """
    part = _draw(context.environment, template_name, has_forms=bool(key), values=values)
    return fill_marks(part, key=key, csrf_token=csrf_token(context)) if key else part


def _draw(env: Environment, template_name: str, *, has_forms: bool, values: Mapping[str, object]) -> SafeString:
    fixed = {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}
    # Moments are shown in the viewer's zone, and with the year if it is not this one.
    zone = timezone.get_current_timezone()
    kinds = tuple(map(type, fixed.values()))  # a text that is safe to draw equals one that is not
    key = (template_name, has_forms, zone, dt.datetime.now(zone).date(), kinds, *fixed.items())

    def draw() -> SafeString:
        if _has_row(tuple(fixed.values())):
            raise ValueError(f"{template_name} gets a row of the database, which can change.")
        part = env.get_template(template_name).render(fixed | (MARKS if has_forms else {}))
        if ("<form" in part and not has_forms) or "popovertarget" in part:
            raise ValueError(f"{template_name} has a form or a term, so it cannot be drawn once.")
        return mark_safe(part)

    return get_or_draw(key, draw)


def _has_row(value: object) -> bool:
    """Rows of the database are equal by their number alone, whatever is in them."""
    kind = type(value)
    if kind in PLAIN:
        return False
    if isinstance(value, Model):
        return True
    if isinstance(value, tuple | frozenset):
        return any(type(item) not in PLAIN and _has_row(item) for item in value)
    names = _fields.get(kind)
    if names is None:
        names = _fields[kind] = tuple(field.name for field in fields(value)) if is_dataclass(value) else ()
    return any(type(inside := getattr(value, name)) not in PLAIN and _has_row(inside) for name in names)


# ── What apps above add to a page: a template and the values it needs, from functions they register ──────


@dataclass(frozen=True, slots=True)
class PagePart:
    template: str
    values: Mapping[str, object]


BuildPart = Callable[..., PagePart | None]  # with what the page passes: the request, and what the page is about


class PageParts:
    """The parts of one page, in order. A function that answers None adds nothing this time."""

    def __init__(self) -> None:
        self._builders: list[tuple[int, BuildPart]] = []

    def register(self, build: BuildPart, *, order: int = 50) -> None:
        self._builders.append((order, build))
        self._builders.sort(key=lambda row: row[0])

    def build(self, *about: object) -> list[PagePart]:
        parts = (build(*about) for _, build in self._builders)
        return [part for part in parts if part is not None]
