"""Coats of arms: drawn from a seed or by hand, told in heraldic English, kept to the rule of tincture.

Standard library, ``chance`` and ``refusal`` only; knows no Django.
"""

from heraldry.arms import CHOICES, Arms, counts_for, legal_choices, mended
from heraldry.draw import standalone, svg, svg_at
from heraldry.tinctures import COLOURS, METALS, TINCTURE, TINCTURES

__all__ = [
    "CHOICES",
    "COLOURS",
    "METALS",
    "TINCTURE",
    "TINCTURES",
    "Arms",
    "counts_for",
    "legal_choices",
    "mended",
    "standalone",
    "svg",
    "svg_at",
]
