"""Of Mice and Monarchs with printed cards: set-up, steps of a turn, last turn, solo dice and score sheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cardgames.engine import Deck
from cardgames.engine.score_sheet import ScoreSheet
from cardgames.games.monarchs.deck_definition import BRISK, COLUMNS, HAND, SPOTS, faces_of, letters
from cardgames.games.monarchs.rules import FREE_FACES
from cardgames.games.monarchs.scoring import OUTCOMES, Colour, check_counts, result
from refusal import Refusal

TURN_STEPS = (
    ("lay", "Lay all five hand cards open and add up their influence."),
    ("court", "Buy and Move and Cover in any order. The back row costs two more."),
    ("reveal", "Nothing bought? Turn up the court deck's top card: buy it, or lay it on a card of the front row."),
    ("discard", "Put the five cards and all purchases on your discard pile."),
    ("fill", "Slide stacks forward into empty front spots. Fill the empty spots from the court deck."),
    ("draw", "Draw five. With fewer than five in the draw deck, first shuffle the discards and lay them beneath it."),
)


def set_up(seats: int, deck: Deck, brisk: bool = False) -> list[str]:
    """What to do before the first turn, in order."""
    names = letters(deck)
    if not 1 <= seats <= len(names):
        raise Refusal(f"There are starting cards for 1 to {len(names)} players.", field="seats")
    each = deck.count(("starting",))
    used = ", ".join(names[:seats])
    steps = [
        f"Each player takes the {each} starting cards of one letter: {used}. The other letters go back into the box."
    ]
    if brisk:
        steps.append(f"Brisk court: take {BRISK} cards of each colour out at random, unseen.")
    steps += [
        f"Shuffle the court cards and lay {len(SPOTS)} open in two rows of {COLUMNS}. The rest is the court deck.",
        f"Each player shuffles the starting cards and draws {HAND}.",
    ]
    if seats == 1:
        steps.append("Get a white and a black die ready. White is for the front row, black for the back row.")
    else:
        steps.append("Pick a start player at random and mark the seat. Play goes clockwise.")
    return steps


def last_seat(start: int, seats: int) -> int:
    """Who takes the last turn once the court deck is empty: the seat just before the start player."""
    if not 0 <= start < seats:
        raise Refusal("The start player must sit at the table.")
    return (start - 1) % seats


def turns_left(start: int, seats: int, active: int) -> int:
    """How many turns are still to come when the court deck runs out in this seat's turn."""
    return (last_seat(start, seats) - active) % seats


@dataclass(frozen=True, slots=True)
class DieSpot:
    """What a die removes: the card on ``spot``, or a card of the player's choice if there is none."""

    row: str
    die: int
    spot: str | None


def dice_spots(white: int, black: int) -> list[DieSpot]:
    """Solo: which spot each die takes its card from, counted from the left, or that the player may choose."""
    out = []
    for row, die, offset in (("front", white, 0), ("back", black, COLUMNS)):
        if type(die) is not int or not 1 <= die <= 6:
            raise Refusal("A die shows 1 to 6.", field=row)
        out.append(DieSpot(row, die, None if die in FREE_FACES else SPOTS[offset + die - 1]))
    return out


def score_sheet(
    counts: Sequence[Mapping[str, Colour]],
    deck: Deck,
    tiebreak: str = "share",
    left: Sequence[Mapping[str, int]] | None = None,
) -> ScoreSheet:
    """Live totals from cards and crowns per colour; for family scoring also the crowns left after the two discards."""
    if not counts:
        raise Refusal("The score sheet needs at least one player.")
    entered = [check_counts(each) for each in counts]
    if left is not None:
        _check_left(entered, left)
    played = result(entered, tiebreak, left)
    options = {"tiebreak": tiebreak, "family_scoring": left is not None}
    return ScoreSheet.of(played, OUTCOMES[played.outcome], options, tuple(_warnings(entered, deck)))


def _check_left(entered: Sequence[Mapping[str, Colour]], left: Sequence[Mapping[str, int]]) -> None:
    if len(left) != len(entered):
        raise Refusal("Each player needs the crowns that are left.")
    for counts, crowns_left in zip(entered, left, strict=True):
        for colour, crowns in crowns_left.items():
            cards, had = counts.get(colour, (0, 0))
            if type(crowns) is not int or not 0 <= crowns <= had:
                raise Refusal(f"{colour.capitalize()} cannot have more crowns left than before.", field=colour)
            if crowns and cards <= 2:
                raise Refusal(f"With two {colour} cards or fewer, all of them go.", field=colour)


def _warnings(entered: Sequence[Mapping[str, Colour]], deck: Deck) -> list[str]:
    """What the deck in use cannot hold; a printed deck may, so this is only a warning."""
    out = []
    faces = {face.id: face for face in faces_of(deck)}
    rows = deck.group("court")
    for colour in dict.fromkeys(str(row.values["colour"]) for row in rows):
        cards = sum(row.copies for row in rows if row.values["colour"] == colour)
        crowns = sum(row.copies * faces[row.id].crowns for row in rows if row.values["colour"] == colour)
        found = [sum(each.get(colour, (0, 0))[part] for each in entered) for part in (0, 1)]
        if found[0] > cards or found[1] > crowns:
            out.append(
                f"{colour.capitalize()}: {found[0]} cards and {found[1]} crowns are entered; "
                f"this deck has {cards} cards and {crowns} crowns."
            )
    return out
