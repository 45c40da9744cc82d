"""Re-dealing what a seat cannot know: for bots that imagine, and for the test that nothing leaks.

Every mix since a card was last known to the seat could have fallen otherwise, as long as what the seat has seen since
stays as it is. The law test exchanges the hidden faces of each mix in its order; a bot's world is dealt anew from
nothing but what the seat can know.
"""

from __future__ import annotations

from itertools import pairwise

from cardgames.engine.cards import Card
from cardgames.engine.randomness import Rng, shuffle_list
from cardgames.engine.table_state import Table


def hidden_cards(table: Table, seat: int, number: int) -> list[Card]:
    """The cards of one mix whose fall this seat still cannot know, in the order of the mix."""
    cards, knowing, _, _ = table.mixes[number]
    bit = 1 << seat
    if knowing & bit:
        return []
    return [card for card in cards if not card.seen & bit and card.since[seat] <= number]


def redeal(table: Table, seat: int, rng: Rng) -> None:
    """Changes in place everything ``seat`` cannot know.

    With the same ``rng`` two tables that look the same to the seat come out the same, and nothing of the true deal is
    in the imagined one. So no step may ask which way a card took: the seat knows only in which mix each place was last
    uncertain, in which mix each face was last known, and which mixes passed cards on to which.
    """
    places = _HiddenPlaces(table, seat)
    order = [card for zone in table.zones for card in zone.list_cards() if card in places.last_mix]
    if not places.shuffle_nested(order, rng):
        for place in order:
            places.draw_face(place, rng)
    places.set_faces()


