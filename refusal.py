"""A refusal: one sentence for the player. Raised anywhere, shown in one place.

Standard library only, because the pure rules raise it too.
"""

from collections.abc import Mapping
from typing import Any


class Refusal(ValueError):
    """A request that cannot be done. The message tells the player why.

    ``status`` is the HTTP status: 422 for a wrong value, 409 when the data
    has changed meanwhile (``fresh`` then holds the current state), 403 for someone who can
    look but not act, 429 for too many tries. ``code`` is for programs, where it says more than the status.
    """

    def __init__(
        self,
        sentence: str,
        *,
        status: int = 422,
        field: str | None = None,
        fresh: Mapping[str, Any] | None = None,
        code: str = "",
    ) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.status = status
        self.field = field
        self.fresh = fresh
        self.code = code
