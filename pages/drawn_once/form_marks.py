"""Marks in a shared drawing where each viewer's forms get a key and a CSRF token of their own."""

from __future__ import annotations

import secrets

from django.utils.safestring import SafeString, mark_safe

# Nobody can write them into a page, for nobody knows them.
KEY_MARK, TOKEN_MARK = secrets.token_hex(20), secrets.token_hex(20)
MARKS = {"key": KEY_MARK, "csrf_token": TOKEN_MARK}


def fill_marks(drawing: str, *, key: str, csrf_token: str) -> SafeString:
    """What a template drew with ``MARKS``, with the viewer's own key and token."""
    return mark_safe(drawing.replace(KEY_MARK, key).replace(TOKEN_MARK, csrf_token))
