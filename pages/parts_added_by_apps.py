"""What apps above add to a page: a template and the values it needs, from functions they register."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PagePart:
    template: str
    values: Mapping[str, object]


BuildPart = Callable[..., PagePart | None]  # with what the page passes: the request, and what the page is about


class PageParts:
    """The parts of one page, in order. A function that answers None adds nothing this time."""

    def __init__(self) -> None:
        self._builders: list[tuple[int, BuildPart]] = []

    def register(self, build: BuildPart, *, order: int = 50) -> None:
        self._builders.append((order, build))
        self._builders.sort(key=lambda row: row[0])

    def build(self, *about: object) -> list[PagePart]:
        found = (build(*about) for _, build in self._builders)
        return [part for part in found if part is not None]
