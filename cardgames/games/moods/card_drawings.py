"""The cards of Moods of the Mad King as pictures."""

from collections.abc import Mapping

from cardgames.engine import Face
from cardgames.engine.card_content import CardContent, CardSign, Drawings

# Every kind of card has a back of its own.
BACKS = {
    "play": ("comedy", "or"),
    "action": ("hand", "argent"),
    "mood": ("crown", "purpure"),
    "muse": ("musical", "gules"),
    "show": ("crown", "sable"),
    "reference": ("book", "azure"),
}
# Every genre has a drawing of its own, so that no colour stands alone.
GENRES = {"drama": "purpure", "tragedy": "sable", "romance": "gules", "comedy": "or", "musical": "azure"}
KINDS = {"play": "play card"}
ACTIONS = {
    "curtain-call": "hand",
    "borrowed-scene": "trade",
    "scathing-review": "quill",
    "stage-fright": "flee",
    "at-the-keyhole": "key",
    "a-word-with-the-maid": "eye",
    "the-prompter": "book",
    "new-patron": "seal",
    "royal-tantrum": "crown",
    "recast": "arrow",
    "encore": "bell",
    "burnt-script": "candle",
    "double-bill": "cards",
    "change-of-scenery": "windfall",
}


def card_content(face: Face) -> CardContent:
    genre = str(face.values.get("genre", ""))
    kind = KINDS.get(face.group, face.group)
    return CardContent(
        "moods",
        face.id,
        kind,
        face.name,
        genre or ACTIONS.get(face.id) or BACKS[face.group][0],
        GENRES.get(genre, "argent"),
        f"{face.name}, {kind}. {face.text}".strip(),
        role=f"wants {genre}" if face.group in ("mood", "muse") else "",
        text=face.text,
    )


def legend(pictures: Mapping[str, CardContent]) -> list[tuple[CardSign, str]]:
    """Each genre with the Mood it suits."""
    moods = {content.charge: content.name for content in pictures.values() if content.kind == "mood"}
    return [(CardSign(genre), f"{genre.capitalize()}: for {moods[genre]}") for genre in GENRES]


DRAWINGS = Drawings(BACKS, card_content, legend)
