"""Of Mice and Monarchs with printed cards: set-up, turns, score sheet, and the score pad on paper."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cardgames.engine import Deck
from cardgames.engine.printed_game import (
    MARK_DECK_EMPTY,
    Companion,
    Figure,
    FigurePart,
    ScorePad,
    ScoreSheet,
    SheetNow,
    State,
    TurnAct,
    TurnButton,
    TurnDisplay,
    choose_agreed,
)
from cardgames.games.monarchs import card_drawings
from cardgames.games.monarchs.deck_definition import BRISK, COLOURS, COLUMNS, HAND, SPOTS, faces_by_id, letters
from cardgames.games.monarchs.rules import FREE_FACES
from cardgames.games.monarchs.scoring import OUTCOMES, Colour, check_counts, result
from refusal import Refusal

TURN_STEPS = (
    "Lay all five hand cards open and add up their influence.",
    "Buy and Move and Cover in any order. The back row costs two more.",
    "Nothing bought? Turn up the court deck's top card: buy it, or lay it on a card of the front row.",
    "Put the five cards and all purchases on your discard pile.",
    "Slide stacks forward into empty front spots. Fill the empty spots from the court deck.",
    "Draw five. With fewer than five in the draw deck, first shuffle the discards and lay them beneath it.",
)


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
    faces = faces_by_id(deck)
    rows = deck.group("court")
    for colour in dict.fromkeys(str(row.values["colour"]) for row in rows):
        cards = sum(row.copies for row in rows if row.values["colour"] == colour)
        crowns = sum(row.copies * faces[row.id].crowns for row in rows if row.values["colour"] == colour)
        entered_cards, entered_crowns = (sum(each.get(colour, (0, 0))[part] for each in entered) for part in (0, 1))
        if entered_cards > cards or entered_crowns > crowns:
            out.append(
                f"{colour.capitalize()}: {entered_cards} cards and {entered_crowns} crowns are entered; "
                f"this deck has {cards} cards and {crowns} crowns."
            )
    return out


NO_DICE = "Only a solo game of Of Mice and Monarchs uses dice."


def _use_dice(state: State, dice: Sequence[int]) -> None:
    if state["seats"] != 1:
        raise Refusal(NO_DICE)
    if len(dice) != 2:
        raise Refusal("Enter both dice, the white and the black one.")
    dice_spots(*dice)
    state["dice"] = list(dice)


class MonarchsCompanion(Companion):
    counting_help = (
        "Put your hand, draw deck and discards together and sort them by colour. Grey cards do not count. "
        "Then count the cards and crowns of each colour, including crowns after a slash."
    )
    counts_help = "[cards, crowns] by colour"
    agreed = frozenset({"tiebreak", "family_scoring"})
    shorter = "brisk_court"
    shorter_label = "Brisk court, a shorter game"
    shows_steps = True
    parts = (
        FigurePart("cards", "cards", "cards"),
        FigurePart("crowns", "crowns", "crowns"),
        FigurePart("left", "crowns left", "crowns left after two discards", "family_scoring"),
    )
    acts = {
        "ends": MARK_DECK_EMPTY,
        "roll": TurnAct(
            lambda state, tap: _use_dice(state, [tap.rng.below(6) + 1 for _ in range(2)]), elsewhere=NO_DICE
        ),
        "fell": TurnAct(lambda state, tap: _use_dice(state, tap.dice), elsewhere=NO_DICE),
    }

    def set_up(self, deck: Deck, seats: int, options: Mapping[str, Any]) -> list[str]:
        names = letters(deck)
        if not 1 <= seats <= len(names):
            raise Refusal(f"There are starting cards for 1 to {len(names)} players.", field="seats")
        each = deck.count(("starting",))
        used = ", ".join(names[:seats])
        steps = [
            f"Each player takes the {each} starting cards of one letter: {used}. "
            "The other letters go back into the box."
        ]
        if options.get("brisk_court", False):
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

    def set_up_counts(self, deck: Deck, seats: int) -> list[tuple[int, str]]:
        return [
            (deck.count(("starting",)) * seats, "starting cards"),
            (deck.count(("court",)), "court cards"),
            (len(SPOTS), "of them face up"),
            (HAND, "cards in each hand"),
        ]

    def next_seat(self, state: State, deck: Deck) -> int | None:
        if state["ends"] and state["active"] == last_seat(state["start"], state["seats"]):
            return None
        return super().next_seat(state, deck)

    def turn(self, now: SheetNow) -> TurnDisplay:
        state, name = now.state, now.names[now.state["active"]]
        steps = TURN_STEPS
        if not state["ends"]:
            return TurnDisplay(f"It is {name}'s turn.", steps)
        left = turns_left(state["start"], state["seats"], state["active"])
        if not left:
            return TurnDisplay(f"{name} takes the last turn of the game.", steps, "The court deck is empty.")
        last = now.names[last_seat(state["start"], state["seats"])]
        turns = "one turn" if left == 1 else f"{left} turns"
        more = f"The court deck is empty. After this, {turns} left; {last} is last."
        return TurnDisplay(f"It is {name}'s turn.", steps, more)

    def turn_buttons(self, state: Mapping[str, Any]) -> Sequence[TurnButton]:
        roll = (TurnButton("roll", "Roll both dice", "c-die"),) if state["seats"] == 1 else ()
        ends = () if state["ends"] else (TurnButton("ends", "Mark the court deck as empty"),)
        return (*roll, *ends)

    def own_values(self, now: SheetNow) -> Mapping[str, object]:
        """Solo games: what each die does."""
        dice = now.state.get("dice") or ()
        sentences = []
        for row in dice_spots(*dice) if len(dice) == 2 else ():
            colour = "White" if row.row == "front" else "Black"
            card = f"the card on spot {row.die} from the left" if row.spot else "a card of your choice"
            sentences.append(f"{colour} {row.die}: in the {row.row} row, remove {card}.")
        return {"dice": sentences}

    def figures(self, deck: Deck) -> Sequence[Figure]:
        looks = card_drawings.COLOURS
        return [
            Figure(colour, colour.capitalize(), tincture=looks[colour][0], shape=looks[colour][1]) for colour in COLOURS
        ]

    def score(self, now: SheetNow) -> ScoreSheet:
        counts = [{colour: (pair[0], pair[1]) for colour, pair in each.items()} for each in now.figures]
        left = None
        if now.options["family_scoring"]:
            left = [{colour: pair[2] for colour, pair in each.items()} for each in now.figures]
        return score_sheet(counts, now.deck, now.options["tiebreak"], left)

    def score_sent(self, sent: Mapping[str, Any], deck: Deck) -> ScoreSheet:
        counts = [{colour: _pair(colour, sent) for colour, sent in each.items()} for each in sent["counts"]]
        agreed = choose_agreed(sent, "share", "crowns", "cards")
        return score_sheet(counts, deck, agreed, sent.get("left"))


def _pair(colour: str, sent: Any) -> tuple[Any, Any]:
    if not isinstance(sent, list) or len(sent) != 2:
        raise Refusal(f"{colour.capitalize()} needs two whole numbers: cards and crowns.", field="counts")
    return sent[0], sent[1]


def score_pad(deck: Deck) -> ScorePad:
    rows = tuple((colour.capitalize(), card_drawings.COLOURS[colour][1]) for colour in COLOURS)
    return ScorePad(rows, ("cards", "crowns", "points"), "shape", "cards times crowns")
