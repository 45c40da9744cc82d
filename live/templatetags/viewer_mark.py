"""What the live part of a page needs from the server."""

from __future__ import annotations

from django import template

from live.viewer_mark import viewer_mark_of

register = template.Library()


@register.simple_tag(takes_context=True)
def viewer_mark(context: dict[str, object]) -> str:
    who = getattr(context.get("request"), "who", None)
    return viewer_mark_of(who) if who is not None else ""
