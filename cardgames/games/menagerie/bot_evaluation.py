"""How a bot rates choices in Royal Menagerie, using only what its seat sees."""

from __future__ import annotations

import math
from collections.abc import Mapping

from cardgames.engine import Deck, Question, Result, Rng, View
from cardgames.engine.seat_view import find_zone
from cardgames.games.menagerie.card_faces import ANIMALS, CONSPIRATOR, LOYALIST, SEATS, VIZIER
from cardgames.games.menagerie.rules import Menagerie
from cardgames.games.menagerie.scoring import LIMIT, points_of

KINDS = range(len(ANIMALS))
# A card whose good shows only later.
HOPE = {"bazaar": 0.5, "windfall": 1.0}


def points_liked_by_seat(view: View) -> list[float]:
    """How much this seat likes a point at each seat, by its role and what it can guess of the others."""
    me, vizier = view["seat"], view["fields"]["vizier"]
    role = find_zone(view, "role")["each"][me][0]
    if role == VIZIER:
        # One of the three is a friend, two are not, and nobody knows who.
        likes = [-1 / 3] * SEATS
    elif role == LOYALIST:
        likes = [-1.0] * SEATS
        likes[vizier] = 0.8
    else:
        assert role == CONSPIRATOR
        likes = [0.0] * SEATS
        likes[vizier] = -1.0
    likes[me] = 1.0
    return likes


class _Board:
    """Counts of all menageries with a price on every animal that comes or goes."""

    def __init__(self, view: View, deck: Deck) -> None:
        self.counts: list[list[int]] = find_zone(view, "menagerie")["counts"]
        self.likes = points_liked_by_seat(view)
        self.points = points_of(deck)
        # What one animal more or less of a type is worth at each seat; types count apart from each other.
        self.more = [[self._step(seat, kind, 1) for kind in KINDS] for seat in range(SEATS)]
        self.less = [[self._step(seat, kind, -1) for kind in KINDS] for seat in range(SEATS)]
        self.pens = [(seat, kind) for seat in range(SEATS) for kind in KINDS if self.counts[seat][kind]]

    def _step(self, seat: int, kind: int, step: int) -> float:
        count = self.counts[seat][kind]
        if not 0 <= count + step <= LIMIT:
            return -math.inf
        return self.likes[seat] * (self.points[kind][count + step] - self.points[kind][count])

    def gain(self, seat: int, kind: int, without: int = -1) -> float:
        """An animal comes in, perhaps in the place of one of another type; it may set off a stampede."""
        counts = self.counts[seat]
        if counts[kind] or sum(map(bool, counts)) < len(KINDS) - 1 or (without >= 0 and counts[without] == 1):
            return self.more[seat][kind]
        after = list(counts)
        after[kind] += 1
        if without >= 0:
            after[without] -= 1
        run_off = [count - 1 for count in after]
        lost = sum(self.points[k][run_off[k]] - self.points[k][after[k]] for k in KINDS)
        return self.more[seat][kind] + self.likes[seat] * lost

    def gift(self, me: int, kind: int) -> float:
        found = [self.gain(seat, kind) for seat in range(SEATS) if seat != me and self.counts[seat][kind] < LIMIT]
        return max(found, default=0.0)

    def shoot(self) -> float:
        return max((self.less[seat][kind] for seat, kind in self.pens), default=0.0)

    def theft(self, me: int, seat: int, kind: int) -> float:
        return self.less[seat][kind] + self.gain(me, kind)

    def steal(self, me: int) -> float:
        found = [self.theft(me, *pen) for pen in self.pens if pen[0] != me and self.counts[me][pen[1]] < LIMIT]
        return max(found, default=0.0)

    def swap(self, a: int, x: int, b: int, y: int) -> float:
        """What a swap is worth; minus infinity where it is not allowed."""
        if a == b or (x != y and (self.counts[a][y] >= LIMIT or self.counts[b][x] >= LIMIT)):
            return -math.inf
        if x == y:
            return 0.0
        return self.less[a][x] + self.gain(a, y, x) + self.less[b][y] + self.gain(b, x, y)

    def trade(self, a: int, x: int) -> float:
        return max((self.swap(a, x, b, y) for b, y in self.pens if b != a), default=-math.inf)

    def card(self, me: int, key: str) -> float:
        if key in ANIMALS:
            return self.gift(me, ANIMALS.index(key))
        if key == "shoot":
            return self.shoot()
        if key == "steal":
            return self.steal(me)
        if key == "trade":
            best = max((self.trade(*pen) for pen in self.pens), default=0.0)
            return best if best > -math.inf else 0.0
        return HOPE[key]


