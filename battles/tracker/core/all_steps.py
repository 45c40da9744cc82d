"""Importing this module registers every kind of step."""

from __future__ import annotations

from battles.tracker.core import deployment, fight_steps, round_steps, siege_steps, solo_opponent_turn, unit_steps
from battles.tracker.core.step_draft import JudgedStep, judge_step, step_kinds

__all__ = [
    "JudgedStep",
    "deployment",
    "fight_steps",
    "judge_step",
    "round_steps",
    "siege_steps",
    "solo_opponent_turn",
    "step_kinds",
    "unit_steps",
]
