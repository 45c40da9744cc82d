"""The course of a war: loyalty, VP and land of each kingdom battle by battle, who beat whom, and in which scenarios."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from campaign.annals.effects import apply
from campaign.annals.fought import Fought, is_battle
from campaign.annals.lines import Line
from campaign.annals.state import GONE, State

MEASURES = ("loyalty", "vp", "holds")

# What moves a measure. Other lines are passed over, or a long chronicle of notes would cost as much as one of battles.
_MOVES = frozenset(("loyalty", "vp", "hold", "war", "joined", "status"))


@dataclass(slots=True)
class Course:
    """One kingdom's measures by the number of battles fought; what happens between two battles counts to the first."""

    kingdom: str
    points: dict[str, dict[int, int]] = field(default_factory=lambda: {measure: {} for measure in MEASURES})

    def line(self, measure: str) -> tuple[tuple[int, int], ...]:
        return tuple(self.points[measure].items())


def courses(lines: Iterable[Line], start: State | None = None) -> tuple[Course, ...]:
    """From lines that count, in order; ``start`` is the state they begin with."""
    state = start.copy() if start else State()
    found: dict[str, Course] = {}
    battle = 0
    _note(found, state, battle)
    for line in lines:
        fought = is_battle(line)
        battle += fought
        if line.effects:
            apply(state, line.effects)
        if fought or any(effect["do"] in _MOVES for effect in line.effects):
            _note(found, state, battle)
    return tuple(found.values())


def _note(found: dict[str, Course], state: State, battle: int) -> None:
    held = Counter(state.holders.values())
    for key, realm in state.kingdoms.items():
        if realm.status == GONE:
            continue
        points = found.setdefault(key, Course(key)).points
        points["loyalty"][battle] = realm.loyalty
        points["vp"][battle] = realm.vp
        points["holds"][battle] = held[key]


@dataclass(slots=True)
class Meetings:
    """Battles won by one over another, and drawn between them."""

    won: Counter[tuple[str, str]] = field(default_factory=Counter)
    drawn: Counter[tuple[str, str]] = field(default_factory=Counter)


def meetings(battles: Iterable[Fought]) -> Meetings:
    found = Meetings()
    for battle in battles:
        if battle.winner and battle.loser:
            found.won[battle.winner, battle.loser] += 1
        else:
            found.drawn[battle.attacker, battle.defender] += 1
    return found


def by_scenario(battles: Iterable[Fought]) -> dict[str | None, Counter[str]]:
    """Outcomes by scenario; under None those whose scenario was not told."""
    found: dict[str | None, Counter[str]] = {}
    for battle in battles:
        found.setdefault(battle.scenario, Counter())[battle.outcome] += 1
    return found
