"""Of Mice and Monarchs as a bare generator: the rules and nothing else, to measure the engine against.

No events, knowledge, zones or views: a card is a tuple of its figures. Keys and random numbers are those of the real
game with the house deck and no option, so one seed and one list of keys play the same game in both.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, NamedTuple

from bench.bare_menagerie import Asked, shuffled
from cardgames.games import house_deck
from chance import Dice

COLUMNS, SURCHARGE, HAND = 4, 2, 5
SPOTS = [f"{row}-{column}" for row in ("front", "back") for column in range(1, COLUMNS + 1)]
BUY, MOVE = [f"buy:{spot}" for spot in SPOTS], [f"move:{spot}" for spot in SPOTS]
TO, COVER, REMOVE = [[f"{act}:{spot}" for spot in SPOTS] for act in ("to", "cover", "remove")]


class Figures(NamedTuple):
    colour: str
    cost: int
    influence: int
    moves: int
    crowns: int


def piles() -> tuple[list[Figures], list[Figures]]:
    """The starting cards of one player, and the court."""
    values: dict[str, list[Figures]] = {"starting": [], "court": []}
    for row in house_deck("monarchs").rows:
        if row.group in values:
            figures = (row.number(name) for name in ("cost", "influence", "moves", "crowns"))
            card = Figures(str(row.values.get("colour", "")), *figures)
            values[row.group] += [card] * row.copies
    return values["starting"], values["court"]


STARTING, COURT = piles()
Script = Generator[Asked, Any, tuple[list[int], list[int]]]
Part = Generator[Asked, Any, None]


class Bare:
    __slots__ = (
        "bought",
        "court",
        "deck",
        "dice",
        "discards",
        "draws",
        "hands",
        "influence",
        "is_last",
        "moves",
        "seats",
        "seed",
        "start",
    )

    def __init__(self, seed: bytes, seats: int) -> None:
        self.seed = Dice(seed)
        self.dice: dict[str, Dice] = {}
        self.seats = seats
        self.draws = [shuffled(self.stream(f"deck-{seat}"), STARTING) for seat in range(seats)]
        self.deck = shuffled(self.stream("court"), COURT)
        self.start = self.stream("start").below(seats) if seats > 1 else 0
        self.hands: list[list[Figures]] = [[] for _ in range(seats)]
        self.discards: list[list[Figures]] = [[] for _ in range(seats)]
        self.court: list[list[Figures]] = [[] for _ in SPOTS]
        self.is_last = False
        self.refill()
        for seat in range(seats):
            self.draw_hand(seat)

    def stream(self, name: str) -> Dice:
        if name not in self.dice:
            self.dice[name] = self.seed.child(name)
        return self.dice[name]

    def play(self) -> Script:
        seat = self.start
        while True:
            yield from self.take_turn(seat)
            if self.seats == 1 and not self.is_last:
                yield from self.solo_dice(seat)
            seat = (seat + 1) % self.seats
            if self.is_last and seat == self.start:
                return self.outcome()

    def take_turn(self, seat: int) -> Part:
        hand = self.hands[seat]
        self.influence = sum([card.influence for card in hand])
        self.moves = sum([card.moves for card in hand])
        self.bought = 0
        court = self.court
        while True:
            options: dict[str, object] = {}
            for spot, pile in enumerate(court):
                if pile and pile[-1].cost + (SURCHARGE if spot >= COLUMNS else 0) <= self.influence:
                    options[BUY[spot]] = ("buy", spot)
            if self.moves:
                for spot, pile in enumerate(court):
                    if pile:
                        options[MOVE[spot]] = ("move", spot)
            options["done"] = ("done", 0)
            act, spot = yield Asked(seat, "court", options)
            if act == "done":
                break
            if act == "buy":
                card = court[spot].pop()
                self.influence -= card.cost + (SURCHARGE if spot >= COLUMNS else 0)
                self.discards[seat].append(card)
                self.bought += 1
            else:
                to = yield Asked(seat, "move", {TO[other]: other for other in range(len(SPOTS)) if other != spot})
                court[to].append(court[spot].pop())
                self.moves -= 1
        if not self.bought and self.deck:
            yield from self.reveal(seat)
        self.discards[seat] += hand
        hand.clear()
        self.refill()
        self.draw_hand(seat)

    def reveal(self, seat: int) -> Part:
        card = self.deck.pop()
        self.check_end()
        options: dict[str, object] = {"buy": -1} if card.cost <= self.influence else {}
        front = [spot for spot in range(COLUMNS) if self.court[spot]] or range(COLUMNS)
        options |= {COVER[spot]: spot for spot in front}
        spot = yield Asked(seat, "revealed", options)
        if spot < 0:
            self.discards[seat].append(card)
        else:
            self.court[spot].append(card)

    def refill(self) -> None:
        court = self.court
        for front in range(COLUMNS):
            if not court[front] and court[front + COLUMNS]:
                court[front], court[front + COLUMNS] = court[front + COLUMNS], court[front]
        for pile in court:
            if not pile and self.deck:
                pile.append(self.deck.pop())
        self.check_end()

    def check_end(self) -> None:
        if not self.deck:
            self.is_last = True

    def draw_hand(self, seat: int) -> None:
        own = self.draws[seat]
        if len(own) < HAND and self.discards[seat]:
            own = self.draws[seat] = shuffled(self.stream(f"deck-{seat}"), self.discards[seat]) + own
            self.discards[seat] = []
        for _ in range(min(HAND, len(own))):
            self.hands[seat].append(own.pop())

    def solo_dice(self, seat: int) -> Part:
        fallen = [self.stream(die).below(6) + 1 for die in ("white", "black")]
        for row, face in enumerate(fallen):
            spots = range(row * COLUMNS, (row + 1) * COLUMNS)
            if face <= COLUMNS:
                spot = spots[face - 1]
            else:
                options: dict[str, object] = {REMOVE[spot]: spot for spot in spots if self.court[spot]}
                if not options:
                    continue
                spot = yield Asked(seat, "dice", options)
            if self.court[spot]:
                self.court[spot].pop()
        self.refill()

    def outcome(self) -> tuple[list[int], list[int]]:
        """Who won, and the points: cards times crowns for each colour."""
        scores = []
        for seat in range(self.seats):
            counts: dict[str, list[int]] = {}
            for card in (*self.hands[seat], *self.draws[seat], *self.discards[seat]):
                if card.colour:
                    pair = counts.setdefault(card.colour, [0, 0])
                    pair[0] += 1
                    pair[1] += card.crowns
            scores.append(sum(cards * crowns for cards, crowns in counts.values()))
        return [seat for seat, score in enumerate(scores) if score == max(scores)], scores
