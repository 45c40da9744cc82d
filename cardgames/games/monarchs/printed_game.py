"""What the site shows beside printed cards of Of Mice and Monarchs, and the score pad on paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cardgames.engine import Deck
from cardgames.engine.printed_game import (
    MARK_DECK_EMPTY,
    Companion,
    Figure,
    FigurePart,
    ScorePad,
    SheetNow,
    State,
    Tap,
    TurnAct,
    TurnButton,
    TurnDisplay,
    choose_agreed,
)
from cardgames.engine.score_sheet import ScoreSheet
from cardgames.games.monarchs import card_drawings, companion
from cardgames.games.monarchs.deck_definition import COLOURS, HAND, SPOTS
from refusal import Refusal

NO_DICE = "Only a solo game of Of Mice and Monarchs uses dice."


def _roll_dice(state: State, tap: Tap) -> None:
    _use_dice(state, (tap.rng.below(6) + 1, tap.rng.below(6) + 1))


def _enter_dice(state: State, tap: Tap) -> None:
    _use_dice(state, tap.dice)


def _use_dice(state: State, dice: Sequence[int]) -> None:
    if state["seats"] != 1:
        raise Refusal(NO_DICE)
    if len(dice) != 2:
        raise Refusal("Enter both dice, the white and the black one.")
    companion.dice_spots(*dice)
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
        "roll": TurnAct(_roll_dice, elsewhere=NO_DICE),
        "fell": TurnAct(_enter_dice, elsewhere=NO_DICE),
    }

    def set_up(self, deck: Deck, seats: int, options: Mapping[str, Any]) -> list[str]:
        return companion.set_up(seats, deck, options.get("brisk_court", False))

    def set_up_counts(self, deck: Deck, seats: int) -> list[tuple[int, str]]:
        return [
            (deck.count(("starting",)) * seats, "starting cards"),
            (deck.count(("court",)), "court cards"),
            (len(SPOTS), "of them face up"),
            (HAND, "cards in each hand"),
        ]

    def next_seat(self, state: State, deck: Deck) -> int | None:
        if state["ends"] and state["active"] == companion.last_seat(state["start"], state["seats"]):
            return None
        return super().next_seat(state, deck)

    def turn(self, now: SheetNow) -> TurnDisplay:
        state, name = now.state, now.names[now.state["active"]]
        steps = tuple(text for _, text in companion.TURN_STEPS)
        if not state["ends"]:
            return TurnDisplay(f"It is {name}'s turn.", steps)
        left = companion.turns_left(state["start"], state["seats"], state["active"])
        if not left:
            return TurnDisplay(f"{name} takes the last turn of the game.", steps, "The court deck is empty.")
        last = now.names[companion.last_seat(state["start"], state["seats"])]
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
        for row in companion.dice_spots(*dice) if len(dice) == 2 else ():
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
        return companion.score_sheet(counts, now.deck, now.options["tiebreak"], left)

    def score_sent(self, sent: Mapping[str, Any], deck: Deck) -> ScoreSheet:
        counts = [{colour: _pair(colour, sent) for colour, sent in each.items()} for each in sent["counts"]]
        agreed = choose_agreed(sent, "share", "crowns", "cards")
        return companion.score_sheet(counts, deck, agreed, sent.get("left"))


def _pair(colour: str, sent: Any) -> tuple[Any, Any]:
    if not isinstance(sent, list) or len(sent) != 2:
        raise Refusal(f"{colour.capitalize()} needs two whole numbers: cards and crowns.", field="counts")
    return sent[0], sent[1]


def score_pad(deck: Deck) -> ScorePad:
    rows = tuple((colour.capitalize(), card_drawings.COLOURS[colour][1]) for colour in COLOURS)
    return ScorePad(rows, ("cards", "crowns", "points"), "shape", "cards times crowns")
