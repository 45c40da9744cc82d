"""The URL converter for table codes: a few letters of a reduced alphabet."""

from __future__ import annotations

from django.urls import register_converter

from cardgames.models import CODE_LETTERS, PRIVATE_CODE
from people import rate_limits

# Four letters can be guessed, so wrong codes are limited, also those from everywhere together: with twenty tables open,
# a thousand strangers at once open a table every other hour at best, and newcomers who mistype still have their tries.
CODE_LIMIT = rate_limits.Limit(
    "table_codes",
    "wrong table codes",
    target=rate_limits.Rate(100, 10),
    browser=rate_limits.Rate(20, 60),
    address=rate_limits.Rate(300, 10),
    site=rate_limits.Rate(3600, 60),
)


class TableCodeConverter:
    regex = f"[{CODE_LETTERS}{CODE_LETTERS.lower()}]{{4,{PRIVATE_CODE}}}"

    def to_python(self, value: str) -> str:
        """Accepts lower case, as people type it."""
        return value.upper()

    def to_url(self, value: str) -> str:
        return value


register_converter(TableCodeConverter, "table")
