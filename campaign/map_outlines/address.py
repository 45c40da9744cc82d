"""Where a page finds the outlines of its map."""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b

from cached_reverse import cached_reverse
from campaign.map.display import MapDisplay
from campaign.map.svg import draw_lands


def lands_address(display: MapDisplay) -> str:
    """For a map whose seed is the code of its campaign. What is in the file is in the address: it never changes."""
    kingdoms = tuple(kingdom.id for kingdom in display.kingdoms)
    address = cached_reverse("campaign:lands", display.seed, ".".join(kingdoms))
    return f"{address}?v={_digest(kingdoms, display.seed)}"


@lru_cache(maxsize=1024)
def _digest(kingdoms: tuple[str, ...], seed: str) -> str:
    return blake2b(draw_lands(kingdoms, seed).encode(), digest_size=6).hexdigest()
