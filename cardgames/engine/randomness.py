"""Where chance comes from. A game never asks which of these it is.

``SeededSource``: the site deals. ``ManualSource``: people shuffle printed cards and say what came up.
``ForcedSource``: fixed orders, for tests and worked examples. ``ImaginedSource``: what a bot makes up.
"""

from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import TYPE_CHECKING, Any, Protocol

from cardgames.engine.cards import Card
from chance import Dice
from refusal import Refusal

if TYPE_CHECKING:
    from cardgames.engine.table_state import Table


class Rng(Protocol):
    """What a bot is given: ``chance.Dice`` or the faster ``FastRng``."""

    def below(self, limit: int) -> int: ...


class FastRng:
    """A quick generator for imagined games: Python promises ``Random.random()`` for a seed in every version."""

    __slots__ = ("_random",)

    def __init__(self, seed: int | str) -> None:
        self._random = Random(seed).random

    def below(self, limit: int) -> int:
        return int(self._random() * limit)


def shuffle_list(rng: Rng, things: Iterable[Any]) -> list[Any]:
    """A new list in random order (Fisher and Yates, from the end)."""
    pile = list(things)
    below = rng.below
    for last in range(len(pile) - 1, 0, -1):
        other = below(last + 1)
        pile[last], pile[other] = pile[other], pile[last]
    return pile


class RandomSource(Protocol):
    by_hand: bool

    def shuffled(self, cards: Sequence[Card], stream: str) -> list[Card]: ...

    def roll(self, sides: int, stream: str) -> int: ...

    def uncover(self, table: "Table", card: Card, mask: int) -> None:
        """A face nobody knew is about to be seen; called only when the cards are dealt by hand."""


class _DealtSource:
    """The engine deals, so every face is known to it."""

    __slots__ = ()
    by_hand = False

    def uncover(self, table: "Table", card: Card, mask: int) -> None:
        return


class SeededSource(_DealtSource):
    """Chance from the secret seed, one stream per purpose, so that a die more in one does not shift another."""

    __slots__ = ("_dice", "_streams")

    def __init__(self, seed: bytes) -> None:
        self._dice = Dice(seed)
        self._streams: dict[str, Dice] = {}

    def _stream(self, name: str) -> Dice:
        stream = self._streams.get(name)
        if stream is None:
            stream = self._streams[name] = self._dice.child(name)
        return stream

    def shuffled(self, cards: Sequence[Card], stream: str) -> list[Card]:
        return self._stream(stream).shuffled(cards)

    def roll(self, sides: int, stream: str) -> int:
        return self._stream(stream).below(sides) + 1


class ImaginedSource(_DealtSource):
    """Chance made up by a bot. It shares nothing with the seed of the table."""

    __slots__ = ("_rng",)

    def __init__(self, rng: Rng) -> None:
        self._rng = rng

    def shuffled(self, cards: Sequence[Card], stream: str) -> list[Card]:
        return shuffle_list(self._rng, cards)

    def roll(self, sides: int, stream: str) -> int:
        return self._rng.below(sides) + 1


class ForcedSource(_DealtSource):
    """Shuffles and dice fixed beforehand, in the order they happen; then another source takes over.

    An order lists face keys from bottom to top (the last is drawn first). ``None`` leaves that one to ``then``. An
    order shorter than the pile fixes its top; what it does not name lies beneath in the order of ``then``.
    """

    __slots__ = ("_orders", "_rolls", "_then")

    def __init__(
        self, orders: Sequence[Sequence[str] | None] = (), rolls: Sequence[int] = (), then: RandomSource | None = None
    ) -> None:
        self._orders = list(reversed(orders))
        self._rolls = list(reversed(rolls))
        self._then: RandomSource = then or SeededSource(b"")

    def shuffled(self, cards: Sequence[Card], stream: str) -> list[Card]:
        order = self._orders.pop() if self._orders else None
        pile = self._then.shuffled(cards, stream)
        if order is None:
            return pile
        top = []
        for face in reversed(order):
            card = next((card for card in pile if card.key == face), None)
            if card is None:
                raise ValueError(f"There is no {face} left for this pile.")
            pile.remove(card)
            top.append(card)
        return pile + top[::-1]

    def roll(self, sides: int, stream: str) -> int:
        return self._rolls.pop() if self._rolls else self._then.roll(sides, stream)


class ChanceNeeded(Exception):
    """Raised inside a rule when people must say what came up; the driver asks and plays the game again up to here."""

    def __init__(self, seat: int | None, kind: str, keys: tuple[str, ...]) -> None:
        super().__init__(kind)
        self.seat = seat
        self.kind = kind
        self.keys = keys


class ManualSource:
    """Printed cards and real dice: a shuffle is believed, and each face is named when somebody first sees it.

    ``pull`` gives the next stored answer, or None when there is none yet. Whoever sees the card must answer; what
    everybody sees, anybody may name (seat None).
    """

    __slots__ = ("_pull",)
    by_hand = True

    def __init__(self, pull: Callable[[], str | None]) -> None:
        self._pull = pull

    def shuffled(self, cards: Sequence[Card], stream: str) -> list[Card]:
        return list(cards)

    def roll(self, sides: int, stream: str) -> int:
        keys = tuple(f"die:{face}" for face in range(1, sides + 1))
        return keys.index(self._answer(None, "die", keys)) + 1

    def uncover(self, table: "Table", card: Card, mask: int) -> None:
        shuffles = [mix.cards for mix in table.mixes if mix.is_shuffle]
        last = next((number for number in range(len(shuffles) - 1, -1, -1) if card in shuffles[number]), None)
        if last is None:
            return
        later = {other for cards in shuffles[last + 1 :] for other in cards}
        hidden = [other for other in shuffles[last] if not other.seen and other not in later]
        faces = {f"face:{other.key}": other for other in hidden}
        seats = [seat for seat in range(table.seats) if mask >> seat & 1]
        key = self._answer(seats[0] if len(seats) == 1 else None, "face", tuple(sorted(faces)))
        other = faces[key]
        ours, theirs = card.face, other.face
        card.set_face(theirs)
        other.set_face(ours)

    def _answer(self, seat: int | None, kind: str, keys: tuple[str, ...]) -> str:
        key = self._pull()
        if key is None:
            raise ChanceNeeded(seat, kind, keys)
        if key not in keys:
            raise Refusal("A card or die in this table's log is not possible any more.")
        return key
