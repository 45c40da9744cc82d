"""What pages at the table need: things side by side, pips of a unit, and a unit's cell in a form."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import template

register = template.Library()


@register.filter
def paired(these: Iterable[Any], those: Iterable[Any]) -> list[tuple[Any, Any]]:
    return list(zip(these, those, strict=False))


@register.filter
def of(table: Any, key: Any) -> Any:
    """table[key], or nothing."""
    try:
        return table[key]
    except (KeyError, IndexError, TypeError):
        return ""


@register.filter
def choice(choices: Iterable[tuple[str, str]], key: str) -> str:
    """What a choice is called."""
    return dict(choices).get(key, key)
