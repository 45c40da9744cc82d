"""Filters for the tracker's templates."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import template

register = template.Library()


@register.filter
def zip_with(these: Iterable[Any], those: Iterable[Any]) -> list[tuple[Any, Any]]:
    return list(zip(these, those, strict=False))


@register.filter
def choice_label(choices: Iterable[tuple[str, str]], key: str) -> str:
    """The label of a choice."""
    return dict(choices).get(key, key)
