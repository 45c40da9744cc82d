"""The course of a war: loyalty, VP and land of each kingdom, battle by battle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from campaign.chronicle.battle_records import is_battle
from campaign.chronicle.effects import (
    KingdomJoined,
    LoyaltyChanged,
    StatusChanged,
    TerritoryTaken,
    VpChanged,
    WarStarted,
    apply_effects,
)
from campaign.chronicle.entries_and_fold import ChronicleEntry
from campaign.chronicle.state import GONE, State

MEASURES = ("loyalty", "vp", "holds")

# Effects that change a measure. Other entries are skipped, so that a long chronicle of notes costs little.
_MOVES = (LoyaltyChanged, VpChanged, TerritoryTaken, WarStarted, KingdomJoined, StatusChanged)


@dataclass(slots=True)
class KingdomSeries:
    """One kingdom's measures by the number of battles fought; what happens between two battles counts to the first."""

    kingdom: str
    points: dict[str, dict[int, int]] = field(default_factory=lambda: {measure: {} for measure in MEASURES})

    def values_of(self, measure: str) -> tuple[tuple[int, int], ...]:
        return tuple(self.points[measure].items())


def build_series(entries: Iterable[ChronicleEntry], start: State | None = None) -> tuple[KingdomSeries, ...]:
    """From entries that count, in order; ``start`` is the state they begin with."""
    state = start.copy() if start else State()
    found: dict[str, KingdomSeries] = {}
    battle = 0
    _add_points(found, state, battle)
    for entry in entries:
        fought = is_battle(entry)
        battle += fought
        if entry.effects:
            apply_effects(state, entry.effects)
        if fought or any(isinstance(effect, _MOVES) for effect in entry.effects):
            _add_points(found, state, battle)
    return tuple(found.values())


def _add_points(found: dict[str, KingdomSeries], state: State, battle: int) -> None:
    held = Counter(state.holders.values())
    for key, realm in state.kingdoms.items():
        if realm.status == GONE:
            continue
        points = found.setdefault(key, KingdomSeries(key)).points
        points["loyalty"][battle] = realm.loyalty
        points["vp"][battle] = realm.vp
        points["holds"][battle] = held[key]