class _HiddenPlaces:
    """The cards a seat does not know, as places that want a face and faces that want a place.

    A face can lie in any place that a chain of mixes leads to from where the seat last knew it. Faces are drawn one
    place after the other; a face is refused where the others could then not all be placed.
    """

    __slots__ = ("_allowed", "_face_of", "_first", "_left", "_place_of", "_settled", "last_mix")

    def __init__(self, table: Table, seat: int) -> None:
        bit = 1 << seat
        # For each card: the mix that made its face uncertain, and the last one it was in.
        first: dict[Card, int] = {}
        last: dict[Card, int] = {}
        sources: dict[int, set[int]] = {}
        found: list[tuple[Card, int, int]] = []
        for number, (cards, knowing, _, seen_before) in enumerate(table.mixes):
            if knowing & bit:
                continue
            sources[number] = {number}
            for card, seen in zip(cards, seen_before, strict=True):
                if seen & bit:
                    if card in last:
                        found.append((card, first[card], last[card]))
                    first[card] = number
                elif card in last:
                    sources[number] |= sources[last[card]]
                else:
                    first[card] = number
                last[card] = number
        self._allowed = sources
        found += [(card, first[card], last[card]) for card in last if card.seen & bit]
        self.last_mix = {card: number for card, number in last.items() if not card.seen & bit}
        self._first = {card: first[card] for card in self.last_mix}
        self._forget_which_of_two(found)
        # One way to place all faces, at first the true one; only whether there is a way counts.
        self._face_of = {card: card for card in self.last_mix}
        self._place_of = dict(self._face_of)
        self._left: dict[int, list[Card]] = {}
        for card in sorted(self._first, key=lambda card: card.key):
            self._left.setdefault(self._first[card], []).append(card)
        self._settled: set[Card] = set()

    def _forget_which_of_two(self, found: list[tuple[Card, int, int]]) -> None:
        """Of two like cards the seat cannot tell which it has found again; it takes it for the one it knew last."""
        hidden: dict[str, list[Card]] = {}
        for card in self._first:
            hidden.setdefault(card.key, []).append(card)
        again: dict[str, list[tuple[int, int]]] = {}
        for card, since, until in found:
            if card.key in hidden:
                again.setdefault(card.key, []).append((until, since))
        for key, pairs in again.items():
            cards = sorted(hidden[key], key=self._first.__getitem__)
            left = sorted([self._first[card] for card in cards] + [since for _, since in pairs])
            for until, true_since in sorted(pairs):
                left.remove(next((since for since in reversed(left) if since in self._allowed[until]), true_since))
            if all(since in self._allowed[self.last_mix[card]] for card, since in zip(cards, left, strict=True)):
                self._first.update(zip(cards, left, strict=True))

    def shuffle_nested(self, places: list[Card], rng: Rng) -> bool:
        """Deals all at once where, of two sets of mixes, one holds the other or they share none: then any way works."""
        groups: dict[frozenset[int], list[Card]] = {}
        present = {number: frozenset(sources & self._left.keys()) for number, sources in self._allowed.items()}
        for place in places:
            groups.setdefault(present[self.last_mix[place]], []).append(place)
        narrow_first = sorted(groups, key=lambda sources: (len(sources), sorted(sources)))
        for number, narrow in enumerate(narrow_first):
            if any(narrow & wide and not narrow <= wide for wide in narrow_first[number + 1 :]):
                return False
        for sources in narrow_first:
            pool: list[Card] = []
            for source in sorted(sources):
                pool += self._left[source]
                self._left[source] = []
            pool = shuffle_list(rng, pool)
            wanting = groups[sources]
            self._face_of.update(zip(wanting, pool, strict=False))
            self._left[min(sources)] = pool[len(wanting) :]
        return True

    def draw_face(self, place: Card, rng: Rng) -> None:
        sources = [self._left[number] for number in sorted(self._allowed[self.last_mix[place]]) if number in self._left]
        refused: list[tuple[list[Card], Card]] = []
        while True:
            pick = rng.below(sum(map(len, sources)))
            for source in sources:
                if pick < len(source):
                    break
                pick -= len(source)
            source[pick], source[-1] = source[-1], source[pick]
            face = source.pop()
            if self._settle(place, face):
                break
            refused.append((source, face))
        for source, face in refused:
            source.append(face)

    def set_faces(self) -> None:
        faces = {place: face.face for place, face in self._face_of.items()}
        for place, printed in faces.items():
            place.set_face(printed)

    def _fits(self, face: Card, place: Card) -> bool:
        return self._first[face] in self._allowed[self.last_mix[place]]

    def _settle(self, place: Card, face: Card) -> bool:
        """Gives the face to this place for good, if the place that held it can get another."""
        freed, bereft = self._face_of[place], self._place_of[face]
        if bereft is not place:
            chain = self._chain(bereft, freed, place)
            if chain is None:
                return False
            # Each place of the chain takes the face of the next one, the last takes the freed face.
            for taker, giver in pairwise(chain):
                self._hold(taker, self._face_of[giver])
            self._hold(chain[-1], freed)
            self._hold(place, face)
        self._settled.add(place)
        return True

    def _hold(self, place: Card, face: Card) -> None:
        self._face_of[place] = face
        self._place_of[face] = place

    def _chain(self, bereft: Card, freed: Card, but: Card) -> list[Card] | None:
        """The shortest chain of open places that leads the freed face to the bereft place."""
        came_from: dict[Card, Card | None] = {bereft: None}
        waiting = [bereft]
        for place in waiting:
            if self._fits(freed, place):
                chain = [place]
                while (before := came_from[chain[-1]]) is not None:
                    chain.append(before)
                return chain[::-1]
            for other, face in self._face_of.items():
                if (
                    other not in came_from
                    and other is not but
                    and other not in self._settled
                    and self._fits(face, place)
                ):
                    came_from[other] = place
                    waiting.append(other)
        return None


def redeal_hidden_zones(table: Table, seat: int, rng: Rng) -> list[list[str]]:
    """The orders of all shuffles in another world that looks the same to ``seat``, for ``ForcedSource``. Spoils it."""
    orders = []
    for number, (cards, _, by_shuffle, _) in enumerate(table.mixes):
        if not by_shuffle:
            continue
        hidden = hidden_cards(table, seat, number)
        faces = shuffle_list(rng, [card.face for card in hidden])
        for card, face in zip(hidden, faces, strict=True):
            card.set_face(face)
        orders.append([card.key for card in cards])
    return orders
