"""Loyalty and VP: each point traced to its entry, their course battle by battle, and what VP can buy now."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Annotated, NotRequired, TypedDict

from campaign.chronicle.acts.war import SpendVp
from campaign.chronicle.battles_from_entries import is_battle
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
from dataclass_json import PageOnly, enum_of, stored_as
from refusal import Refusal
from rulebook.campaign.vp_spending import PRICE, PRICES, Price


@dataclass(frozen=True, slots=True)
class ScoreStep:
    number: int = field(metadata=stored_as("entry"))
    played_on: PageOnly[str]
    by: int
    total: int
    why: str
    sentence: PageOnly[str]


def list_score_steps(entries: Iterable[ChronicleEntry], kingdom: str, what: str, names: Names) -> tuple[ScoreStep, ...]:
    """Steps of ``loyalty`` or ``vp`` from counting entries, in order. They sum to the score; a new war starts at 0."""
    steps: list[ScoreStep] = []
    total = 0
    for entry in entries:
        for effect in entry.effects:
            if isinstance(effect, WarStarted):
                steps.clear()
                total = 0
            elif isinstance(effect, LoyaltyChanged | VpChanged) and (effect.do, effect.kingdom) == (what, kingdom):
                total += effect.by
                why, sentence = describe_reason(effect), describe_entry(entry, names)
                steps.append(ScoreStep(entry.number, entry.played_on, effect.by, total, why, sentence))
    return tuple(steps)


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
    series: dict[str, KingdomSeries] = {}
    battle = 0
    _add_points(series, state, battle)
    for entry in entries:
        fought = is_battle(entry)
        battle += fought
        if entry.effects:
            apply_effects(state, entry.effects)
        if fought or any(isinstance(effect, _MOVES) for effect in entry.effects):
            _add_points(series, state, battle)
    return tuple(series.values())


def _add_points(series: dict[str, KingdomSeries], state: State, battle: int) -> None:
    held = Counter(state.holders.values())
    for key, kingdom in state.kingdoms.items():
        if kingdom.status == GONE:
            continue
        points = series.setdefault(key, KingdomSeries(key)).points
        points["loyalty"][battle] = kingdom.loyalty
        points["vp"][battle] = kingdom.vp
        points["holds"][battle] = held[key]


class SpendVpBody(TypedDict):
    what: Annotated[str, enum_of(PRICE)]
    house: NotRequired[int]


@dataclass(frozen=True, slots=True)
class VpPurchase:
    api_name = "Purchase"

    price: PageOnly[Price]
    title: str
    cost: int
    body: Annotated[SpendVpBody, "What the act vp_spent takes besides the kingdom."]
    refusal: Annotated[str, "Why not now; empty if it can be bought."]


def list_purchases(state: State, kingdom: Kingdom) -> tuple[VpPurchase, ...]:
    purchases = []
    for price in PRICES:
        offers: list[tuple[int | None, str]] = [(None, price.name)]
        if price.key == "regain":
            lost = [(n, f"Win back {kingdom.houses[n - 1].name}") for n in kingdom.lost_houses()]
            offers = [*lost] or [(1, price.name)]
        for house, title in offers:
            body: SpendVpBody = {"what": price.key, "house": house} if house else {"what": price.key}
            refusal = _find_refusal(state, kingdom, price.key, house)
            purchases.append(VpPurchase(price, title, price.vp, body, refusal))
    return tuple(purchases)


def _find_refusal(state: State, kingdom: Kingdom, what: str, house: int | None) -> str:
    try:
        SpendVp(kingdom.id, what, house).decide(state, state.rules())
    except Refusal as refusal:
        if what == "regain" and not kingdom.lost_houses():
            return "Every house is loyal: there is nothing to win back."
        return refusal.sentence
    return ""
