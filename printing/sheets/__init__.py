"""One module per sheet; ``load_sheets`` registers them all."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules


def load_sheets() -> None:
    for found in iter_modules(__path__):
        import_module(f"{__name__}.{found.name}")
