"""Moods of the Mad King with printed cards: the secret deal on phones, the draws left, and the result sheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cardgames.engine import Deck, Rng, ScoreLine
from cardgames.engine.printed_game import Deal
from cardgames.engine.randomness import shuffle_list
from cardgames.engine.score_sheet import ScoreSheet, SheetWarning
from cardgames.games.moods.deck_definition import (
    FEWEST_SEATS,
    GENRES,
    MAX_ACTS,
    MAX_SEATS,
    MOODS,
    MOODS_DEALT,
    MUSES,
    PLAYS,
    actions_dealt,
    faces_of,
)
from cardgames.games.moods.scoring import OUTCOMES, result
from refusal import Refusal


def deal_secrets(seats: int, rng: Rng) -> Deal:
    """D11 to D13: a Muse and one or two Moods each, and the King's Mood. What is left over nobody sees."""
    _check_seats(seats)
    muses, moods = shuffle_list(rng, MUSES), shuffle_list(rng, MOODS)
    king, each = moods.pop(), MOODS_DEALT[seats]
    hands = tuple((muses[seat], *moods[seat * each : (seat + 1) * each]) for seat in range(seats))
    return Deal(hands, (king,))


def set_up(deck: Deck, seats: int) -> list[str]:
    """What to do before the first turn, in order."""
    _check_seats(seats)
    moods = "two Moods" if MOODS_DEALT[seats] == 2 else "a Mood"
    spare = len(MOODS) - 1 - seats * MOODS_DEALT[seats]
    return [
        f"Deal {actions_dealt(deck, seats)} shuffled action cards to each player. The rest go into the box, unseen.",
        "Deal one Muse to each player, face down. The others go into the box, unseen.",
        "Put one Mood face down in the middle: the King's Mood.",
        f"Deal {moods} to each player." + (" Put the last Mood aside, unseen." if spare else ""),
        f"Shuffle the {deck.count(('play',))} play cards and lay them on the show card.",
        "Whoever saw a play last begins. Play goes clockwise.",
    ]


def cards_left(deck: Deck, turns_begun: int, changed: int = 0) -> int:
    """Play cards still in the deck: each turn draws one, and action cards may add or take some (DR-20)."""
    return max(0, deck.count(("play",)) + changed - turns_begun)


def score_sheet(
    plays: Sequence[Mapping[str, int]],
    deck: Deck,
    king: str = "",
    muses: Sequence[str] = (),
    two_cards_when_same: bool = False,
) -> ScoreSheet:
    """Who keeps head and patron, from the genres of each play; without King's Mood and Muses nobody has won yet."""
    _check_seats(len(plays))
    counted = [_count(play) for play in plays]
    warnings: list[SheetWarning | str] = [
        SheetWarning(f"A play has at most {MAX_ACTS} cards.", seat)
        for seat, play in enumerate(counted)
        if sum(play) > MAX_ACTS
    ]
    for number, genre in enumerate(GENRES):
        found, copies = sum(play[number] for play in counted), deck.row(PLAYS[number]).copies
        if found > copies:
            warnings.append(f"{found} of {genre} entered, but the deck has only {copies}.")
    if len(set(muses) - {""}) < len([muse for muse in muses if muse]):
        warnings.append("Every Muse exists once. Correct the Muses.")
    options = {"two_cards_when_same": two_cards_when_same}
    is_known = king in MOODS and len(muses) == len(plays) and all(muse in MUSES for muse in muses)
    if not is_known or warnings:
        empty: tuple[ScoreLine, ...] = ()
        return ScoreSheet((0,) * len(plays), (empty,) * len(plays), options, tuple(warnings))
    acts = [[number for number, count in enumerate(play) for _ in range(count)] for play in counted]
    name = next(face.name for face in faces_of(deck) if face.id == king)
    played = result(acts, MOODS.index(king), [MUSES.index(muse) for muse in muses], name, two_cards_when_same)
    return ScoreSheet.of(played, OUTCOMES[played.outcome], options, ())


def _count(play: Mapping[str, int]) -> tuple[int, ...]:
    for genre, count in play.items():
        if genre not in GENRES:
            raise Refusal(f"“{genre}” is not a genre. Choose from: {', '.join(GENRES)}.", field="counts")
        if type(count) is not int or not 0 <= count <= 99:
            raise Refusal("Enter whole numbers from 0 to 99.", field="counts")
    return tuple(play.get(genre, 0) for genre in GENRES)


def _check_seats(seats: int) -> None:
    if type(seats) is not int or not FEWEST_SEATS <= seats <= MAX_SEATS:
        raise Refusal("Moods of the Mad King is for 2 to 4 players.", field="seats")
