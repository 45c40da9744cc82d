"""Re-dealing what a seat cannot know, for bots that imagine.

Every mix since a card was last known to the seat could have fallen otherwise, as long as what the seat has seen since
stays as it is. A bot's world is dealt anew from nothing but what the seat can know.

For example, seat 0 saw the fox, the hen and the owl go into one pile and the goose and the duck into another. The first
pile was shuffled (mix 0), then the second (mix 1). At last somebody exchanged a card of the first pile with one of the
second and showed neither (mix 2, of those two cards). Seat 0 lost sight of fox, hen and owl in mix 0, of goose and duck
in mix 1. The two cards left in the first pile were last in mix 0, so they want two of fox, hen and owl; the one left in
the second wants goose or duck; and the two exchanged, which came to mix 2 from both, take whatever three faces leave.
"""

from dataclasses import dataclass
from itertools import pairwise

from cardgames.engine.cards import Card
from cardgames.engine.randomness import Rng, shuffle_list
from cardgames.engine.table_state import Table


def redeal(table: Table, seat: int, rng: Rng) -> None:
    """Changes in place everything ``seat`` cannot know.

    With the same ``rng`` two tables that look the same to the seat come out the same, and nothing of the true deal is
    in the imagined one. So no step may ask which way a card took: the seat knows only in which mix each place was last
    uncertain, in which mix each face was last known, and which mixes passed cards on to which.
    """
    hidden = _trace_hidden_cards(table, seat)
    places = [card for zone in table.zones for card in zone.list_cards() if card in hidden.last_mix]
    deal = _Deal(hidden)
    if not deal.deal_nested(places, rng):
        for place in places:
            deal.draw_face(place, rng)
    faces = {place: card.face for place, card in deal.face_of.items()}
    for place, face in faces.items():
        place.set_face(face)


@dataclass(frozen=True, slots=True)
class _Absence:
    """A card that the seat lost sight of in mix ``since`` and knew again after mix ``until``."""

    card: Card
    since: int
    until: int


@dataclass(frozen=True, slots=True)
class _HiddenCards:
    """The cards a seat does not know, each at once a place that wants a face and a face that wants a place.

    ``lost_in`` is the mix that made each face uncertain, ``last_mix`` the last one each place was in, and ``sources``
    the mixes from which a face can have come to a mix.
    """

    lost_in: dict[Card, int]
    last_mix: dict[Card, int]
    sources: dict[int, set[int]]

    def fits(self, face: Card, place: Card) -> bool:
        return self.lost_in[face] in self.sources[self.last_mix[place]]


def _trace_hidden_cards(table: Table, seat: int) -> _HiddenCards:
    """Follows all cards through the mixes that the seat could not follow."""
    bit = 1 << seat
    lost_in: dict[Card, int] = {}
    last_mix: dict[Card, int] = {}
    sources: dict[int, set[int]] = {}
    absences: list[_Absence] = []
    for number, mix in enumerate(table.mixes):
        if mix.knowing & bit:
            continue
        sources[number] = {number}
        for card, seen in zip(mix.cards, mix.seen_before, strict=True):
            if seen & bit:
                if card in last_mix:
                    absences.append(_Absence(card, lost_in[card], last_mix[card]))
                lost_in[card] = number
            elif card in last_mix:
                sources[number] |= sources[last_mix[card]]
            else:
                lost_in[card] = number
            last_mix[card] = number
    absences += [_Absence(card, lost_in[card], last_mix[card]) for card in last_mix if card.seen & bit]
    hidden_last = {card: number for card, number in last_mix.items() if not card.seen & bit}
    hidden = _HiddenCards({card: lost_in[card] for card in hidden_last}, hidden_last, sources)
    _forget_which_of_two(hidden, absences)
    return hidden


def _forget_which_of_two(hidden: _HiddenCards, absences: list[_Absence]) -> None:
    """Of two like cards the seat cannot tell which it has found again; it takes it for the one it knew last."""
    alike: dict[str, list[Card]] = {}
    for card in hidden.lost_in:
        alike.setdefault(card.key, []).append(card)
    found_again: dict[str, list[_Absence]] = {}
    for absence in absences:
        if absence.card.key in alike:
            found_again.setdefault(absence.card.key, []).append(absence)
    for key, again in found_again.items():
        cards = sorted(alike[key], key=hidden.lost_in.__getitem__)
        losses = sorted([hidden.lost_in[card] for card in cards] + [absence.since for absence in again])
        for absence in sorted(again, key=lambda absence: (absence.until, absence.since)):
            possible = hidden.sources[absence.until]
            losses.remove(next((since for since in reversed(losses) if since in possible), absence.since))
        pairs = list(zip(cards, losses, strict=True))
        if all(since in hidden.sources[hidden.last_mix[card]] for card, since in pairs):
            hidden.lost_in.update(pairs)


