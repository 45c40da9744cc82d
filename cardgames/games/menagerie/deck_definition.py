"""The faces of Royal Menagerie, and what a deck for it must hold."""

from functools import lru_cache

from cardgames.engine import CardGroup, Deck, DeckSchema, DeckTotal, Face, ValueKind
from cardgames.engine.deck_data import COPIES, NAME

ANIMALS = ("galapagos-tortoise", "white-tiger", "giant-ibis", "komodo-dragon", "hiroa-antelope", "mammoth")
ACTIONS = ("shoot", "steal", "trade", "bazaar", "windfall")

VIZIER, LOYALIST, CONSPIRATOR = "vizier", "loyalist", "conspirator"
# One Vizier, one Loyalist, two Conspirators.
ROLES = (VIZIER, LOYALIST, CONSPIRATOR, CONSPIRATOR)
ROLE_FACES = (
    Face(
        VIZIER,
        "roles",
        0,
        "Grand Vizier",
        "You draw two and play two. Outscore each of the others alone, or win together with the Loyalist.",
    ),
    Face(
        LOYALIST,
        "roles",
        1,
        "Loyalist",
        "You win only at the Vizier's side: together more points than the Conspirators.",
    ),
    Face(CONSPIRATOR, "roles", 2, "Conspirator", "You and the other Conspirator win if the Vizier's side does not."),
)
ROLE = {face.id: face for face in ROLE_FACES}

SEATS = 4
STARTING_ANIMALS, STARTING_HAND = 2, 3
# How many more cards one card makes be played, on average. From here on games grow long; from one on, without end.
MANY_MORE_PLAYS = 0.75

_TEXT = ValueKind("text", "Text", "text", 0, 200)


def _enough(deck: Deck) -> list[str]:
    """The set-up must be possible: two animals and three hand cards for each of the four."""
    out = []
    if deck.count(("animals",)) < SEATS * STARTING_ANIMALS:
        out.append(f"The set-up needs at least {SEATS * STARTING_ANIMALS} animals.")
    if deck.count(("animals", "actions")) < SEATS * (STARTING_ANIMALS + STARTING_HAND):
        out.append(f"The set-up needs at least {SEATS * (STARTING_ANIMALS + STARTING_HAND)} cards.")
    return out


def _crowded(deck: Deck) -> list[str]:
    """With ten of a type all three others may be full; the rulings cover it, but the table should know."""
    return [
        f"With {row.copies} of {row.values['name']}, there may be no room for a gift. It then goes to the discard pile."
        for row in deck.group("animals")
        if row.copies > 9
    ]


def _endless(deck: Deck) -> list[str]:
    """A Bazaar plays up to four cards and a Windfall two, and those may again be Bazaars and Windfalls."""
    bazaars, windfalls = deck.row("bazaar"), deck.row("windfall")
    more = (4 * bazaars.copies + 2 * windfalls.copies) / deck.count(("animals", "actions"))
    if more < MANY_MORE_PLAYS:
        return []
    return [
        f"With {bazaars.copies} of {bazaars.values['name']} and {windfalls.copies} of {windfalls.values['name']}, "
        f"a game can take {'thousands' if more >= 1 else 'hundreds'} of choices. "
        "With the house deck it takes about eighty."
    ]


SCHEMA = DeckSchema(
    game="menagerie",
    groups=(
        CardGroup(
            "animals", "Animals", (NAME, _TEXT, COPIES, ValueKind("factor", "Multiplier", "number", 1, 5)), ANIMALS
        ),
        CardGroup("actions", "Actions", (NAME, _TEXT, COPIES), ACTIONS),
    ),
    totals=(
        DeckTotal(("animals",), "animals", 30),
        DeckTotal(("actions",), "actions", 16),
        DeckTotal(("animals", "actions"), "cards in the play deck", 46),
    ),
    checks=(_enough,),
    doubts=(_crowded, _endless),
)


@lru_cache(maxsize=64)
def faces_of(deck: Deck) -> tuple[Face, ...]:
    """Every face of the deck once: the animals in their order, then the actions, then the roles."""
    order = {key: index for index, key in enumerate((*ANIMALS, *ACTIONS))}
    rows = sorted(deck.rows, key=lambda row: order[row.id])
    faces = [
        Face(row.id, row.group, order[row.id], str(row.values["name"]), str(row.values["text"]), row.values)
        for row in rows
    ]
    return (*faces, *ROLE_FACES)


@lru_cache(maxsize=64)
def play_deck(deck: Deck) -> tuple[Face, ...]:
    """One face per card of the play deck, unshuffled."""
    return deck.repeat(faces_of(deck))
