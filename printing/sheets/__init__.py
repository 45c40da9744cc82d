"""One small module for each sheet; importing this package puts them all on the shelf."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules


def load() -> None:
    for found in iter_modules(__path__):
        import_module(f"{__name__}.{found.name}")
