"""The cards of Moods of the Mad King."""

from __future__ import annotations

from collections.abc import Iterator

from cardgames.drawing.picture import Picture
from cardgames.engine import Deck, DeckSchema, Group, Kind, Total
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

_NAME = Kind("name", "Name", "text", 1, 40)
_TEXT = Kind("text", "Text", "text", 1, 400)
_GENRE = Kind("genre", "Genre", "pick", picks=tuple(GENRES))
_COPIES = Kind("copies", "Copies", "number", 0, 20)

SCHEMA = DeckSchema(
    game="moods",
    groups=(
        Group("play", "Play cards", (_NAME, _GENRE, _COPIES)),
        Group("mood", "Moods", (_NAME, _GENRE, _COPIES)),
        Group("muse", "Muses", (_NAME, _GENRE, _COPIES)),
        Group("action", "Action cards", (_NAME, _TEXT, _COPIES)),
        Group("show", "The show", (_NAME, _TEXT, _COPIES)),
        Group("reference", "References", (_NAME, _TEXT, _COPIES)),
    ),
    totals=(
        Total(("play",), "play cards", 15),
        Total(("action",), "action cards", 14),
        Total(("mood",), "Moods", 5),
        Total(("muse",), "Muses", 5),
        Total(("show",), "card for the show", 1),
        Total(("reference",), "references", 4),
    ),
)


def cards(deck: Deck) -> Iterator[tuple[Picture, str]]:
    for row in deck.rows:
        drawn = picture(row)
        yield from ((drawn, row.group) for _ in range(row.copies))


def picture(row: CardRow) -> Picture:
    name, genre = str(row.values["name"]), str(row.values.get("genre", ""))
    kind = "play card" if row.group == "play" else row.group
    role, text = "", str(row.values.get("text", ""))
    if row.group == "mood":
        role, text = f"wants {genre}", f"If this is the King's Mood, a play without {genre} costs its author the head."
    elif row.group == "muse":
        role, text = f"wants {genre}", f"A play without {genre} costs its author this patron."
    return Picture(
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
