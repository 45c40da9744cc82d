"""Property tests are not timed per example: two busy cores would fail them for being slow, not for being wrong."""

from hypothesis import settings

settings.register_profile("rulebook", deadline=None)
settings.load_profile("rulebook")
