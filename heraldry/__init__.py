"""Coats of arms: from a seed or chosen by hand, described in heraldic English, within the rule of tincture.

Standard library, ``chance``, ``dataclass_json`` and ``refusal`` only; knows no Django.
"""

from heraldry.coat_of_arms import CHOICES, Arms, allowed_counts, fill_gaps, legal_choices
from heraldry.parts import COLOURS, METALS, TINCTURE, TINCTURES
from heraldry.svg import draw_arms, draw_arms_at, draw_standalone

__all__ = [
    "CHOICES",
    "COLOURS",
    "METALS",
    "TINCTURE",
    "TINCTURES",
    "Arms",
    "allowed_counts",
    "draw_arms",
    "draw_arms_at",
    "draw_standalone",
    "fill_gaps",
    "legal_choices",
]
