"""How bots judge Moods of the Mad King. A choice is rated from the seat's view alone."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from cardgames.engine import Deck, Question, Result, Rng, View
from cardgames.games.moods import scoring
from cardgames.games.moods.deck_definition import GENRES, MAX_ACTS, MOODS, MUSES, PLAYS
from cardgames.games.moods.table_state import Stage

GENRE_OF = {face: number for faces in (PLAYS, MOODS, MUSES) for number, face in enumerate(faces)}
ALL = range(len(GENRES))
# How much the others' chances count against one's own: the game has several winners or none.
SPITE = 0.25
# A test not yet passed is not yet lost: each draw to come makes it likelier.
HOPE_PER_DRAW = 0.02
# What an action card is worth before its targets are known; the others nothing.
ACTION_HOPE = {
    "stage-fright": 0.02,
    "at-the-keyhole": 0.05,
    "a-word-with-the-maid": 0.02,
    "the-prompter": 0.03,
    "burnt-script": 0.02,
    "double-bill": 0.04,
}

Chances = Sequence[float]
Play = list[int]


def chance_to_win(play: Sequence[int], king: Chances, muse: Chances, hope: float) -> float:
    """About how likely this play pleases both. Moods and Muses are dealt apart, so the two tests are independent."""
    head = sum(king[genre] for genre in set(play))
    patron = sum(muse[genre] for genre in set(play))
    return (head + (1 - head) * hope) * (patron + (1 - patron) * hope)


def best_cut(play: Play, king: Chances, muse: Chances, hope: float) -> Play:
    """The play after its owner has discarded down to three as well as they know how."""
    while len(play) > MAX_ACTS:
        cuts = [play[:place] + play[place + 1 :] for place in range(len(play))]
        play = max(cuts, key=lambda left: chance_to_win(left, king, muse, hope))
    return play


class Knowledge:
    """What a seat can conclude from its view: chances of the King's Mood and of each Muse, and the plays."""

    __slots__ = ("discard", "hope", "king", "me", "moods", "muses", "plays", "seats")

    def __init__(self, view: View) -> None:
        self.me: int = view.reader
        self.seats: int = view.seats
        self.plays: list[Play] = [[GENRE_OF[face] for face in faces] for faces in view.zones_each("play").all_faces]
        self.moods: list[list[str]] = view.zones_each("mood").all_faces
        known_king = [face for face in view.zone("king").cards if face]
        elsewhere = [GENRE_OF[face] for faces in self.moods for face in faces if face]
        if known_king:
            self.king: Chances = _even({GENRE_OF[known_king[0]]})
        else:
            self.king = _even(set(ALL) - set(elsewhere))
        known = [[GENRE_OF[face] for face in faces if face] for faces in view.zones_each("role").all_faces]
        unused = {GENRE_OF[face] for face in view.zone("unused-muses").cards if face}
        taken = unused | {genre for genres in known for genre in genres}
        free = _even(set(ALL) - taken)
        self.muses: list[Chances] = [_even(set(genres)) if genres else free for genres in known]
        deck = view.zone("deck")
        self.hope = min(0.6, HOPE_PER_DRAW + HOPE_PER_DRAW * deck.size)
        self.discard = [GENRE_OF[face] for face in view.zone("discard").faces]

    def win(self, seat: int, play: Play) -> float:
        return chance_to_win(play, self.king, self.muses[seat], self.hope)

    def worth(self, changed: Mapping[int, Play]) -> float:
        """How good the table is for this seat if these plays were so."""
        total = 0.0
        for seat, play in enumerate(self.plays):
            after = best_cut(changed.get(seat, play), self.king, self.muses[seat], self.hope)
            value = self.win(seat, after)
            total += value if seat == self.me else -SPITE * value / (self.seats - 1)
        return total

    def without(self, seat: int, genre: int) -> Play:
        left = list(self.plays[seat])
        left.remove(genre)
        return left


def _even(genres: set[int]) -> list[float]:
    return [1 / len(genres) if genre in genres else 0.0 for genre in ALL]


