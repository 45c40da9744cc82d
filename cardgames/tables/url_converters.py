"""A table's code in an address: four letters of our own alphabet."""

from __future__ import annotations

from django.urls import register_converter

from cardgames.models import CODE_LETTERS
from people import limits

# Four letters can be tried one after the other, so tries that lead nowhere are counted.
CODES = limits.Limit(
    "table_codes",
    "codes that no table has",
    target=limits.Rate(100, 10),
    browser=limits.Rate(20, 10),
    address=limits.Rate(300, 10),
)


class TableCode:
    regex = f"[{CODE_LETTERS}{CODE_LETTERS.lower()}]{{4}}"

    def to_python(self, value: str) -> str:
        """As it is typed from the screen on the wall into a phone."""
        return value.upper()

    def to_url(self, value: str) -> str:
        return value


register_converter(TableCode, "table")
