"""Royal Menagerie with printed cards: dealing roles, whose turn it is, and the score sheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cardgames.engine import Deck, Rng
from cardgames.engine.randomness import shuffle_list
from cardgames.engine.score_sheet import ScoreSheet, SheetWarning
from cardgames.games.menagerie.deck_definition import ANIMALS, ROLES, SEATS, STARTING_ANIMALS, STARTING_HAND
from cardgames.games.menagerie.scoring import CONSPIRATORS, is_stampede, outcome_text, parse_counts, result
from refusal import Refusal

STAMPEDE = "All six types are here: a stampede removes one of each. Correct the counts."


def deal_roles(rng: Rng) -> list[str]:
    """A hidden role for each seat; only the Grand Vizier's is shown to all."""
    return shuffle_list(rng, ROLES)


def starter(vizier: int) -> int:
    """The seat to the left of the Vizier begins."""
    return (_seat(vizier) + 1) % SEATS


def set_up(deck: Deck) -> list[str]:
    """What to do before the first turn, in order."""
    animals, actions = deck.count(("animals",)), deck.count(("actions",))
    return [
        "Give each of the four players a mat.",
        "Deal one role card face down to each. The Grand Vizier turns it up; the others keep theirs hidden.",
        f"Shuffle the play deck of {animals + actions} cards, {animals} animals and {actions} actions.",
        f"Turn cards up until each player has {STARTING_ANIMALS} animals in the menagerie. Set actions aside.",
        "Shuffle the actions that were set aside back into the deck.",
        f"Deal {STARTING_HAND} cards to each hand, face down.",
        "The player to the left of the Vizier begins. Play goes clockwise.",
    ]


@dataclass(frozen=True, slots=True)
class Turn:
    """What a seat does in its turn."""

    seat: int
    draw: int
    play: int


def turn(seat: int, vizier: int, end_stage: bool = False) -> Turn:
    if end_stage:
        return Turn(_seat(seat), 0, 1)
    count = 2 if _seat(seat) == _seat(vizier) else 1
    return Turn(seat, count, count)


def next_seat(seat: int, empty_handed: Sequence[int] = ()) -> int | None:
    """Who is next, clockwise, skipping players without cards in the end-stage; None when the game is over."""
    for step in range(1, SEATS + 1):
        other = (_seat(seat) + step) % SEATS
        if other not in empty_handed:
            return other
    return None


def score_sheet(
    counts: Sequence[Mapping[str, int]],
    deck: Deck,
    roles: Sequence[str] | None = None,
    sum_tie: str = CONSPIRATORS,
) -> ScoreSheet:
    """Live totals from the entered counts; with the roles, also who won. Warnings name what cannot be."""
    if len(counts) != SEATS:
        raise Refusal("The score sheet is for four players.")
    checked = [parse_counts(each) for each in counts]
    played = result(checked, roles or ROLES, deck, sum_tie)
    warnings = []
    stampedes = [seat for seat, each in enumerate(checked) if is_stampede(each)]
    for seat in stampedes:
        warnings.append(SheetWarning(STAMPEDE, seat))
    for kind, animal in enumerate(ANIMALS):
        row, found = deck.row(animal), sum(each[kind] for each in checked)
        if found > row.copies:
            text = f"{found} of {row.values['name']} entered, but the deck has only {row.copies}."
            warnings.append(SheetWarning(text))
    options = {"sum_tie": sum_tie}
    if roles is None or stampedes:
        # Without roles there is a total but no winner yet; an impossible menagerie wins nothing.
        return ScoreSheet(played.scores, played.lines, options, tuple(warnings))
    return ScoreSheet.of(played, outcome_text(played), options, tuple(warnings))


def _seat(seat: int) -> int:
    if type(seat) is not int or not 0 <= seat < SEATS:
        raise Refusal("There are four seats at this table.")
    return seat