def _target(key: str) -> tuple[int, int]:
    seat, _, face = key.partition(":")
    return int(seat), GENRE_OF[face]


def rate_choices(view: View, deck: Deck) -> Mapping[str, float]:
    """The value of each key of the open question for this seat."""
    know, ask = Knowledge(view), view.asked
    rate = _RATES.get(ask.kind)
    return {key: rate(know, key, ask.about) if rate else 0.0 for key in ask.keys}


def _rate_draw(know: Knowledge, key: str, face: Any) -> float:
    to = know.me if key == "keep" else int(key.partition(":")[2])
    # Giving also allows an action card.
    return know.worth({to: [*know.plays[to], GENRE_OF[face]]}) + (0.01 if to != know.me else 0.0)


def _rate_cut(know: Knowledge, key: str, about: Any) -> float:
    return know.win(know.me, know.without(know.me, GENRE_OF[key]))


def _rate_action(know: Knowledge, key: str, about: Any) -> float:
    outcomes = _BEST[key](know) if key in _BEST else []
    return (max(outcomes) if outcomes else know.worth({})) + ACTION_HOPE.get(key, 0.0)


def _all_targets(know: Knowledge) -> list[tuple[int, int]]:
    return [(seat, genre) for seat, play in enumerate(know.plays) if seat != know.me for genre in set(play)]


def _swap(know: Knowledge, mine: int, of: int, genre: int) -> float:
    return know.worth({know.me: [*know.without(know.me, mine), genre], of: [*know.without(of, genre), mine]})


def _recast(know: Knowledge, of: int, genre: int, to: int | None) -> float:
    changed = {of: know.without(of, genre)}
    if to is not None:
        changed[to] = [*know.plays[to], genre]
    return know.worth(changed)


def _receivers(know: Knowledge, of: int) -> list[int | None]:
    return [to for to in range(know.seats) if to not in (of, know.me)] or [None]


_BEST: dict[str, Callable[[Knowledge], list[float]]] = {
    "curtain-call": lambda know: [know.worth({know.me: [*know.plays[know.me], genre]}) for genre in set(know.discard)],
    "borrowed-scene": lambda know: [
        _swap(know, mine, of, genre) for mine in set(know.plays[know.me]) for of, genre in _all_targets(know)
    ],
    "scathing-review": lambda know: [know.worth({of: know.without(of, genre)}) for of, genre in _all_targets(know)],
    "recast": lambda know: [
        _recast(know, of, genre, to) for of, genre in _all_targets(know) for to in _receivers(know, of)
    ],
}


def _rate_discarded(know: Knowledge, key: str, about: Any) -> float:
    return know.worth({know.me: [*know.plays[know.me], GENRE_OF[key]]})


def _rate_scene_own(know: Knowledge, key: str, about: Any) -> float:
    return max(_swap(know, GENRE_OF[key], of, genre) for of, genre in _all_targets(know))


def _rate_review(know: Knowledge, key: str, about: Any) -> float:
    of, genre = _target(key)
    return know.worth({of: know.without(of, genre)})


def _rate_fright(know: Knowledge, key: str, about: Any) -> float:
    """Whoever has least to spare."""
    seat = int(key)
    left = [know.without(seat, genre) for genre in set(know.plays[seat])]
    return -max(know.win(seat, play) for play in left) + know.win(seat, know.plays[seat])


def _face_in_slot(faces: Sequence[str], key: str) -> str:
    return faces[int(key.removeprefix("slot-")) - 1]


def _rate_prompter(know: Knowledge, key: str, about: Any) -> float:
    """The others draw before this seat does, so what helps most goes deep."""
    play = [*know.plays[know.me], GENRE_OF[_face_in_slot(about["cards"], key)]]
    value = know.win(know.me, best_cut(play, know.king, know.muses[know.me], 0.1))
    return value if (about["placed"] + 1) % know.seats == 0 else -value


def _rate_patron(know: Knowledge, key: str, face: Any) -> float:
    muse = know.muses[know.me] if key == "decline" else _even({GENRE_OF[face]})
    return chance_to_win(know.plays[know.me], know.king, muse, know.hope)


