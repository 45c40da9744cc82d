"""Arranged tables: games with a chosen deal, and single rules tested on a table set up by hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from cardgames.engine import ForcedSource, Question, QuestionGroup, Record, RunningTable, SeededSource, complete_options
from cardgames.engine.questions import Options
from cardgames.games import find_game, house_deck
from cardgames.games.menagerie.deck_definition import ANIMALS, ROLE, faces_of
from cardgames.games.menagerie.rules import Menagerie
from cardgames.games.monarchs import rules as monarchs_rules
from cardgames.games.monarchs.deck_definition import SPOTS, faces_of as mice_of

NAMES = ("Wren", "Tam", "Oda", "Pim")
TORTOISE, TIGER, IBIS, DRAGON, ANTELOPE, MAMMOTH = ANIMALS
VIZIER_FIRST = ("vizier", "conspirator", "loyalist", "conspirator")


def deal(
    *,
    roles: Sequence[str] = VIZIER_FIRST,
    animals: Sequence[Sequence[str]] = (),
    turned: Sequence[str] | None = None,
    hands: Sequence[Sequence[str]] = (),
    draws: Sequence[str] = (),
    deck: Any = None,
    seed: bytes = b"scene",
    **options: Any,
) -> RunningTable:
    """Royal Menagerie with a chosen deal. ``turned``: the cards turned up at set-up, actions too; else ``animals``."""
    game = find_game("menagerie")
    deck = deck or house_deck("menagerie")
    first = (list(roles).index("vizier") + 1) % 4
    seats = [(first + step) % 4 for step in range(4)]
    if turned is None:
        turned = [animals[seat][round_] for round_ in range(2) for seat in seats] if animals else []
    dealt = [card for seat in seats for card in hands[seat]] if hands else []
    orders = [list(roles), list(turned)[::-1] or None, ([*dealt, *draws])[::-1] or None]
    record = Record("menagerie", game.version, deck, 4, complete_options(game.options, options), seed)
    return RunningTable(game, record, source=lambda: ForcedSource(orders, then=SeededSource(seed)))


def play(live: RunningTable, *keys: str) -> RunningTable:
    """Whoever is asked chooses these keys, one after another."""
    for key in keys:
        live.choose(live.asked_seats[0], key)
    return live


def keys(live: RunningTable) -> list[str]:
    assert live.single is not None
    return list(live.single.options)


class Scene:
    """One rule tested alone: a table set up by hand and the part of the script that asks."""

    def __init__(self, table: Any) -> None:
        self.table = table
        self.ask: Question | QuestionGroup | None = None
        self.value: Any = None
        self._script: Any = None

    def start(self, script: Any) -> Scene:
        self._script = script
        self._step(None)
        return self

    def choose(self, *keys: str) -> Scene:
        for key in keys:
            assert isinstance(self.ask, Question), "nobody is asked"
            self._step(self.ask.options[key])
        return self

    def answer(self, answers: Mapping[int, str]) -> Scene:
        assert isinstance(self.ask, QuestionGroup)
        self._step({seat: self.ask.asks[seat].options[key] for seat, key in answers.items()})
        return self

    def _step(self, value: Any) -> None:
        try:
            self.ask = self._script.send(value)
        except StopIteration as end:
            self.ask, self.value = None, end.value

    @property
    def over(self) -> bool:
        return self.ask is None

    @property
    def keys(self) -> list[str]:
        assert isinstance(self.ask, Question)
        options: Options = self.ask.options
        return list(options)

    def event_keys(self) -> list[str]:
        return [key for key, _, _ in self.table.events]

    def events(self, key: str) -> list[dict[str, Any]]:
        return [params for name, params, _ in self.table.events if name == key]


class Yard(Scene):
    """Royal Menagerie with chosen menageries, hands, deck and discards. Each letter of a string is an animal."""

    LETTERS = dict(zip("TWIDAM", ANIMALS, strict=True))
    table: Menagerie

    def __init__(
        self,
        pens: Sequence[str] = ("", "", "", ""),
        hands: Sequence[Sequence[str]] = ((), (), (), ()),
        deck: Sequence[str] = (),
        discard: Sequence[str] = (),
        vizier: int = 0,
        **options: Any,
    ) -> None:
        game, house = find_game("menagerie"), house_deck("menagerie")
        super().__init__(Menagerie(house, 4, complete_options(game.options, options), ForcedSource()))
        t = self.table
        faces = {face.id: face for face in faces_of(house)}
        t.vizier = vizier
        roles = ["conspirator"] * 4
        roles[vizier], roles[(vizier + 2) % 4] = "vizier", "loyalist"
        for seat in range(4):
            t.put(t.roles[seat], t.make_cards([ROLE[roles[seat]]])[0])
            for letter in pens[seat]:
                kind = ANIMALS.index(self.LETTERS[letter])
                t.place(t.pens[seat], kind, t.make_cards([faces[ANIMALS[kind]]])[0])
            for card in t.make_cards([faces[key] for key in hands[seat]]):
                t.put(t.hands[seat], card)
        # Top card first, as one reads it.
        t.deck.cards = t.make_cards([faces[key] for key in reversed(deck)])
        for card in t.make_cards([faces[key] for key in discard]):
            t.put(t.discard, card)

    def pen(self, seat: int) -> str:
        letters = "TWIDAM"
        return "".join(letters[kind] * len(pile) for kind, pile in enumerate(self.table.pens[seat].piles))

    def pens(self) -> list[str]:
        return [self.pen(seat) for seat in range(4)]

    def pile(self, zone: str) -> list[str]:
        return [card.face.id for card in getattr(self.table, zone).cards]


class Hall(Scene):
    """Of Mice and Monarchs with a chosen court, hands and decks."""

    table: monarchs_rules.Court

    def __init__(
        self,
        court: Mapping[str, str | Sequence[str]] | None = None,
        hands: Sequence[Sequence[str]] = ((),),
        deck: Sequence[str] = (),
        draws: Sequence[Sequence[str]] | None = None,
        discards: Sequence[Sequence[str]] | None = None,
        rolls: Sequence[int] = (),
        start: int = 0,
        **options: Any,
    ) -> None:
        game, house = find_game("monarchs"), house_deck("monarchs")
        table = monarchs_rules.Court(
            house, len(hands), complete_options(game.options, options), ForcedSource((), rolls)
        )
        super().__init__(table)
        self.faces = {face.id: face for face in mice_of(house)}
        t = self.table
        t.start = start
        for spot, pile in (court or {}).items():
            for key in [pile] if isinstance(pile, str) else pile:
                monarchs_rules.lay_at_court(t, SPOTS.index(spot), self._card(key))
        t.deck.cards = [self._card(key) for key in reversed(deck)]
        for seat in range(len(hands)):
            for key in hands[seat]:
                t.put(t.hands[seat], self._card(key))
            for key in reversed(draws[seat] if draws else ()):
                t.draws[seat].cards.append(self._card(key))
            for key in discards[seat] if discards else ():
                t.put(t.discards[seat], self._card(key))

    def _card(self, key: str) -> Any:
        return self.table.make_cards([self.faces[key]])[0]

    def spots(self) -> dict[str, list[str]]:
        piles = self.table.court.piles
        return {spot: [card.face.id for card in pile] for spot, pile in zip(SPOTS, piles, strict=True) if pile}

    def pile(self, zones: str, seat: int = 0) -> list[str]:
        zone = getattr(self.table, zones)
        return faces_in((zone[seat] if isinstance(zone, list) else zone).cards)


def faces_in(cards: Iterable[Any]) -> list[str]:
    return [card.face.id for card in cards]


def everywhere(table: Any) -> list[str]:
    """The faces of all cards on the table, sorted, to check that none is lost."""
    return sorted(card.face.id for zone in table.zones for card in zone.list_cards())
