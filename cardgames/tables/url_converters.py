"""The URL converter for table codes: four letters of a reduced alphabet."""

from __future__ import annotations

from django.urls import register_converter

from cardgames.models import CODE_LETTERS
from people import rate_limits

# Four letters can be guessed, so wrong codes are limited.
CODE_LIMIT = rate_limits.Limit(
    "table_codes",
    "wrong table codes",
    target=rate_limits.Rate(100, 10),
    browser=rate_limits.Rate(20, 10),
    address=rate_limits.Rate(300, 10),
)


class TableCodeConverter:
    regex = f"[{CODE_LETTERS}{CODE_LETTERS.lower()}]{{4}}"

    def to_python(self, value: str) -> str:
        """Accepts lower case, as people type it."""
        return value.upper()

    def to_url(self, value: str) -> str:
        return value


register_converter(TableCodeConverter, "table")