def _rate_recast(know: Knowledge, key: str, about: Any) -> float:
    of, genre = _target(key)
    return max(_recast(know, of, genre, to) for to in _receivers(know, of))


def _rate_encore(know: Knowledge, key: str, about: Any) -> float:
    """The next player draws it: what helps them least."""
    follower = (know.me + 1) % know.seats
    return -know.win(follower, [*know.plays[follower], GENRE_OF[key]][-4:])


def _rate_script(know: Knowledge, key: str, face: Any) -> float:
    follower = (know.me + 1) % know.seats
    gain = know.win(follower, [*know.plays[follower], GENRE_OF[face]]) - know.win(follower, know.plays[follower])
    return gain if key == "burn" else 0.02


def _rate_scenery(know: Knowledge, key: str, about: Any) -> float:
    left, genre = (know.me + 1) % know.seats, GENRE_OF[key]
    return know.worth({know.me: know.without(know.me, genre), left: [*know.plays[left], genre]})


_RATES: dict[str, Callable[[Knowledge, str, Any], float]] = {
    "draw": _rate_draw,
    "cut": _rate_cut,
    "action": _rate_action,
    "curtain-call": _rate_discarded,
    "scene-own": _rate_scene_own,
    "scene-other": lambda know, key, mine: _swap(know, GENRE_OF[mine], *_target(key)),
    "review": _rate_review,
    "fright": _rate_fright,
    "fright-drop": _rate_cut,
    "keyhole": lambda know, key, about: float(not know.moods[int(key)]),
    "maid": lambda know, key, about: float(max(know.muses[int(key)]) < 1),
    "prompter": _rate_prompter,
    "patron": _rate_patron,
    "tantrum": lambda know, key, faces: float(GENRE_OF[_face_in_slot(faces, key)] in know.plays[know.me]),
    "recast": _rate_recast,
    "recast-to": lambda know, key, about: _recast(know, *_target(about), int(key)),
    "encore": _rate_encore,
    "script": _rate_script,
    "scenery": _rate_scenery,
}


def choose_quickly(t: Stage, ask: Question, rng: Rng, me: int) -> str:
    """How imagined players choose: a card that pleases their Muse or may please the King stays, others go anywhere."""
    kind, seat, options = ask.kind, ask.seat, ask.options
    if kind == "draw":
        genre = GENRE_OF[ask.about]
        play = [card.face.index for card in t.plays[seat].cards]
        if genre not in play and _is_wanted(t, seat, genre):
            return "keep"
        if len(play) < MAX_ACTS and rng.below(3) == 0:
            return "keep"
        keys = list(options)
        return keys[1 + rng.below(len(keys) - 1)]
    if kind in ("cut", "fright-drop", "scenery"):
        # A card twice in the play, or one nobody asked for.
        play = [card.face.index for card in t.plays[seat].cards]
        for card in options.values():
            genre = card.face.index
            if play.count(genre) > 1 or not _is_wanted(t, seat, genre):
                key: str = card.key
                return key
    keys = list(options)
    return keys[rng.below(len(keys))]


def _is_wanted(t: Stage, seat: int, genre: int) -> bool:
    if t.muses[seat].cards[0].face.index == genre:
        return True
    return all(card.face.index != genre for card in t.moods[seat].cards)


def value_of_position(t: Stage, seat: int) -> float:
    """An unfinished imagined game, as if the show began now."""
    plays = [[card.face.index for card in zone.cards] for zone in t.plays]
    muses = [zone.cards[0].face.index for zone in t.muses]
    two = bool(t.options["two_cards_when_same"])
    return value_of_result(scoring.result(plays, t.king.cards[0].face.index, muses, "", two), seat)


def value_of_result(result: Result, seat: int) -> float:
    """Winning is nearly all; a little for each of the two tests, and a little for rivals who fail."""
    rivals = len(result.scores) - 1
    lost = sum(not points for other, points in enumerate(result.scores) if other != seat)
    tests = (seat not in result.facts["beheaded"]) + (seat not in result.facts["without_patron"])
    return 0.7 * (seat in result.winners) + 0.05 * tests + 0.2 * lost / rivals
