"""The cards of Moods of the Mad King."""

from __future__ import annotations

from collections.abc import Iterator

from cardgames.drawing.card_content import CardContent
from cardgames.engine import CardGroup, Deck, DeckSchema, DeckTotal, ValueKind
from cardgames.engine.decks import CardRow

TITLE = "Moods of the Mad King"
# Every kind of card has a back of its own.
BACKS = {
    "play": ("comedy", "or"),
    "action": ("hand", "argent"),
    "mood": ("crown", "purpure"),
    "muse": ("musical", "gules"),
    "show": ("throne", "sable"),
    "reference": ("signpost", "azure"),
}
# Every genre has a drawing of its own, so that no colour stands alone.
GENRES = {"drama": "purpure", "tragedy": "sable", "romance": "gules", "comedy": "or", "musical": "azure"}

_NAME = ValueKind("name", "Name", "text", 1, 40)
_TEXT = ValueKind("text", "Text", "text", 1, 400)
_GENRE = ValueKind("genre", "Genre", "pick", picks=tuple(GENRES))
_COPIES = ValueKind("copies", "Copies", "number", 0, 20)

SCHEMA = DeckSchema(
    game="moods",
    groups=(
        CardGroup("play", "Play cards", (_NAME, _GENRE, _COPIES)),
        CardGroup("mood", "Moods", (_NAME, _GENRE, _COPIES)),
        CardGroup("muse", "Muses", (_NAME, _GENRE, _COPIES)),
        CardGroup("action", "Action cards", (_NAME, _TEXT, _COPIES)),
        CardGroup("show", "The show", (_NAME, _TEXT, _COPIES)),
        CardGroup("reference", "References", (_NAME, _TEXT, _COPIES)),
    ),
    totals=(
        DeckTotal(("play",), "play cards", 15),
        DeckTotal(("action",), "action cards", 14),
        DeckTotal(("mood",), "Moods", 5),
        DeckTotal(("muse",), "Muses", 5),
        DeckTotal(("show",), "card for the show", 1),
        DeckTotal(("reference",), "references", 4),
    ),
)


def cards(deck: Deck) -> Iterator[tuple[CardContent, str]]:
    for row in deck.rows:
        drawn = picture(row)
        yield from ((drawn, row.group) for _ in range(row.copies))


def picture(row: CardRow) -> CardContent:
    name, genre = str(row.values["name"]), str(row.values.get("genre", ""))
    kind = "play card" if row.group == "play" else row.group
    role, text = "", str(row.values.get("text", ""))
    if row.group == "mood":
        role, text = f"wants {genre}", f"If this is the King's Mood, a play without {genre} costs its author the head."
    elif row.group == "muse":
        role, text = f"wants {genre}", f"A play without {genre} costs its author this patron."
    return CardContent(
        "moods",
        row.id,
        kind,
        name,
        genre or BACKS[row.group][0],
        GENRES.get(genre, "argent"),
        f"{name}, {kind}. {text}".strip(),
        role=role,
        text=text,
    )
