"""Shared by the tests of the look."""

from __future__ import annotations

from hypothesis import settings

# A busy machine is not a wrong drawing: examples are not timed.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
