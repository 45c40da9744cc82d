"""What card tables leave to the clock."""

from __future__ import annotations

from cardgames import ticking

ticking.register()
