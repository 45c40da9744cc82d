"""Loyalty and VP: each point traced to its entry, their course battle by battle, and what VP can buy now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from campaign.chronicle.acts.war import SpendVp
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
from campaign.chronicle.sentences import Names, describe_entry, describe_reason
from campaign.chronicle.state import GONE, Kingdom, State
from refusal import Refusal
from rulebook.campaign.vp_spending import PRICES, Price


@dataclass(frozen=True, slots=True)
class ScoreStep:
    number: int  # the entry
    played_on: str
    by: int
    total: int
    why: str
    sentence: str


def list_score_steps(entries: Iterable[ChronicleEntry], kingdom: str, what: str, names: Names) -> tuple[ScoreStep, ...]:
    """Steps of ``loyalty`` or ``vp`` from counting entries, in order. They sum to the score; a new war starts at 0."""
    found: list[ScoreStep] = []
    total = 0
    for entry in entries:
        for effect in entry.effects:
            if isinstance(effect, WarStarted):
                found.clear()
                total = 0
            elif isinstance(effect, LoyaltyChanged | VpChanged) and (effect.do, effect.kingdom) == (what, kingdom):
                total += effect.by
                found.append(
                    ScoreStep(
                        entry.number,
                        entry.played_on,
                        effect.by,
                        total,
                        describe_reason(effect),
                        describe_entry(entry, names),
                    )
                )
    return tuple(found)


# ── Battle by battle ─────────────────────────────────────────────────────────────────────────────────────


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


# ── What VP can buy ──────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class VpPurchase:
    price: Price
    house: int | None
    title: str
    refusal: str  # empty where it can be bought

    @property
    def body(self) -> dict[str, object]:
        return {"what": self.price.key} | ({"house": self.house} if self.house else {})


def list_purchases(state: State, realm: Kingdom) -> tuple[VpPurchase, ...]:
    found = []
    for price in PRICES:
        if price.key == "regain":
            lost = realm.lost_houses()
            offers: list[tuple[int | None, str]] = [(n, f"Win back {realm.houses[n - 1].name}") for n in lost]
            offers = offers or [(1, price.name)]
        else:
            offers = [(None, price.name)]
        for house, title in offers:
            found.append(VpPurchase(price, house, title, _find_refusal(state, realm, price.key, house)))
    return tuple(found)


def _find_refusal(state: State, realm: Kingdom, what: str, house: int | None) -> str:
    try:
        SpendVp(realm.id, what, house).decide(state, state.rules())
    except Refusal as refusal:
        if what == "regain" and not realm.lost_houses():
            return "Every house is loyal: there is nothing to win back."
        return refusal.sentence
    return ""