class _Deal:
    """Gives each place a face.

    Faces are drawn one place after the other; a face is refused where the others could then not all be placed.
    ``face_of`` is always one way to place all faces, at first the true one; only whether there is a way counts.
    """

    __slots__ = ("_left", "_place_of", "_settled", "face_of", "hidden")

    def __init__(self, hidden: _HiddenCards) -> None:
        self.hidden = hidden
        self.face_of = {card: card for card in hidden.last_mix}
        self._place_of = dict(self.face_of)
        self._settled: set[Card] = set()
        # The faces still to be dealt, by the mix they were lost in.
        self._left: dict[int, list[Card]] = {}
        for card in sorted(hidden.lost_in, key=lambda card: card.key):
            self._left.setdefault(hidden.lost_in[card], []).append(card)

    def deal_nested(self, places: list[Card], rng: Rng) -> bool:
        """Deals all at once where, of two sets of mixes, one holds the other or they share none: then any way works."""
        with_faces = {number: frozenset(mixes & self._left.keys()) for number, mixes in self.hidden.sources.items()}
        groups: dict[frozenset[int], list[Card]] = {}
        for place in places:
            groups.setdefault(with_faces[self.hidden.last_mix[place]], []).append(place)
        narrow_first = sorted(groups, key=lambda mixes: (len(mixes), sorted(mixes)))
        for number, narrow in enumerate(narrow_first):
            if any(narrow & wide and not narrow <= wide for wide in narrow_first[number + 1 :]):
                return False
        for mixes in narrow_first:
            pool: list[Card] = []
            for number in sorted(mixes):
                pool += self._left[number]
                self._left[number] = []
            pool = shuffle_list(rng, pool)
            group = groups[mixes]
            self.face_of.update(zip(group, pool, strict=False))
            self._left[min(mixes)] = pool[len(group) :]
        return True

    def draw_face(self, place: Card, rng: Rng) -> None:
        """Draws a face that fits this place by chance, again and again until the others can still be placed."""
        possible = sorted(self.hidden.sources[self.hidden.last_mix[place]])
        heaps = [self._left[number] for number in possible if number in self._left]
        refused: list[tuple[list[Card], Card]] = []
        while True:
            heap, face = _take_any(heaps, rng)
            if self._settle(place, face):
                break
            refused.append((heap, face))
        for heap, face in refused:
            heap.append(face)

    def _settle(self, place: Card, face: Card) -> bool:
        """Gives the face to this place for good, if the place that held it can get another."""
        freed, bereft = self.face_of[place], self._place_of[face]
        if bereft is not place:
            chain = self._find_chain(bereft, freed, place)
            if chain is None:
                return False
            # Each place of the chain takes the face of the next one, the last takes the freed face.
            for taker, giver in pairwise(chain):
                self._hold(taker, self.face_of[giver])
            self._hold(chain[-1], freed)
            self._hold(place, face)
        self._settled.add(place)
        return True

    def _hold(self, place: Card, face: Card) -> None:
        self.face_of[place] = face
        self._place_of[face] = place

    def _find_chain(self, bereft: Card, freed: Card, taken: Card) -> list[Card] | None:
        """The shortest chain of open places that leads the freed face to the bereft place, past the one taken."""
        came_from: dict[Card, Card | None] = {bereft: None}
        waiting = [bereft]
        for place in waiting:
            if self.hidden.fits(freed, place):
                chain = [place]
                while (before := came_from[chain[-1]]) is not None:
                    chain.append(before)
                return chain[::-1]
            for other, face in self.face_of.items():
                is_open = other not in came_from and other is not taken and other not in self._settled
                if is_open and self.hidden.fits(face, place):
                    came_from[other] = place
                    waiting.append(other)
        return None


def _take_any(heaps: list[list[Card]], rng: Rng) -> tuple[list[Card], Card]:
    """Takes a card out of these heaps, each with the same chance, and says which heap it was in."""
    pick = rng.below(sum(map(len, heaps)))
    for heap in heaps:
        if pick < len(heap):
            break
        pick -= len(heap)
    heap[pick], heap[-1] = heap[-1], heap[pick]
    return heap, heap.pop()
