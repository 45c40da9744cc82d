"""The faces of Of Mice and Monarchs, and what a deck for it must hold."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from cardgames.engine import CardGroup, Deck, DeckSchema, DeckTotal, Face, ValueKind
from cardgames.engine.deck_data import COPIES, NAME, CardRow

COLOURS = ("purple", "yellow", "green", "blue", "red", "orange")
GRAY = "gray"
SPOTS = ("front-1", "front-2", "front-3", "front-4", "back-1", "back-2", "back-3", "back-4")
COLUMNS = 4
HAND = 5
MAX_COST = 15
# How many cards of each colour the brisk court leaves out.
BRISK = 3
# Shown to a player who continues at court after the deck's top card was turned up.
TURNED_UP = "turned-up"
STARTING = ("peasant-plus", "peasant-zero")

_TEXT = ValueKind("text", "Text", "text", 0, 200)


class Mouse(Face):
    """A card with its figures at hand. A slash card shows its crown behind a slash: it counts in scoring only."""

    __slots__ = ("colour", "cost", "crowns", "influence", "moves")

    def __init__(self, row: CardRow, index: int) -> None:
        values = row.values
        super().__init__(row.id, row.group, index, str(values["name"]), str(values["text"]), values)
        self.colour = str(values.get("colour", GRAY))
        self.cost = row.number("cost")
        self.influence = row.number("influence")
        self.moves = row.number("moves")
        self.crowns = row.number("crowns")


def _court(deck: Deck) -> list[str]:
    if deck.count(("court",)) < len(SPOTS):
        return [f"The court needs at least {len(SPOTS)} cards, one for each spot."]
    if deck.count(("starting",)) < HAND:
        return [f"The starting cards must fill a hand of {HAND}."]
    return []


def _short(deck: Deck) -> list[str]:
    out = []
    if deck.count(("court",)) == len(SPOTS):
        out.append("The court deck is empty from the start, so the game lasts one round.")
    if not any(row.values["crowns"] for row in deck.group("court")):
        out.append("No court card has a crown, so nobody can score.")
    missing = [colour for colour in COLOURS if not any(row.values["colour"] == colour for row in deck.group("court"))]
    if missing:
        out.append(f"The rules name six colours; this court has none of {', '.join(missing)}.")
    return out


def brisk_court_size(deck: Deck) -> int:
    """How many court cards are left when three of each colour go back into the box."""
    by_colour = [sum(row.copies for row in deck.group("court") if row.values["colour"] == colour) for colour in COLOURS]
    return sum(max(0, count - BRISK) for count in by_colour)


def cautions(deck: Deck, seats: int, options: Mapping[str, Any]) -> list[str]:
    """What the table should know before it plays this deck with these options."""
    if not options.get("brisk_court"):
        return []
    left = brisk_court_size(deck)
    if left == 0:
        return ["With this deck, Brisk court leaves no court card: nobody can buy anything, and everybody scores 0."]
    if left <= len(SPOTS):
        return [f"With this deck, Brisk court leaves only {left} court cards, so the game lasts one round."]
    return []


SCHEMA = DeckSchema(
    game="monarchs",
    groups=(
        # The rules name the letters A, B and so on without an end: a row more seats one more.
        CardGroup("letters", "Seat letters", (NAME,)),
        CardGroup(
            "starting",
            "Starting cards of each player",
            (
                NAME,
                _TEXT,
                ValueKind("influence", "Influence", "number", 0, 5),
                COPIES,
            ),
            STARTING,
        ),
        CardGroup(
            "court",
            "Court cards",
            (
                NAME,
                _TEXT,
                ValueKind("role", "Role", "text", 0, 30),
                ValueKind("colour", "Colour", "pick", picks=COLOURS),
                ValueKind("cost", "Cost", "number", 0, MAX_COST),
                ValueKind("influence", "Influence", "number", 0, 9),
                ValueKind("moves", "Move and Cover", "number", 0, 5),
                ValueKind("crowns", "Crowns", "number", 0, 5),
                ValueKind("slash", "Crown behind a slash", "flag"),
                COPIES,
            ),
        ),
    ),
    totals=(DeckTotal(("starting",), "starting cards for each player", 10),),
    checks=(_court,),
    doubts=(_short,),
)


def letters(deck: Deck) -> tuple[str, ...]:
    return tuple(row.id for row in deck.group("letters"))


@lru_cache(maxsize=64)
def faces_of(deck: Deck) -> tuple[Mouse, ...]:
    rows = [row for row in deck.rows if row.group != "letters"]
    return tuple(Mouse(row, index) for index, row in enumerate(rows))


@lru_cache(maxsize=64)
def faces_by_id(deck: Deck) -> Mapping[str, Mouse]:
    return {face.id: face for face in faces_of(deck)}


@lru_cache(maxsize=64)
def piles_of(deck: Deck) -> tuple[tuple[Mouse, ...], tuple[Mouse, ...]]:
    """One face per card: the starting cards of one player, and the court."""
    starting, court = (tuple(face for face in faces_of(deck) if face.group == group) for group in ("starting", "court"))
    return deck.repeat(starting), deck.repeat(court)


@lru_cache(maxsize=64)
def costs_of(deck: Deck) -> Mapping[str, int]:
    """What each card costs in the front row."""
    return {face.id: face.cost for face in faces_of(deck)}


@lru_cache(maxsize=64)
def strengths_of(deck: Deck) -> Mapping[str, tuple[int, int]]:
    """The influence and the moves that each card gives."""
    return {face.id: (face.influence, face.moves) for face in faces_of(deck)}
