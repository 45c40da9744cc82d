"""How the set-up changes with the number of players: which share of colonies and philosophes stays in the box."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from refusal import Refusal

FEWEST_PLAYERS, MAX_PLAYERS = 2, 6
PATTERN, AS_THREE, FULL = "pattern", "as_three", "full"
Thing = TypeVar("Thing")


@dataclass(frozen=True, slots=True)
class Adjustment:
    """Every ``nth`` colony goes (0: none), and so many philosophes of each muse."""

    nth: int
    philosophes: int


def adjustment_for(players: int, two_players: str = PATTERN) -> Adjustment:
    if type(players) is not int or not FEWEST_PLAYERS <= players <= MAX_PLAYERS:
        raise Refusal("Your Majesty is for 2 to 6 players.", field="seats")
    if players == 2 and two_players != PATTERN:
        return adjustment_for(3 if two_players == AS_THREE else MAX_PLAYERS)
    if players == MAX_PLAYERS:
        return Adjustment(0, 0)
    return Adjustment(players, MAX_PLAYERS - players)


def drop_every(things: Sequence[Thing], nth: int) -> tuple[list[Thing], list[Thing]]:
    """Shuffled things in two heaps: those that stay, and those at positions n, 2n, and so on."""
    if not nth:
        return list(things), []
    stay = [thing for place, thing in enumerate(things, 1) if place % nth]
    return stay, [thing for place, thing in enumerate(things, 1) if not place % nth]


@dataclass(frozen=True, slots=True)
class BoxCounts:
    """What to take out of a deck, and what is left. ``muses`` holds (taken out, left) by muse."""

    colonies_out: int
    colonies_left: int
    muses: Mapping[str, tuple[int, int]]

    @property
    def philosophes_left(self) -> int:
        return sum(left for _, left in self.muses.values())


def count_box(players: int, colonies: int, by_muse: Mapping[str, int], two_players: str = PATTERN) -> BoxCounts:
    """For any deck: a muse with too few philosophes loses what it has."""
    change = adjustment_for(players, two_players)
    out = colonies // change.nth if change.nth else 0
    muses = {}
    for muse, count in by_muse.items():
        gone = min(change.philosophes, count)
        muses[muse] = (gone, count - gone)
    return BoxCounts(out, colonies - out, muses)
