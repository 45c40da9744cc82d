"""The arithmetic of reforms and salons: wealth, sophia, difficulty, the exact chance, and which levels are open.

Needs no table: the digital game, the bots and the companion all ask here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction

LEVELS = (1, 3, 5)
# What an attendee adds: of the reform's muse, and of any other.
OWN_MUSE, OTHER_MUSE = 2, 1
FEWEST = 2
FAUX_PAS = 6
BOOM, TOUR = 2, 2


def wealth_of(coins: Sequence[int], booms: int = 0) -> int:
    """Coins of all own colonies that yield any; each Sugar Boom adds two, provided there is a colony."""
    return sum(coins) + (BOOM * booms if coins else 0)


def sophia_of(muses: Iterable[str], muse: str, tours: int = 0) -> int:
    """What the attendees of these muses give a reform of ``muse``."""
    return sum([OWN_MUSE if each == muse else OTHER_MUSE for each in muses]) + TOUR * tours


def difficulty_of(level: int, randomizer: int, scandals: int = 0) -> int:
    return level + randomizer + scandals


def salon_succeeds(sophia: int, level: int, randomizer: int, scandals: int = 0, *, faux_pas: bool = False) -> bool:
    """Sophia must be strictly greater. The faux pas looks at the number on the card, before anything is added."""
    if faux_pas and randomizer == FAUX_PAS:
        return False
    return sophia > difficulty_of(level, randomizer, scandals)


def winning_randomizers(
    sophia: int, level: int, scandals: int = 0, *, faux_pas: bool = False, most: int = FAUX_PAS
) -> tuple[int, ...]:
    """The numbers with which this salon succeeds."""
    return tuple(
        number for number in range(1, most + 1) if salon_succeeds(sophia, level, number, scandals, faux_pas=faux_pas)
    )


def salon_chance(
    sophia: int, level: int, scandals: int, spread: Mapping[int, int], *, faux_pas: bool = False
) -> Fraction:
    """The exact chance with so many cards of each randomizer left; 0 if there is none."""
    total = sum(spread.values())
    if not total:
        return Fraction(0)
    good = sum(
        cards for number, cards in spread.items() if salon_succeeds(sophia, level, number, scandals, faux_pas=faux_pas)
    )
    return Fraction(good, total)


def level_is_open(level: int, own: Collection[int], holders: Sequence[Collection[int]]) -> bool:
    """Whether a court may attempt this level: it has the level below, or at least half of the table has it."""
    if level not in LEVELS:
        return False
    if level == LEVELS[0]:
        return True
    below = LEVELS[LEVELS.index(level) - 1]
    return below in own or 2 * sum(below in levels for levels in holders) >= len(holders)


def can_host(wealth: int, own: int, courts_with_guests: int) -> bool:
    """Room for two, and two who could come."""
    return wealth >= FEWEST and own >= 1 and own + courts_with_guests >= FEWEST
