"""An opaque id of the viewer, so that an outbox never sends one person's entries as another's."""

from __future__ import annotations

from typing import Any

from django.utils.crypto import salted_hmac


def viewer_mark_of(who: Any) -> str:
    """The same for the same viewer; reveals nothing about them."""
    return salted_hmac("live.viewer", who.ref).hexdigest()[:16]
