"""One module per sheet; ``load_sheets`` registers them all."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

# What /print/ shows first in each section; the others follow by name.
FIRST = ["quick_reference", "card_decks", "hero_and_unit_cards", "scenario_sheets"]


def load_sheets() -> None:
    for name in dict.fromkeys([*FIRST, *(found.name for found in iter_modules(__path__))]):
        import_module(f"{__name__}.{name}")
