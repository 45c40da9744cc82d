"""Ratings with openskill: one pool for each game in each variant, in the order of play.

Teams are rated as teams, level sides share their rank. A player who is nobody in particular counts as a newcomer
each time. Players can be rated from a stored state, so an edit redoes only what came after it.
"""

import datetime as dt
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby

from openskill.models import PlackettLuce, PlackettLuceRating

from gamenights.plays.values import PlayFacts
from gamenights.standings.core.tally import Slot

FEWEST_PLAYS = 10
NINETEEN_IN_TWENTY = 1.96  # standard deviations to each side


@dataclass(frozen=True, slots=True)
class Rating:
    mean: float
    deviation: float
    plays: int

    @property
    def margin(self) -> float:
        return NINETEEN_IN_TWENTY * self.deviation

    @property
    def lower(self) -> float:
        """The rank goes by the lower end, so a few lucky plays do not put anyone on top."""
        return self.mean - self.margin

    @property
    def is_shown(self) -> bool:
        return self.plays >= FEWEST_PLAYS


Pool = dict[str, Rating]
_MODEL = PlackettLuce()
START = Rating(_MODEL.mu, _MODEL.sigma, 0)


def pool_of(play: PlayFacts) -> Slot | None:
    """The pool a play is rated in; None if it is not rated."""
    if not (play.rated and play.counted and play.is_contest):
        return None
    return Slot(play.game, play.variant.key) if all(player.place for player in play.players) else None


# The pool of every rated play, whatever the game: who tends to win here. Each game and variant has its own beside it.
ALL_GAMES = Slot("*")


def is_in_pool(play: PlayFacts, pool: Slot) -> bool:
    own = pool_of(play)
    return own is not None and pool in (own, ALL_GAMES)


class RatingBook:
    """The ratings of one pool. ``changed`` says whose rating is new since the book was opened or marked."""

    def __init__(self, ratings: Mapping[str, Rating] | None = None) -> None:
        self._ratings = {person: _MODEL.rating(one.mean, one.deviation) for person, one in (ratings or {}).items()}
        self._plays = {person: one.plays for person, one in (ratings or {}).items()}
        self._changed: set[str] = set()

    def add(self, play: PlayFacts) -> None:
        """Rate one play. Plays with one side are passed over."""
        sides: dict[str | int, list[str]] = {}
        ranks: dict[str | int, float] = {}
        for at, player in enumerate(play.players):
            key = f"bot {player.name}" if player.bot else player.person or f"? {at}"
            side = player.team or at
            if side in sides:
                sides[side].append(key)
            else:
                sides[side] = [key]
                ranks[side] = player.place or 0
        if len(sides) < 2:
            return
        ratings = self._ratings
        before: list[list[PlackettLuceRating]] = [
            [ratings.get(key) or _MODEL.rating() for key in keys] for keys in sides.values()
        ]
        after = _MODEL.rate(before, ranks=list(ranks.values()))
        for keys, members in zip(sides.values(), after, strict=True):
            for key, rating in zip(keys, members, strict=True):
                if key[0] != "?":
                    ratings[key] = rating
                    self._plays[key] = self._plays.get(key, 0) + 1
                    self._changed.add(key)

    def ratings(self) -> Pool:
        return {person: self._rating(person) for person in self._ratings}

    def take_changed(self) -> Pool:
        """Ratings that are new since the last call: what a checkpoint stores."""
        changed = {person: self._rating(person) for person in sorted(self._changed)}
        self._changed.clear()
        return changed

    def _rating(self, person: str) -> Rating:
        one = self._ratings[person]
        return Rating(one.mu, one.sigma, self._plays[person])


def rate_plays(plays: Iterable[PlayFacts]) -> dict[Slot, Pool]:
    """All pools from all plays, in the order given."""
    books: dict[Slot, RatingBook] = {}
    for play in plays:
        pool = pool_of(play)
        if pool is not None:
            books.setdefault(pool, RatingBook()).add(play)
    return {pool: book.ratings() for pool, book in books.items()}


def rate_days(plays: Iterable[PlayFacts], before: Mapping[str, Rating]) -> Iterator[tuple[dt.date, Pool]]:
    """Rate one pool's plays on top of what came before; after each day, the ratings it changed."""
    book = RatingBook(before)
    for day, of_day in groupby(plays, key=lambda play: play.day):
        for play in of_day:
            book.add(play)
        yield day, book.take_changed()


@dataclass(frozen=True, slots=True)
class RatedPerson:
    place: int | None  # None: too few plays to be ranked
    person: str
    rating: Rating


def rank_people(pool: Mapping[str, Rating]) -> list[RatedPerson]:
    """People by the lower end of their rating. Bots are left out; people with few plays come last, without a place."""
    people = [(person, one) for person, one in pool.items() if not person.startswith("bot ")]
    people.sort(key=lambda row: (not row[1].is_shown, -row[1].lower, row[0]))
    return [
        RatedPerson(at if rating.is_shown else None, person, rating) for at, (person, rating) in enumerate(people, 1)
    ]


def chance_of_being_better(one: Rating, other: Rating) -> float:
    spread = math.hypot(one.deviation, other.deviation)
    return 0.5 * (1 + math.erf((one.mean - other.mean) / (spread * math.sqrt(2))))
