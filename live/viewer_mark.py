"""An opaque id of the viewer, so that an outbox never sends one person's entries as another's."""

from __future__ import annotations

from typing import Any

from django.utils.crypto import salted_hmac
from jinja2 import pass_context
from jinja2.runtime import Context

from pages import jinja


def viewer_mark_of(who: Any) -> str:
    """The same for the same viewer; reveals nothing about them."""
    return salted_hmac("live.viewer", who.ref).hexdigest()[:16]


@pass_context
def viewer_mark(context: Context) -> str:
    who = getattr(context.get("request"), "who", None)
    return viewer_mark_of(who) if who is not None else ""


def register() -> None:
    jinja.add_functions({"viewer_mark": viewer_mark})
