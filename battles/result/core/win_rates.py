"""Played, won, lost, counted with intervals: three games are no proof."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import sqrt

Z = 1.96  # nineteen times out of twenty


def wilson(won: float, played: int, z: float = Z) -> tuple[float, float]:
    """The interval in which the true share lies nineteen times out of twenty (Wilson's score)."""
    if played <= 0:
        return 0.0, 1.0
    share = won / played
    scale = 1 + z * z / played
    middle = (share + z * z / (2 * played)) / scale
    reach = z / scale * sqrt(share * (1 - share) / played + z * z / (4 * played * played))
    # Rounding must not put an end of the interval beyond the share itself.
    return min(max(0.0, middle - reach), share), max(min(1.0, middle + reach), share)


@dataclass(frozen=True, slots=True)
class Taken:
    """A unit that took the field, and whether it was removed."""

    unit: str | None
    hero: str | None
    removed: bool


@dataclass(frozen=True, slots=True)
class Part:
    """One side's part in a battle."""

    letter: str  # A or B, by the scenario's own list; "" where nobody told
    role: str  # attacker, defender, or ""
    result: str  # won, lost or drawn
    kingdom: tuple[str, str] | None = None  # a key that is its own, and the name
    person: int | None = None
    fielded: int | None = None
    removed: int | None = None  # of its own units
    units: tuple[Taken, ...] = ()


@dataclass(frozen=True, slots=True)
class Game:
    scenario: str | None
    parts: tuple[Part, ...]
    played_on: str = ""


@dataclass(slots=True)
class Tally:
    key: str
    name: str
    played: int = 0
    won: int = 0
    drawn: int = 0
    fielded: int = 0
    removed: int = 0

    @property
    def lost(self) -> int:
        return self.played - self.won - self.drawn

    @property
    def share(self) -> float:
        """A draw counts as half a win."""
        return (self.won + self.drawn / 2) / self.played if self.played else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        return wilson(self.won + self.drawn / 2, self.played)

    @property
    def survival(self) -> tuple[float, float, float] | None:
        """The share of its units still there at the end, with its interval, where units were told."""
        if not self.fielded:
            return None
        left = self.fielded - self.removed
        return (left / self.fielded, *wilson(left, self.fielded))

    @property
    def says_something(self) -> bool:
        """Whether the interval leaves one half out: else chance alone may have done it."""
        low, high = self.interval
        return not low <= 0.5 <= high

    def add(self, part: Part, fielded: int | None, removed: int | None) -> None:
        self.played += 1
        self.won += part.result == "won"
        self.drawn += part.result == "drawn"
        if fielded is not None and removed is not None:
            self.fielded += fielded
            self.removed += removed


@dataclass(slots=True)
class Tallies:
    scenarios: dict[str, Tally] = field(default_factory=dict)
    sides: dict[str, Tally] = field(default_factory=dict)
    kingdoms: dict[str, Tally] = field(default_factory=dict)
    people: dict[str, Tally] = field(default_factory=dict)
    units: dict[str, Tally] = field(default_factory=dict)
    heroes: dict[str, Tally] = field(default_factory=dict)
    battles: int = 0


def tallied(games: Iterable[Game]) -> Tallies:
    """Every table at once. A scenario is counted from its attacker's side, or from side A where nobody attacked."""
    found = Tallies()
    for game in games:
        found.battles += 1
        first = next((part for part in game.parts if part.role == "attacker"), None) or game.parts[0]
        _into(found.scenarios, game.scenario or "", game.scenario or "").add(first, *_lost(game.parts))
        for part in game.parts:
            _part(found, game, part)
    return found


def _part(found: Tallies, game: Game, part: Part) -> None:
    if part.letter and game.scenario:
        key = f"{game.scenario}:{part.letter}"
        _into(found.sides, key, key).add(part, part.fielded, part.removed)
    if part.kingdom:
        _into(found.kingdoms, *part.kingdom).add(part, part.fielded, part.removed)
    if part.person is not None:
        _into(found.people, str(part.person), "").add(part, part.fielded, part.removed)
    for table, kind in ((found.units, "unit"), (found.heroes, "hero")):
        rows: dict[str, list[bool]] = defaultdict(list)
        for one in part.units:
            key = getattr(one, kind)
            if key:
                rows[key].append(one.removed)
        for key, removed in rows.items():
            _into(table, key, key).add(part, len(removed), sum(removed))


def _lost(parts: tuple[Part, ...]) -> tuple[int | None, int | None]:
    if any(part.fielded is None or part.removed is None for part in parts):
        return None, None
    return sum(part.fielded or 0 for part in parts), sum(part.removed or 0 for part in parts)


def _into(table: dict[str, Tally], key: str, name: str) -> Tally:
    return table.setdefault(key, Tally(key, name))
