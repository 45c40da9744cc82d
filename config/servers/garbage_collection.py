"""How often a process that answers requests looks for garbage in cycles.

What is loaded stays, and is not looked at again. Python looks after every 700 new objects; a page or a card game makes
thousands and drops them all, so that most of these looks find nothing: 5 to 9 % of the time.
"""

from __future__ import annotations

import gc

NEW_OBJECTS, YOUNG_LOOKS, OLDER_LOOKS = 20_000, 10, 10


def settle_down() -> None:
    """The process is loaded and begins to answer."""
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS, YOUNG_LOOKS, OLDER_LOOKS)
    gc.enable()
