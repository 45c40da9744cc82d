"""Who is probably who in Royal Menagerie, judged by what everybody saw: friends of the Vizier help the Vizier.

Used by the bot that remembers. It reads only the events its seat was shown.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import permutations

from cardgames.engine import Deck, View
from cardgames.engine.seat_reading import EventView
from cardgames.games.menagerie import bot_evaluation
from cardgames.games.menagerie.deck_definition import ANIMALS, CONSPIRATOR, ROLES, SEATS, VIZIER
from cardgames.games.menagerie.rules import Menagerie
from cardgames.games.menagerie.scoring import points_of

# How strongly one point for a side speaks for belonging to it. People and bots are not always consistent.
TRUST = 0.4

Roles = tuple[str, ...]


@lru_cache(maxsize=1)
def _all_deals() -> tuple[Roles, ...]:
    return tuple(dict.fromkeys(permutations(ROLES)))


class RoleInference:
    """The chance of each deal of roles that the seat must hold possible."""

    def __init__(self, view: View, deck: Deck, events: Sequence[EventView]) -> None:
        self.deck = deck
        known = view.zones_each("role")
        deals = [
            roles
            for roles in _all_deals()
            if all(not cards or cards[0] == roles[seat] for seat, cards in enumerate(known.each))
        ]
        gains = list(_point_changes(events, points_of(deck)))
        weights = []
        for roles in deals:
            loyal = [role != CONSPIRATOR for role in roles]
            evidence = 0.0
            for actor, changes in gains:
                # One's own points please everybody, so they say nothing.
                evidence += sum(
                    by if loyal[seat] == loyal[actor] else -by for seat, by in changes.items() if seat != actor
                )
            weights.append(TRUST * evidence)
        top = max(weights)
        shares = [math.exp(weight - top) for weight in weights]
        total = sum(shares)
        self.chance = {roles: share / total for roles, share in zip(deals, shares, strict=True)}

    def rate_choices(self, view: View) -> Mapping[str, float]:
        """The weight of each key of the open question, with what is known about the others."""
        return bot_evaluation.rate_by_likes(view, self.deck, self._likes(view))

    def likelihood(self, table: Menagerie) -> float:
        """How much more or less likely these roles are than before anything was played."""
        roles = tuple(zone.cards[0].key for zone in table.roles)
        return self.chance.get(roles, 0.0) * len(self.chance)

    def _likes(self, view: View) -> list[float]:
        """How much this seat likes a point at each seat: friends by their chance, and the Vizier's lead apart."""
        me = view.reader
        likes = [0.0] * SEATS
        for roles, chance in self.chance.items():
            for seat, role in enumerate(roles):
                friend = (role == CONSPIRATOR) == (roles[me] == CONSPIRATOR)
                likes[seat] += chance * (1.0 if friend else -1.0)
        likes[me] = 1.0
        if view.zones_each("role").faces(me)[0] == VIZIER:
            # A Loyalist's points help the sum and stand in the way of winning alone.
            likes = [like if seat == me else like * (0.5 if like > 0 else 1.0) for seat, like in enumerate(likes)]
        return bot_evaluation.adjust_for_lead(view, self.deck, likes)


def _point_changes(
    events: Sequence[EventView], points: Sequence[Sequence[int]]
) -> Iterator[tuple[int, Mapping[int, int]]]:
    """Who did what to whose points, one action after the other, counted from the public events."""
    counts = [[0] * len(ANIMALS) for _ in range(SEATS)]

    def move(seat: int, animal: str, by: int) -> int:
        kind = ANIMALS.index(animal)
        before = points[kind][counts[seat][kind]]
        counts[seat][kind] += by
        return points[kind][counts[seat][kind]] - before

    for event in events:
        values = event.values
        match event.key:
            case "starting-animals":
                for seat, animals in enumerate(values["animals"]):
                    for animal in animals:
                        move(seat, animal, 1)
            case "gift":
                yield values["seat"], {values["to"]: move(values["to"], values["card"], 1)}
            case "shot":
                yield values["seat"], {values["of"]: move(values["of"], values["card"], -1)}
            case "stole":
                lost = move(values["of"], values["card"], -1)
                move(values["seat"], values["card"], 1)
                yield values["seat"], {values["of"]: lost}
            case "traded":
                a, b, first, second = values["of"], values["to"], values["first"], values["second"]
                at_a = move(a, first, -1) + move(a, second, 1)
                at_b = move(b, second, -1) + move(b, first, 1)
                yield values["seat"], {a: at_a, b: at_b}
            case "stampede":
                for animal in ANIMALS:
                    move(values["seat"], animal, -1)
