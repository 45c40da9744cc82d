"""Draw a part of a page once for everybody whose part is the same (a builtin library, no load needed)."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Any

from django import template
from django.template.loader import get_template
from django.utils import timezone
from django.utils.safestring import SafeString

register = template.Library()
MOST_CHARACTERS = 16_000_000  # in one process

_parts: OrderedDict[Hashable, SafeString] = OrderedDict()
_lock = threading.Lock()
_size = 0


@register.simple_tag
def drawn_once(template_name: str, **values: Any) -> SafeString:
    """``{% drawn_once "campaign/home/_entry.html" entry=entry code=display.code %}``

    The part sees these values and nothing else, neither request nor viewer, so whoever has equal values gets an equal
    part: it is kept by them. They must be frozen (dataclasses, texts, numbers; a list counts as a tuple). It cannot
    hold a form, nor a term, whose numbers run through the page.
    """
    fixed = {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}
    # Moments are shown in the viewer's zone, and with the year if it is not this one.
    key = (template_name, timezone.get_current_timezone_name(), timezone.localdate(), *fixed.items())
    with _lock:
        if (kept := _parts.get(key)) is not None:
            _parts.move_to_end(key)
            return kept
    part: SafeString = get_template(template_name).template.render(template.Context(fixed))
    if "<form" in part or "popovertarget" in part:
        raise template.TemplateSyntaxError(f"{template_name} has a form or a term, so it cannot be drawn once for all.")
    _keep(key, part)
    return part


def _keep(key: Hashable, part: SafeString) -> None:
    global _size
    with _lock:
        if key not in _parts:
            _parts[key] = part
            _size += len(part)
        while _size > MOST_CHARACTERS:
            _, oldest = _parts.popitem(last=False)
            _size -= len(oldest)
