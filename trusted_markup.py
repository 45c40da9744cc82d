"""Text that is already safe markup: templates print it unescaped."""

from __future__ import annotations


class SafeMarkup(str):
    """Markup made by our own code, with everything people typed already escaped."""

    __slots__ = ()

    def __html__(self) -> str:
        return self
