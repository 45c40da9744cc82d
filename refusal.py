"""A refusal: one sentence for the player, raised anywhere, shown in one place.

Standard library only, because the pure rules raise it too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class Refusal(ValueError):
    """Something was asked that cannot be done, and the message says why to a person.

    ``status`` is the HTTP answer that fits: 422 for a wrong value, 409 when what the act touches
    has changed meanwhile (``fresh`` then carries the state as it is now), 403 for someone who may
    look but not act, 429 for too many tries.
    """

    def __init__(
        self, sentence: str, *, status: int = 422, field: str | None = None, fresh: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.status = status
        self.field = field
        self.fresh = fresh
