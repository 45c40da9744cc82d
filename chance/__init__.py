"""Chance that never changes: the same seed gives the same dice on every machine and in every year.

Standard library only. Python's own ``random`` promises a stable ``random()`` but not stable ``shuffle`` or
``randint`` between versions, and a printed army code must still give the same army in ten years.
"""

from chance.seeded_dice import Dice, new_seed, normalise_word, seal_words

__all__ = ["Dice", "new_seed", "normalise_word", "seal_words"]
