"""A stage set up by hand: plays, Moods, Muses, action cards, deck and discards of one's choice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cardgames.engine import ForcedSource, complete_options
from cardgames.games import find_game, house_deck
from cardgames.games.moods.deck_definition import GENRES, MOODS, MUSES, faces_of
from cardgames.games.moods.table_state import Stage
from tests.cardgames.games.arranged_tables import Scene

LETTERS = dict(zip("dtrcm", GENRES, strict=True))


class Theatre(Scene):
    """Each letter of a string is a play card: drama, tragedy, romance, comedy, musical. The deck's first is on top."""

    table: Stage

    def __init__(
        self,
        plays: Sequence[str] = ("", "", ""),
        deck: str = "",
        discard: str = "",
        hands: Sequence[Sequence[str]] = (),
        king: str = "c",
        moods: Sequence[str] = (),
        muses: str = "",
        rolls: Sequence[int] = (),
        **options: Any,
    ) -> None:
        game, house = find_game("moods"), house_deck("moods")
        seats = len(plays)
        settled = complete_options(game.options, options, seats)
        super().__init__(Stage(house, seats, settled, ForcedSource((), rolls)))
        t = self.table
        faces = {face.id: face for face in faces_of(house)}

        def cards(letters: str):
            return t.make_cards([faces[f"play-{LETTERS[letter]}"] for letter in letters])

        for seat in range(seats):
            t.put_all(t.plays[seat], cards(plays[seat]))
            if hands:
                t.put_all(t.hands[seat], t.make_cards([faces[key] for key in hands[seat]]))
        rest = [letter for letter in "dtrcm" if letter != king]
        held = list(moods) or [rest.pop() for _ in range(seats)]
        moods_of = dict(zip(GENRES, MOODS, strict=True))
        muses_of = dict(zip(GENRES, MUSES, strict=True))
        t.put(t.king, t.make_cards([faces[moods_of[LETTERS[king]]]])[0])
        for seat, letters in enumerate(held):
            t.put_all(t.moods[seat], t.make_cards([faces[moods_of[LETTERS[letter]]] for letter in letters]))
        wanted = muses or "dtrcm"[:seats]
        for seat, letter in enumerate(wanted):
            t.put(t.muses[seat], t.make_cards([faces[muses_of[LETTERS[letter]]]])[0])
        t.unused_muses.cards = t.make_cards([faces[muses_of[LETTERS[x]]] for x in "dtrcm" if x not in wanted])
        t.deck.cards = cards(deck[::-1])
        t.put_all(t.discard, cards(discard))

    def play(self, seat: int) -> str:
        return "".join(
            next(x for x, g in LETTERS.items() if card.key == f"play-{g}") for card in self.table.plays[seat].cards
        )

    def plays(self) -> list[str]:
        return [self.play(seat) for seat in range(self.table.seats)]

    def pile(self, name: str) -> str:
        """Top card first."""
        cards = reversed(getattr(self.table, name).cards)
        return "".join(next(x for x, g in LETTERS.items() if card.key == f"play-{g}") for card in cards)

    def knows(self, seat: int, zone: Any) -> list[str]:
        return [card.key for card in zone.cards if card.seen & 1 << seat]
