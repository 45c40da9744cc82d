"""One module for each kind of sheet; ``load_sheets`` registers them all."""

from importlib import import_module
from pkgutil import iter_modules

from printing.sheet_registry import SHEETS

# Each section of /print/ shows its sheets in this order.
ORDER = (
    ("quick-reference", "heroes", "units", "scenario", "scenarios"),
    ("deck", "deck-tabletop", "deck-print-shop", "player-aid", "score-sheet"),
    ("roster", "army", "slip", "blank-slip", "tokens"),
    ("campaign-map", "chronicle", "kingdoms", "kingdom-sheet", "tonight"),
    ("gazette", "night"),
)


def load_sheets() -> None:
    for module in iter_modules(__path__):
        import_module(f"{__name__}.{module.name}")
    for key in (key for keys in ORDER for key in keys):
        SHEETS[key] = SHEETS.pop(key)