def rate_choices(view: View, deck: Deck) -> Mapping[str, float]:
    """The weight of each key of the open ask: what it does for this seat's side at once."""
    board, me, ask = _Board(view, deck), view["seat"], view["ask"]
    kind, keys = ask["kind"], ask["keys"]
    if kind in ("play", "pick"):
        return {key: board.card(me, key) for key in keys}
    if kind == "gift":
        animal = ANIMALS.index(ask["about"])
        return {key: board.gain(int(key), animal) for key in keys}
    pens = {key: _pen(key) for key in keys}
    if kind == "shoot":
        return {key: board.less[seat][animal] for key, (seat, animal) in pens.items()}
    if kind == "steal":
        return {key: board.theft(me, *pen) for key, pen in pens.items()}
    if kind == "trade-first":
        return {key: board.trade(*pen) for key, pen in pens.items()}
    first = _pen(ask["about"])
    return {key: board.swap(*first, *pen) for key, pen in pens.items()}


def _pen(key: str) -> tuple[int, int]:
    seat, _, animal = key.partition(":")
    return int(seat), ANIMALS.index(animal)


def choose_quickly(t: Menagerie, ask: Question, rng: Rng, me: int) -> str:
    """How imagined players choose: any card, but the target that helps their side at once.

    Of the others it is assumed only every second time: nobody knows how well they see through each other.
    """
    seat, kind, options = ask.seat, ask.kind, ask.options
    if kind in ("gift", "shoot", "steal") and (seat == me or rng.below(2)):
        loyal = [zone.cards[0].key != CONSPIRATOR for zone in t.roles]
        points, piles = points_of(t.rules_deck), t.piles
        best, chosen = -math.inf, ""
        for key, target in options.items():
            if kind == "gift":
                of, animal = target, ANIMALS.index(ask.about)
                row, count = points[animal], len(piles[of][animal])
                gain = row[count + 1] - row[count]
            else:
                of, animal = target
                row, count = points[animal], len(piles[of][animal])
                gain = row[count - 1] - row[count]
            value = float(gain if loyal[of] == loyal[seat] else -gain)
            if kind == "steal":
                own = len(piles[seat][animal])
                value += row[own + 1] - row[own]
            value += rng.below(10) * 0.05
            if value > best:
                best, chosen = value, key
        return chosen
    keys = list(options)
    return keys[rng.below(len(keys))]


def value_of_result(result: Result, seat: int) -> float:
    """How good a finished game is for a seat: won or not, and how clearly.

    Counting how clearly a game was won or lost tells choices apart after far fewer imagined games than wins alone.
    """
    roles, scores = result.facts["roles"], result.scores
    vizier = roles.index(VIZIER)
    alone = scores[vizier] - max(points for other, points in enumerate(scores) if other != vizier)
    together = result.facts["crown"] - result.facts["plot"]
    if roles[seat] == CONSPIRATOR:
        lead = -max(alone, together)
    elif roles[seat] == LOYALIST:
        lead = min(together, -alone)
    else:
        lead = max(alone, together)
    return 0.4 * (seat in result.winners) + 0.6 / (1.0 + math.exp(-lead / 4))
