"""Royal Menagerie as a bare generator: the rules and nothing else, to measure the engine against.

No events, knowledge, zones or views: animals are counted, cards are numbers. It yields an ask with options under the
same keys as the real game, and is sent the value of the chosen key. It draws random numbers from the same streams in
the same order, so one seed and one list of keys play the same game in both; a test checks the rules against it. It
shuffles in plain words too, so that this yardstick stays as it is when the site's dice become faster.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import Any, TypeVar

from chance import Dice

ANIMALS, COPIES, LIMIT = 6, 5, 3
SHOOT, STEAL, TRADE, BAZAAR, WINDFALL = 6, 7, 8, 9, 10
ACTIONS = ((SHOOT, 4), (STEAL, 4), (TRADE, 4), (BAZAAR, 2), (WINDFALL, 2))
FACTOR = (1, 1, 1, 1, 1, 2)
POINTS = (0, 1, 3, 0)
VIZIER, LOYALIST, CONSPIRATOR = 0, 1, 2

NAMES = ("galapagos-tortoise", "white-tiger", "giant-ibis", "komodo-dragon", "hiroa-antelope", "mammoth")
KEYS = (*NAMES, "shoot", "steal", "trade", "bazaar", "windfall")
SEAT_KEY = ("0", "1", "2", "3")
PEN_KEY = [[f"{seat}:{name}" for name in NAMES] for seat in range(4)]


T = TypeVar("T")


def shuffled(dice: Dice, things: Iterable[T]) -> list[T]:
    pile = list(things)
    for last in range(len(pile) - 1, 0, -1):
        other = dice.below(last + 1)
        pile[last], pile[other] = pile[other], pile[last]
    return pile


class Asked:
    """Who is asked what, and the legal keys."""

    __slots__ = ("kind", "options", "seat")

    def __init__(self, seat: int, kind: str, options: dict[str, object]) -> None:
        self.seat = seat
        self.kind = kind
        self.options = options


Script = Generator[Asked, Any, tuple[str, list[int], list[int]]]


class Bare:
    __slots__ = ("deck", "dice", "discard", "hands", "pens", "roles", "vizier")

    def __init__(self, seed: bytes) -> None:
        dice = Dice(seed)
        self.dice = {name: dice.child(name) for name in ("roles", "deck", "discard")}
        self.roles = shuffled(self.dice["roles"], [VIZIER, LOYALIST, CONSPIRATOR, CONSPIRATOR])
        self.vizier = self.roles.index(VIZIER)
        pile = [kind for kind in range(ANIMALS) for _ in range(COPIES)]
        pile += [kind for kind, copies in ACTIONS for _ in range(copies)]
        self.deck = shuffled(self.dice["deck"], pile)
        self.discard: list[int] = []
        self.pens = [[0] * ANIMALS for _ in range(4)]
        aside = []
        for step in range(8):
            while (card := self.deck.pop()) >= ANIMALS:
                aside.append(card)
            self.pens[(self.vizier + 1 + step) % 4][card] += 1
        self.deck += aside
        self.deck = shuffled(self.dice["deck"], self.deck)
        self.hands: list[list[int]] = [[], [], [], []]
        for step in range(4):
            self.hands[(self.vizier + 1 + step) % 4] = [self.deck.pop() for _ in range(3)]

    def play(self) -> Script:
        seat = (self.vizier + 1) % 4
        while self.deck or any(self.hands):
            hand = self.hands[seat]
            plays = 1
            if self.deck:
                if seat == self.vizier:
                    plays = 2
                for _ in range(plays):
                    if self.deck:
                        hand.append(self.deck.pop())
            for _ in range(plays):
                if hand:
                    yield from self.play_from(seat, hand)
            seat = (seat + 1) % 4
        return self.outcome()

    def play_from(self, seat: int, pile: list[int]) -> Generator[Asked, Any, None]:
        card = yield Asked(seat, "play", {KEYS[card]: card for card in pile})
        pile.remove(card)
        pens = self.pens
        if card < ANIMALS:
            takers = {SEAT_KEY[q]: q for q in range(4) if q != seat and pens[q][card] < LIMIT}
            if not takers:
                self.discard.append(card)
                return
            to = yield Asked(seat, "gift", takers)
            pens[to][card] += 1
            self.stampede(to)
            return
        if card == SHOOT:
            targets = {PEN_KEY[q][kind]: (q, kind) for q in range(4) for kind in range(ANIMALS) if pens[q][kind]}
            if targets:
                q, kind = yield Asked(seat, "animal", targets)
                pens[q][kind] -= 1
                self.discard.append(kind)
        elif card == STEAL:
            own = pens[seat]
            targets = {
                PEN_KEY[q][kind]: (q, kind)
                for q in range(4)
                if q != seat
                for kind in range(ANIMALS)
                if pens[q][kind] and own[kind] < LIMIT
            }
            if targets:
                q, kind = yield Asked(seat, "animal", targets)
                pens[q][kind] -= 1
                own[kind] += 1
                self.stampede(seat)
        elif card == TRADE:
            here = [(q, kind) for q in range(4) for kind in range(ANIMALS) if pens[q][kind]]
            firsts = {PEN_KEY[one[0]][one[1]]: one for one in here if any(self.fits(one, other) for other in here)}
            if firsts:
                one = yield Asked(seat, "first", firsts)
                other = yield Asked(
                    seat, "second", {PEN_KEY[other[0]][other[1]]: other for other in here if self.fits(one, other)}
                )
                (a, x), (b, y) = one, other
                pens[a][x] -= 1
                pens[b][y] -= 1
                pens[a][y] += 1
                pens[b][x] += 1
                self.stampede(a)
                self.stampede(b)
        elif card == BAZAAR:
            row = self.supply(4)
            for step in range(4):
                if row:
                    yield from self.play_from((seat + step) % 4, row)
        else:
            self.hands[seat] += self.supply(2)
            for _ in range(2):
                if self.hands[seat]:
                    yield from self.play_from(seat, self.hands[seat])
        self.discard.append(card)

    def fits(self, one: tuple[int, int], other: tuple[int, int]) -> bool:
        (a, x), (b, y) = one, other
        if a == b:
            return False
        return x == y or (self.pens[a][y] < LIMIT and self.pens[b][x] < LIMIT)

    def stampede(self, seat: int) -> None:
        pens = self.pens[seat]
        while all(pens):
            for kind in range(ANIMALS):
                pens[kind] -= 1
                self.discard.append(kind)

    def supply(self, wanted: int) -> list[int]:
        cards = [self.deck.pop() for _ in range(min(wanted, len(self.deck)))]
        missing = wanted - len(cards)
        if missing and self.discard:
            self.discard = shuffled(self.dice["discard"], self.discard)
            cards += [self.discard.pop() for _ in range(min(missing, len(self.discard)))]
        return cards

    def outcome(self) -> tuple[str, list[int], list[int]]:
        scores = [sum(POINTS[count] * FACTOR[kind] for kind, count in enumerate(pens)) for pens in self.pens]
        crown = [seat for seat in range(4) if self.roles[seat] != CONSPIRATOR]
        rest = [seat for seat in range(4) if self.roles[seat] == CONSPIRATOR]
        if all(scores[self.vizier] > scores[q] for q in range(4) if q != self.vizier):
            return "solo", [self.vizier], scores
        if sum(scores[q] for q in crown) > sum(scores[q] for q in rest):
            return "shared", crown, scores
        return "conspirators", rest, scores
