"""The courts as one seat's view shows them, for sentences, board and bots."""

from dataclasses import dataclass

from cardgames.engine import View
from cardgames.games.majesty.deck_definition import DESPOT_HAND, HAND, PEACE, TOUR, MajestyCard
from cardgames.games.majesty.scoring import CourtCount
from cardgames.games.majesty.table_state import count_marks, wealth_now

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
    labels = ("philosophes", "colonies", "reforms", "scandals", "lingering", "permanent")
    zones = {label: view.zones_each(label).each for label in labels}
    hands, marks = view.zones_each("hand").counts, view.fields["marks"]
    courts = []
    for seat in range(view.seats):
        cards = {label: tuple(faces[id] for id in each[seat] if id) for label, each in zones.items()}
        hand_limit = DESPOT_HAND if cards.pop("permanent") else HAND
        courts.append(
            CourtView(
                seat,
                **cards,
                hand=hands[seat],
                hand_limit=hand_limit,
                wealth=wealth_now(marks, seat, cards["colonies"]),
                tours=count_marks(marks, seat, TOUR),
                is_peace=any(mark.row == PEACE for mark in marks),
            )
        )
    return courts
