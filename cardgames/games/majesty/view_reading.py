"""The courts as one seat's view shows them, for sentences, board and bots."""

from __future__ import annotations

from dataclasses import dataclass

from cardgames.engine import View
from cardgames.games.majesty.deck_definition import (
    CENSOR,
    DESPOT_HAND,
    HAND,
    HURRICANE,
    PEACE,
    SUGAR,
    TOUR,
    MajestyCard,
)
from cardgames.games.majesty.salon_arithmetic import wealth_of
from cardgames.games.majesty.scoring import CourtCount

Faces = dict[str, MajestyCard]


@dataclass(frozen=True, slots=True)
class CourtView:
    """One court. ``hand`` is how many cards it holds."""

    seat: int
    philosophes: tuple[MajestyCard, ...]
    colonies: tuple[MajestyCard, ...]
    reforms: tuple[MajestyCard, ...]
    scandals: tuple[MajestyCard, ...]
    lingering: tuple[MajestyCard, ...]
    wrecked: frozenset[str]
    hand: int
    hand_limit: int
    wealth: int
    tours: int
    is_peace: bool

    @property
    def all_cards(self) -> tuple[str, ...]:
        cards = (*self.philosophes, *self.colonies, *self.reforms, *self.scandals, *self.lingering)
        return tuple(card.id for card in cards)

    @property
    def levels(self) -> tuple[int, ...]:
        return tuple(card.level for card in self.reforms)

    @property
    def count(self) -> CourtCount:
        return CourtCount(
            tuple(card.prestige for card in self.philosophes),
            self.levels,
            sum(card.is_slave for card in self.colonies),
            self.wealth,
        )

    def of_muse(self, muse: str) -> list[MajestyCard]:
        return [card for card in self.philosophes if card.muse == muse]


def courts_of(view: View, faces: Faces) -> list[CourtView]:
    zones = {
        label: view.zones_each(label).each
        for label in ("philosophes", "colonies", "reforms", "scandals", "lingering", "permanent")
    }
    hands = view.zones_each("hand").counts
    marks = view.fields["marks"]
    wrecked = frozenset(card for _, row, named in marks if row == HURRICANE for card in named)
    courts = []
    for seat in range(view.seats):
        cards = {label: tuple(faces[id] for id in each[seat] if id) for label, each in zones.items()}
        booms = sum(owner == seat and row == SUGAR for owner, row, _ in marks)
        coins = [0 if card.id in wrecked else card.coins for card in cards["colonies"]]
        courts.append(
            CourtView(
                seat,
                cards["philosophes"],
                cards["colonies"],
                cards["reforms"],
                cards["scandals"],
                cards["lingering"],
                wrecked,
                hands[seat],
                DESPOT_HAND if cards["permanent"] else HAND,
                wealth_of(coins, booms),
                sum(owner == seat and row == TOUR for owner, row, _ in marks),
                any(row == PEACE for _, row, _ in marks),
            )
        )
    return courts


def censored_muses(view: View) -> set[str]:
    return {muse for _, row, named in view.fields["marks"] if row == CENSOR for muse in named}
