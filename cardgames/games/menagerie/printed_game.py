"""What the site shows beside printed cards of Royal Menagerie, and the score pad on paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cardgames.engine import Deck, Rng
from cardgames.engine.cards import Face
from cardgames.engine.printed_game import (
    MARK_DECK_EMPTY,
    Companion,
    Deal,
    Figure,
    HiddenCards,
    ScorePad,
    SheetNow,
    State,
    Tap,
    TurnAct,
    TurnButton,
    TurnDisplay,
    choose_agreed,
)
from cardgames.engine.score_sheet import ScoreSheet, SheetWarning
from cardgames.games.menagerie import card_drawings, companion
from cardgames.games.menagerie.deck_definition import ANIMALS, ROLE_FACES, STARTING_ANIMALS, STARTING_HAND, VIZIER
from cardgames.games.menagerie.scoring import CONSPIRATORS, LIMIT, NOBODY, animal_points
from refusal import Refusal

NO_END_STAGE = "Hands run empty only in the end-stage of Royal Menagerie."


def _mark_hand_empty(state: State, tap: Tap) -> None:
    if not state["ends"] or tap.seat is None:
        raise Refusal(NO_END_STAGE)
    state["out"] = sorted({*state["out"], tap.seat})
    if len(state["out"]) == state["seats"]:
        state["over"] = True


class MenagerieCompanion(Companion):
    counting_help = "Enter how many animals of each type each player has. The points are added up for you."
    counts_help = "animals by type"
    opening = "Who is the Grand Vizier?"
    opening_hint = (
        "The seat to the left of the Vizier starts. Deal the roles on phones below, or choose who has the Vizier card."
    )
    leader_label = "Grand Vizier"
    starts_by_chance = False
    hidden = HiddenCards()
    open_cards = frozenset({VIZIER})
    agreed = frozenset({"sum_tie"})
    acts = {"ends": MARK_DECK_EMPTY, "out": TurnAct(_mark_hand_empty, elsewhere=NO_END_STAGE)}

    def set_up(self, deck: Deck, seats: int, options: Mapping[str, Any]) -> list[str]:
        return companion.set_up(deck)

    def set_up_counts(self, deck: Deck, seats: int) -> list[tuple[int, str]]:
        return [
            (deck.count(("animals", "actions")), "cards in the play deck"),
            (seats, "role cards"),
            (STARTING_ANIMALS, "animals per player"),
            (STARTING_HAND, "cards in each hand"),
        ]

    def first_seat(self, state: State, tap: Tap) -> int:
        if tap.seat is None:
            raise Refusal("Choose the Grand Vizier.", field="seat")
        state["vizier"] = tap.seat
        return companion.starter(tap.seat)

    def next_seat(self, state: State, deck: Deck) -> int | None:
        return companion.next_seat(state["active"], state["out"])

    def leader(self, state: Mapping[str, Any]) -> int | None:
        return state.get("vizier")

    def turn(self, now: SheetNow) -> TurnDisplay:
        state, name = now.state, now.names[now.state["active"]]
        turn = companion.turn(state["active"], state["vizier"], state["ends"])
        cards = "a card" if turn.play == 1 else f"{turn.play} cards"
        if not turn.draw:
            steps: tuple[str, ...] = (f"Play {cards}.",)
            return TurnDisplay(f"{name} plays {cards}.", steps, "End-stage: nobody draws. Mark empty hands.")
        steps = (f"Draw {cards}.", f"Play {cards}.")
        return TurnDisplay(
            f"{name}: draw {turn.draw}, play {turn.play}.", steps, "An animal is a gift to another player."
        )

    def turn_buttons(self, state: Mapping[str, Any]) -> Sequence[TurnButton]:
        return () if state["ends"] else (TurnButton("ends", "Mark the deck as empty"),)

    def deal(self, seats: int, rng: Rng) -> Deal:
        return Deal(tuple((role,) for role in companion.deal_roles(rng)))

    def begin_dealt(self, state: State, deal: Deal) -> None:
        vizier = deal.hands.index((VIZIER,))
        begins = companion.starter(vizier)
        state |= {"vizier": vizier, "start": begins, "active": begins, "turn": 1, "ends": False, "out": []}

    def figures(self, deck: Deck) -> Sequence[Figure]:
        return [Figure(key, str(deck.row(key).values["name"]), LIMIT, *card_drawings.ANIMALS[key]) for key in ANIMALS]

    def roles(self, deck: Deck) -> Sequence[Face]:
        return ROLE_FACES

    def score(self, now: SheetNow) -> ScoreSheet:
        roles = now.roles if all(now.roles) else None
        return companion.score_sheet(now.figures, now.deck, roles, now.options["sum_tie"])

    def score_sent(self, sent: Mapping[str, Any], deck: Deck) -> ScoreSheet:
        agreed = choose_agreed(sent, CONSPIRATORS, NOBODY)
        return companion.score_sheet(sent["counts"], deck, sent.get("roles"), agreed)

    def why_no_winner(self, now: SheetNow, result: ScoreSheet) -> str:
        if any(isinstance(warning, SheetWarning) and warning.text == companion.STAMPEDE for warning in result.warnings):
            return "Correct the menagerie with all six types to see who has won."
        if now.state.get("dealt"):
            return super().why_no_winner(now, result)
        return "Enter the four roles to see who has won."


def score_pad(deck: Deck) -> ScorePad:
    """Points for one, two and three of each animal."""
    rows = []
    for key in ANIMALS:
        values = deck.row(key).values
        factor = int(str(values["factor"]))
        worth = ", ".join(f"{count}: {animal_points(count, factor)}" for count in range(1, LIMIT + 1))
        rows.append((str(values["name"]), worth))
    return ScorePad(tuple(rows), ("animals", "points"), "worth", "points by number of a type")
