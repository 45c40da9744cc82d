"""Games played and won, with intervals, because a few games prove little."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import sqrt

Z = 1.96  # for a 95% interval


def wilson_interval(won: float, played: int, z: float = Z) -> tuple[float, float]:
    """The 95% interval of the true share (Wilson's score)."""
    if played <= 0:
        return 0.0, 1.0
    share = won / played
    scale = 1 + z * z / played
    middle = (share + z * z / (2 * played)) / scale
    reach = z / scale * sqrt(share * (1 - share) / played + z * z / (4 * played * played))
    # Rounding must not push an end of the interval past the share itself.
    return min(max(0.0, middle - reach), share), max(min(1.0, middle + reach), share)


@dataclass(frozen=True, slots=True)
class UnitResult:
    """A unit that fought, and whether it was removed."""

    unit: str | None
    hero: str | None
    removed: bool


@dataclass(frozen=True, slots=True)
class GameSide:
    """One side's part in a battle."""

    letter: str  # A or B, by the scenario's own list; "" if unknown
    role: str  # attacker, defender, or ""
    result: str  # won, lost or drawn
    kingdom: tuple[str, str] | None = None  # a unique key, and the name
    person: int | None = None
    fielded: int | None = None
    removed: int | None = None  # of its own units
    units: tuple[UnitResult, ...] = ()


@dataclass(frozen=True, slots=True)
class Game:
    scenario: str | None
    parts: tuple[GameSide, ...]
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
        return wilson_interval(self.won + self.drawn / 2, self.played)

    @property
    def is_conclusive(self) -> bool:
        """Whether the interval excludes one half; if not, it may be chance."""
        low, high = self.interval
        return not low <= 0.5 <= high

    def add(self, part: GameSide, fielded: int | None, removed: int | None) -> None:
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


def tally_games(games: Iterable[Game]) -> Tallies:
    """All tallies at once. A scenario counts as won if its attacker won, or side A if nobody attacked."""
    tallies = Tallies()
    for game in games:
        tallies.battles += 1
        first = next((part for part in game.parts if part.role == "attacker"), None) or game.parts[0]
        _tally_for(tallies.scenarios, game.scenario or "", game.scenario or "").add(first, *_total_losses(game.parts))
        for part in game.parts:
            _add_side(tallies, game, part)
    return tallies


def _add_side(tallies: Tallies, game: Game, part: GameSide) -> None:
    if part.letter and game.scenario:
        key = f"{game.scenario}:{part.letter}"
        _tally_for(tallies.sides, key, key).add(part, part.fielded, part.removed)
    if part.kingdom:
        _tally_for(tallies.kingdoms, *part.kingdom).add(part, part.fielded, part.removed)
    if part.person is not None:
        _tally_for(tallies.people, str(part.person), "").add(part, part.fielded, part.removed)
    for table, kind in ((tallies.units, "unit"), (tallies.heroes, "hero")):
        rows: dict[str, list[bool]] = defaultdict(list)
        for unit in part.units:
            key = getattr(unit, kind)
            if key:
                rows[key].append(unit.removed)
        for key, removed in rows.items():
            _tally_for(table, key, key).add(part, len(removed), sum(removed))


def _total_losses(parts: tuple[GameSide, ...]) -> tuple[int | None, int | None]:
    if any(part.fielded is None or part.removed is None for part in parts):
        return None, None
    return sum(part.fielded or 0 for part in parts), sum(part.removed or 0 for part in parts)


def _tally_for(table: dict[str, Tally], key: str, name: str) -> Tally:
    return table.setdefault(key, Tally(key, name))
