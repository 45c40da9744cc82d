"""Every kind of step, registered by importing its module; the one place from which steps are worked out."""

from __future__ import annotations

from battles.tracker import fights, laying, rounds, siege, solo, tokens
from battles.tracker.draft import Done, kinds, work_out

__all__ = ["Done", "fights", "kinds", "laying", "rounds", "siege", "solo", "tokens", "work_out"]
