"""Your Majesty with chosen courts, hands and decks, for testing single rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cardgames.engine import ForcedSource, Question, QuestionGroup, Result, complete_options
from cardgames.engine.table_state import GameEnded
from cardgames.games import find_game, house_deck
from cardgames.games.majesty import rules, table_state
from cardgames.games.majesty.deck_definition import faces_by_id, reshuffle_face
from cardgames.games.majesty.table_state import Kingdoms
from tests.cardgames.games.arranged_tables import Scene

JEFFERSON, KANT, WOLLSTONECRAFT, HUME = (
    "ph-thomas-jefferson",
    "ph-immanuel-kant",
    "ph-mary-wollstonecraft",
    "ph-david-hume",
)
WATT, NEWTON, HAYDN, MOZART = "ph-james-watt", "ph-isaac-newton", "ph-f-j-haydn", "ph-w-a-mozart"
PERU, CANADA, JAMAICA, VIRGINIA = "co-peru", "co-canada", "co-jamaica", "co-virginia"
LAW, MERIT, ABOLITION = "re-codified-law", "re-meritocracy", "re-abolition-of-slavery"
FILLER = ("ca-edward-hawke", "ca-marlborough", "ca-james-wolfe", "ca-blas-de-lezo", "ca-leopold-von-daun")


class Throne(Scene):
    """A table set up by hand. Piles are written with the top card first; the action deck shows its randomizers."""

    table: Kingdoms

    def __init__(
        self,
        seats: int = 2,
        *,
        hands: Sequence[Sequence[str]] = (),
        philosophes: Sequence[Sequence[str]] = (),
        colonies: Sequence[Sequence[str]] = (),
        reforms: Sequence[Sequence[str]] = (),
        scandals: Sequence[Sequence[str]] = (),
        permanent: Sequence[Sequence[str]] = (),
        deck: Sequence[str] = ("ca-pyotr-rumyantsev", "ca-comte-de-grasse", "ca-edward-hawke"),
        discard: Sequence[str] = (),
        guests: Sequence[str] = (),
        unclaimed: Sequence[str] = (),
        open_reforms: Sequence[str] = (LAW, MERIT, ABOLITION),
        rolls: Sequence[int] = (),
        **options: Any,
    ) -> None:
        game, house = find_game("majesty"), house_deck("majesty")
        table = Kingdoms(house, seats, complete_options(game.options, options), ForcedSource((), rolls))
        super().__init__(table)
        self.result: Result | None = None
        self.faces = faces_by_id(house)
        t = self.table
        t.ends_at_once = table_state.ends_at_once
        for zones, given in (
            (t.hands, hands),
            (t.philosophes, philosophes),
            (t.colonies, colonies),
            (t.reforms, reforms),
            (t.scandals, scandals),
            (t.permanent, permanent),
        ):
            for seat, keys in enumerate(given):
                self.put(zones[seat], keys)
        t.abolished = any("re-abolition-of-slavery" in keys for keys in reforms)
        self.put(t.deck, tuple(deck)[::-1])
        self.put(t.discard, discard)
        self.put(t.salon_deck, tuple(guests)[::-1])
        self.put(t.unclaimed, unclaimed)
        taken = {key for keys in reforms for key in keys}
        self.put(t.open_reforms, [key for key in open_reforms if key not in taken])
        t.aside.cards = t.make_cards([reshuffle_face(house)])
        for card in t.aside.cards:
            t.show_to(card, t.everybody)
        t.round = 1
        t.active = t.first = 0

    def put(self, zone: Any, keys: Sequence[str]) -> None:
        for card in self.table.make_cards([self.faces[key] for key in keys]):
            self.table.put(zone, card)

    def shuffle_in(self, above: int) -> Throne:
        """The Reshuffle lies in the deck under so many cards."""
        t = self.table
        t.give(t.aside, t.aside.cards[0], t.shuffled_in)
        t.above_reshuffle, t.reshuffle_source = above, t.source
        return self

    def turn(self, seat: int = 0) -> Throne:
        self.start(rules.take_turn(self.table, seat))
        return self

    def game(self) -> Throne:
        self.start(rules.turns(self.table))
        return self

    def _step(self, value: Any) -> None:
        try:
            super()._step(value)
        except GameEnded as ended:
            self.ask, self.result = None, ended.result

    def react(self, key: str = "pass") -> Throne:
        assert isinstance(self.ask, QuestionGroup)
        assert self.ask.window is not None
        return self.reply(key)

    def reply(self, *keys: str) -> Throne:
        """All who are asked at once answer, in their order."""
        assert isinstance(self.ask, QuestionGroup)
        self.answer(dict(zip(self.ask.asks, keys, strict=True)))
        return self

    def pile(self, name: str, seat: int | None = None) -> list[str]:
        zone = getattr(self.table, name)
        return [card.key for card in (zone if seat is None else zone[seat]).cards]

    def wealth(self, seat: int = 0) -> int:
        return table_state.wealth(self.table, seat)

    def prestige(self, seat: int = 0) -> int:
        return table_state.prestige(self.table, seat)

    @property
    def kind(self) -> str:
        if isinstance(self.ask, Question):
            return self.ask.kind
        assert self.ask is not None
        return next(iter(self.ask.asks.values())).kind
