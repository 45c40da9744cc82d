"""How a bot rates choices in Royal Menagerie, using only what its seat sees."""

import math
from collections.abc import Mapping, Sequence

from cardgames.engine import Deck, Question, Result, Rng, View
from cardgames.engine.game_definition import lead_of
from cardgames.games.menagerie.deck_definition import ANIMALS, CONSPIRATOR, LOYALIST, SEATS, VIZIER
from cardgames.games.menagerie.rules import Menagerie
from cardgames.games.menagerie.scoring import MAX_PEN, points_of

KINDS = range(len(ANIMALS))
# A card whose good shows only later.
HOPE = {"bazaar": 0.5, "windfall": 1.0}


def points_liked_by_seat(view: View) -> list[float]:
    """How much this seat likes a point at each seat, by its role and what it can guess of the others."""
    me, vizier = view.reader, view.fields["vizier"]
    role = view.zones_each("role").faces(me)[0]
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


def adjust_for_lead(view: View, deck: Deck, likes: list[float]) -> list[float]:
    """A Loyalist wins only beside the Vizier: against the Vizier while that one leads alone, for the Vizier else."""
    me, vizier = view.reader, view.fields["vizier"]
    if view.zones_each("role").faces(me)[0] == LOYALIST:
        likes = list(likes)
        likes[vizier] = -0.2 if lead_of(_scores(view, deck), vizier) > 0 else 0.8
    return likes


def _scores(view: View, deck: Deck) -> list[int]:
    points = points_of(deck)
    return [
        sum(row[count] for row, count in zip(points, counts, strict=True))
        for counts in view.spots_each("menagerie").counts
    ]


class _Board:
    """Counts of all menageries with a price on every animal that comes or goes."""

    def __init__(self, view: View, deck: Deck, likes: list[float]) -> None:
        self.counts: list[list[int]] = view.spots_each("menagerie").counts
        self.likes = likes
        self.points = points_of(deck)
        # What one animal more or less of a type is worth at each seat; types count apart from each other.
        self.more = [[self._step(seat, kind, 1) for kind in KINDS] for seat in range(SEATS)]
        self.less = [[self._step(seat, kind, -1) for kind in KINDS] for seat in range(SEATS)]
        self.pens = [(seat, kind) for seat in range(SEATS) for kind in KINDS if self.counts[seat][kind]]

    def _step(self, seat: int, kind: int, step: int) -> float:
        count = self.counts[seat][kind]
        if not 0 <= count + step <= MAX_PEN:
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
        gains = [self.gain(seat, kind) for seat in range(SEATS) if seat != me and self.counts[seat][kind] < MAX_PEN]
        return max(gains, default=0.0)

    def takes_points(self, seat: int, kind: int) -> bool:
        """Whether one animal fewer costs this seat points."""
        count = self.counts[seat][kind]
        return self.points[kind][count - 1] < self.points[kind][count]

    def shoot(self) -> float:
        return max((self.less[seat][kind] for seat, kind in self.pens), default=0.0)

    def theft(self, me: int, seat: int, kind: int) -> float:
        return self.less[seat][kind] + self.gain(me, kind)

    def steal(self, me: int) -> float:
        gains = [self.theft(me, *pen) for pen in self.pens if pen[0] != me and self.counts[me][pen[1]] < MAX_PEN]
        return max(gains, default=0.0)

    def swap(self, a: int, x: int, b: int, y: int) -> float:
        """What a swap is worth; minus infinity where it is not allowed or changes nothing."""
        if a == b or x == y or self.counts[a][y] >= MAX_PEN or self.counts[b][x] >= MAX_PEN:
            return -math.inf
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
    """The weight of each key of the open question: what it does for this seat's side at once."""
    return rate_by_likes(view, deck, adjust_for_lead(view, deck, points_liked_by_seat(view)))


def rate_by_likes(view: View, deck: Deck, likes: list[float]) -> Mapping[str, float]:
    """The same by how much the seat likes a point at each seat. Minus infinity: only if nothing else is left."""
    board, me, ask = _Board(view, deck, likes), view.reader, view.asked
    kind, keys = ask.kind, ask.keys
    if kind in ("play", "pick"):
        return {key: board.card(me, key) for key in keys}
    if kind == "gift":
        animal = ANIMALS.index(ask.about)
        return {key: board.gain(int(key), animal) for key in keys}
    pens = {key: _pen(key) for key in keys}
    if kind == "shoot":
        spared = _spared_seat(view, deck)
        return {
            key: -math.inf if seat == spared and board.takes_points(seat, animal) else board.less[seat][animal]
            for key, (seat, animal) in pens.items()
        }
    if kind == "steal":
        return {key: board.theft(me, *pen) for key, pen in pens.items()}
    if kind == "trade-first":
        return {key: board.trade(*pen) for key, pen in pens.items()}
    first = _pen(ask.about)
    return {key: board.swap(*first, *pen) for key, pen in pens.items()}


def _spared_seat(view: View, deck: Deck) -> int:
    """The Vizier, for a Loyalist while somebody else has the most points; else nobody (-1)."""
    vizier = view.fields["vizier"]
    if view.zones_each("role").faces(view.reader)[0] != LOYALIST:
        return -1
    scores = _scores(view, deck)
    rivals = [points for seat, points in enumerate(scores) if seat not in (vizier, view.reader)]
    return vizier if max(rivals) >= scores[vizier] else -1


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
    return _value(
        result.facts["roles"],
        result.scores,
        result.facts["crown"],
        result.facts["plot"],
        seat,
        float(seat in result.winners),
    )


def value_of_position(t: Menagerie, seat: int) -> float:
    """The same for an imagined game that is not finished: as if it were counted now, with the win in doubt."""
    points = points_of(t.rules_deck)
    scores = [sum(row[len(pile)] for row, pile in zip(points, piles, strict=True)) for piles in t.piles]
    roles = [zone.cards[0].key for zone in t.roles]
    plot = sum(score for score, role in zip(scores, roles, strict=True) if role == CONSPIRATOR)
    return _value(roles, scores, sum(scores) - plot, plot, seat, 0.5)


def _value(roles: Sequence[str], scores: Sequence[int], crown: int, plot: int, seat: int, won: float) -> float:
    vizier = roles.index(VIZIER)
    alone, together = lead_of(scores, vizier), crown - plot
    if roles[seat] == CONSPIRATOR:
        lead = -max(alone, together)
    elif roles[seat] == LOYALIST:
        lead = min(together, -alone)
    else:
        lead = max(alone, together)
    return 0.4 * won + 0.6 / (1.0 + math.exp(-lead / 4))
