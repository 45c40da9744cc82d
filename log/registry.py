"""The kinds of log and who may watch each; apps register theirs here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

# A look-up takes who asks and the log's id, and answers whether that viewer may see the thing the log belongs to.
Visible = Callable[[Any, int], bool]

_visible: dict[str, Visible] = {}
_secret: set[str] = set()


def register_kind(kind: str, visible: Visible, *, secret: bool = False) -> None:
    """``secret``: its entries hold what other players must not know. Not even the admin lists them."""
    _visible[kind] = visible
    if secret:
        _secret.add(kind)


def secret_kinds() -> frozenset[str]:
    return frozenset(_secret)


def can_watch(who: Any, kind: str, log_id: int) -> bool:
    visible = _visible.get(kind)
    return bool(visible and visible(who, log_id))
