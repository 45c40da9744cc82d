"""What apps above show on a group's page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.http import HttpRequest

from groups.models import Group


@dataclass(frozen=True, slots=True)
class PagePart:
    """A template, and the values it needs."""

    template: str
    values: Mapping[str, object]


BuildPart = Callable[[HttpRequest, Group, str], PagePart | None]  # the last argument is the viewer's role
_parts: list[tuple[int, BuildPart]] = []


def register_part(build: BuildPart, *, order: int) -> None:
    _parts.append((order, build))
    _parts.sort(key=lambda row: row[0])


def build_parts(request: HttpRequest, group: Group, role: str) -> list[PagePart]:
    found = (build(request, group, role) for _, build in _parts)
    return [part for part in found if part is not None]
