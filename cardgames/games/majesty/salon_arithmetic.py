"""The arithmetic of reforms and salons: wealth, sophia, difficulty, the exact chance, and which levels are open.

Needs no table: the digital game, the bots and the companion all ask here. For example, two philosophes of the reform's
muse and one other attend: sophia 2 + 2 + 1 = 5. The reform has level 1, and a scandal lies at the court:

    salon = Salon(sophia_of(["music", "music", "arts"], "music"), level=1, scandals=1)
    salon.against                      # 2, and the number on the card comes on top
    salon.wins_on                      # (1, 2): with a 3 the sophia is no longer greater
    salon.chance({1: 4, 2: 6, 3: 30})  # 10 of 40 cards, so 1/4
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Salon:
    """A salon whose card is still to be drawn; ``faux_pas`` if the table agreed that it fails on a 6."""

    sophia: int
    level: int
    scandals: int = 0
    faux_pas: bool = False

    @property
    def against(self) -> int:
        """The difficulty before the number on the card is added."""
        return self.level + self.scandals

    def succeeds_on(self, number: int) -> bool:
        """Sophia must be strictly greater. The faux pas looks at the number on the card, before anything is added."""
        return self.sophia > self.against + number and not (self.faux_pas and number == FAUX_PAS)

    @property
    def wins_on(self) -> tuple[int, ...]:
        """The numbers with which it succeeds."""
        return tuple(number for number in range(1, FAUX_PAS + 1) if self.succeeds_on(number))

    def chance(self, spread: Mapping[int, int]) -> Fraction:
        """The exact chance with so many cards of each number left; 0 if there is none."""
        total = sum(spread.values())
        wins = sum(cards for number, cards in spread.items() if self.succeeds_on(number))
        return Fraction(wins, total) if total else Fraction(0)


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
