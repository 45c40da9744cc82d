"""Royal Menagerie with printed cards: set-up, turns, score sheet, and the score pad on paper."""

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
    ScoreSheet,
    SheetNow,
    SheetWarning,
    State,
    Tap,
    TurnAct,
    TurnButton,
    TurnDisplay,
    choose_agreed,
)
from cardgames.engine.randomness import shuffle_list
from cardgames.games.menagerie import card_drawings
from cardgames.games.menagerie.deck_definition import (
    ANIMALS,
    ROLE_FACES,
    ROLES,
    SEATS,
    STARTING_ANIMALS,
    STARTING_HAND,
    VIZIER,
)
from cardgames.games.menagerie.scoring import (
    CONSPIRATORS,
    MAX_PEN,
    NOBODY,
    animal_points,
    is_stampede,
    outcome_text,
    parse_counts,
    result,
)
from refusal import Refusal

STAMPEDE = "All six types are here: a stampede removes one of each. Correct the counts."
NO_END_STAGE = "Hands run empty only in the end-stage of Royal Menagerie."


def score_sheet(
    counts: Sequence[Mapping[str, int]], deck: Deck, roles: Sequence[str] | None = None, sum_tie: str = CONSPIRATORS
) -> ScoreSheet:
    """Live totals from the entered counts; with the roles, also who won. Warnings name what cannot be."""
    if len(counts) != SEATS:
        raise Refusal("The score sheet is for four players.")
    checked = [parse_counts(each) for each in counts]
    played = result(checked, roles or ROLES, deck, sum_tie)
    stampedes = [seat for seat, each in enumerate(checked) if is_stampede(each)]
    warnings = [SheetWarning(STAMPEDE, seat) for seat in stampedes]
    for kind, animal in enumerate(ANIMALS):
        row, entered = deck.row(animal), sum(each[kind] for each in checked)
        if entered > row.copies:
            text = f"{entered} of {row.values['name']} entered, but the deck has only {row.copies}."
            warnings.append(SheetWarning(text))
    options = {"sum_tie": sum_tie}
    if roles is None or stampedes:
        # Without roles there is a total but no winner yet; an impossible menagerie wins nothing.
        return ScoreSheet(played.scores, played.lines, options, tuple(warnings))
    return ScoreSheet.of(played, outcome_text(played), options, tuple(warnings))


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
        if not 0 <= tap.seat < SEATS:
            raise Refusal("There are four seats at this table.")
        state["vizier"] = tap.seat
        return (tap.seat + 1) % SEATS

    def next_seat(self, state: State, deck: Deck) -> int | None:
        """Clockwise; in the end-stage players without cards are skipped."""
        clockwise = [(state["active"] + step) % SEATS for step in range(1, SEATS + 1)]
        return next((seat for seat in clockwise if seat not in state["out"]), None)

    def leader(self, state: Mapping[str, Any]) -> int | None:
        return state.get("vizier")

    def turn(self, now: SheetNow) -> TurnDisplay:
        state, name = now.state, now.names[now.state["active"]]
        if state["ends"]:
            return TurnDisplay(f"{name} plays a card.", ("Play a card.",), "End-stage: nobody draws. Mark empty hands.")
        count = 2 if state["active"] == state["vizier"] else 1
        cards = "a card" if count == 1 else f"{count} cards"
        steps = (f"Draw {cards}.", f"Play {cards}.")
        return TurnDisplay(f"{name}: draw {count}, play {count}.", steps, "An animal is a gift to another player.")

    def turn_buttons(self, state: Mapping[str, Any]) -> Sequence[TurnButton]:
        return () if state["ends"] else (TurnButton("ends", "Mark the deck as empty"),)

    def deal(self, seats: int, rng: Rng) -> Deal:
        return Deal(tuple((role,) for role in shuffle_list(rng, ROLES)))

    def begin_dealt(self, state: State, deal: Deal) -> None:
        vizier = deal.hands.index((VIZIER,))
        begins = (vizier + 1) % SEATS
        state |= {"vizier": vizier, "start": begins, "active": begins, "turn": 1, "ends": False, "out": []}

    def figures(self, deck: Deck) -> Sequence[Figure]:
        return [Figure(key, str(deck.row(key).values["name"]), MAX_PEN, *card_drawings.ANIMALS[key]) for key in ANIMALS]

    def roles(self, deck: Deck) -> Sequence[Face]:
        return ROLE_FACES

    def score(self, now: SheetNow) -> ScoreSheet:
        roles = now.roles if all(now.roles) else None
        return score_sheet(now.figures, now.deck, roles, now.options["sum_tie"])

    def score_sent(self, sent: Mapping[str, Any], deck: Deck) -> ScoreSheet:
        agreed = choose_agreed(sent, CONSPIRATORS, NOBODY)
        return score_sheet(sent["counts"], deck, sent.get("roles"), agreed)

    def why_no_winner(self, now: SheetNow, result: ScoreSheet) -> str:
        if any(isinstance(warning, SheetWarning) and warning.text == STAMPEDE for warning in result.warnings):
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
        worth = ", ".join(f"{count}: {animal_points(count, factor)}" for count in range(1, MAX_PEN + 1))
        rows.append((str(values["name"]), worth))
    return ScorePad(tuple(rows), ("animals", "points"), "worth", "points by number of a type")
