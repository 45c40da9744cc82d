"""The faces of Moods of the Mad King, and what a deck for it must hold."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from cardgames.engine import CardGroup, Deck, DeckSchema, DeckTotal, Face, ValueKind
from cardgames.engine.deck_data import COPIES, NAME, CardRow

GENRES = ("drama", "tragedy", "romance", "comedy", "musical")
PLAYS = tuple(f"play-{genre}" for genre in GENRES)
# In the order of the genres they ask for.
MOODS = ("mood-brooding", "mood-lamenting", "mood-passionate", "mood-joyous", "mood-operatic")
MUSES = tuple(f"muse-{genre}" for genre in GENRES)
ACTIONS = (
    *("curtain-call", "borrowed-scene", "scathing-review", "stage-fright", "at-the-keyhole", "a-word-with-the-maid"),
    *("the-prompter", "new-patron", "royal-tantrum", "recast", "encore", "burnt-script", "double-bill"),
    "change-of-scenery",
)

FEWEST_SEATS, MAX_SEATS = 2, 4
MAX_ACTS = 3
ACTIONS_DEALT = {2: 5, 3: 4, 4: 3}
MOODS_DEALT = {2: 2, 3: 1, 4: 1}

_TEXT = ValueKind("text", "Text", "text", 1, 400)
_GENRE = ValueKind("genre", "Genre", "pick", picks=GENRES)
# Every Mood and every Muse exists once: a Mood in a hand is not the King's.
_ONCE = ValueKind("copies", "Copies", "number", 1, 1)


def _enough(deck: Deck) -> list[str]:
    if deck.count(("play",)) < MAX_SEATS:
        return [f"A show needs at least {MAX_SEATS} play cards. Raise the copies of some."]
    return []


def _right_genres(deck: Deck) -> list[str]:
    """The ids name the genre, and the rules pair it with its Mood."""
    wanted = dict(zip((*PLAYS, *MOODS, *MUSES), GENRES * 3, strict=True))
    return [
        f"The genre of {row.id!r} must be {wanted[row.id]}."
        for row in deck.rows
        if row.id in wanted and row.values["genre"] != wanted[row.id]
    ]


SCHEMA = DeckSchema(
    game="moods",
    groups=(
        CardGroup("play", "Play cards", (NAME, _GENRE, COPIES), PLAYS),
        CardGroup("mood", "Moods", (NAME, _GENRE, _ONCE), MOODS),
        CardGroup("muse", "Muses", (NAME, _GENRE, _ONCE), MUSES),
        CardGroup("action", "Action cards", (NAME, _TEXT, COPIES), effects=frozenset(ACTIONS)),
        CardGroup("show", "The show", (NAME, _TEXT, COPIES), ("the-show-begins",)),
        CardGroup("reference", "References", (NAME, _TEXT, COPIES), ("reference",)),
    ),
    totals=(
        DeckTotal(("play",), "play cards", 15),
        DeckTotal(("action",), "action cards", 14),
        DeckTotal(("mood",), "Moods", 5),
        DeckTotal(("muse",), "Muses", 5),
        DeckTotal(("show",), "card for the show", 1),
        DeckTotal(("reference",), "references", 4),
    ),
    checks=(_enough, _right_genres),
)


def _face(row: CardRow) -> Face:
    """``index`` is the genre's place in ``GENRES`` where a card has a genre."""
    genre = str(row.values.get("genre", ""))
    name, text = str(row.values["name"]), str(row.values.get("text", ""))
    if row.group == "mood":
        text = f"If this is the King's Mood, a play without {genre} costs its author their head."
    elif row.group == "muse":
        text = f"A play without {genre} costs its author this patron."
    return Face(row.id, row.group, GENRES.index(genre) if genre else 0, name, text, row.values)


@lru_cache(maxsize=64)
def faces_of(deck: Deck) -> tuple[Face, ...]:
    """Every face of the deck once."""
    return tuple(_face(row) for row in deck.rows)


@lru_cache(maxsize=64)
def cards_of(deck: Deck, group: str) -> tuple[Face, ...]:
    """One face per card of a group, unshuffled."""
    return deck.repeat(face for face in faces_of(deck) if face.group == group)


def actions_dealt(deck: Deck, seats: int) -> int:
    """How many action cards each player gets; fewer where the deck does not have enough for all."""
    return min(ACTIONS_DEALT[seats], deck.count(("action",)) // seats)


def setup_warnings(deck: Deck, seats: int, options: Mapping[str, Any]) -> list[str]:
    dealt = actions_dealt(deck, seats)
    if dealt == ACTIONS_DEALT[seats]:
        return []
    return [f"This deck has too few action cards for {seats} players. Each gets {dealt}, not {ACTIONS_DEALT[seats]}."]
