"""Draw a part of a page once for everybody whose part is the same (a builtin library, no load needed)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from django import template
from django.db.models import Model
from django.template.loader import get_template
from django.utils import timezone
from django.utils.safestring import SafeString

from pages.drawn_once import kept_parts
from pages.drawn_once.form_marks import MARKS, fill_marks

register = template.Library()
PLAIN = {str, int, bool, float, type(None)}
_fields: dict[type, tuple[str, ...]] = {}  # the names of each dataclass


@register.simple_tag(takes_context=True)
def drawn_once(context: template.Context, template_name: str, key: str = "", **values: Any) -> SafeString:
    """``{% drawn_once "campaign/home/_entry.html" entry=entry code=display.code %}``

    The part sees these values and nothing else, neither request nor viewer, so whoever has equal values gets an equal
    part: it is kept by them. They must be frozen (dataclasses, texts, numbers; a list counts as a tuple). It cannot
    hold a term, whose numbers run through the page, and a form only if it is given its ``key``: key and CSRF token are
    put into each viewer's part.
    """
    part = _draw(template_name, has_forms=bool(key), values=values)
    if not key:
        return part
    return fill_marks(part, key=key, csrf_token=str(context["csrf_token"]))


drawn_once.reads_of_context = ("csrf_token",)


def _draw(template_name: str, *, has_forms: bool, values: Mapping[str, object]) -> SafeString:
    fixed = {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}
    # Moments are shown in the viewer's zone, and with the year if it is not this one.
    zone = timezone.get_current_timezone()
    key = (template_name, has_forms, zone, dt.datetime.now(zone).date(), *fixed.items())

    def draw() -> str:
        if _has_row(tuple(fixed.values())):
            raise template.TemplateSyntaxError(f"{template_name} gets a row of the database, which can change.")
        part: str = get_template(template_name).template.render(template.Context(fixed | (MARKS if has_forms else {})))
        if ("<form" in part and not has_forms) or "popovertarget" in part:
            raise template.TemplateSyntaxError(f"{template_name} has a form or a term, so it cannot be drawn once.")
        return part

    return kept_parts.get_or_draw(key, draw, can_be_left_out=not has_forms)


def _has_row(value: object) -> bool:
    """Rows of the database are equal by their number alone, whatever is in them."""
    kind = type(value)
    if kind in PLAIN:
        return False
    if isinstance(value, Model):
        return True
    if isinstance(value, tuple | frozenset):
        return any(type(one) not in PLAIN and _has_row(one) for one in value)
    names = _fields.get(kind)
    if names is None:
        names = _fields[kind] = tuple(one.name for one in fields(value)) if is_dataclass(value) else ()
    return any(type(inside := getattr(value, name)) not in PLAIN and _has_row(inside) for name in names)
