"""The cards of Of Mice and Monarchs as pictures."""

from collections.abc import Iterator, Mapping

from cardgames.engine import Deck
from cardgames.engine.card_content import Badge, CardContent, CardSign, Drawings, LegendSign
from cardgames.games.monarchs.deck_definition import GRAY, Mouse, faces_of, letters

BACKS = {"court": ("crown", "purpure"), "starting": ("wheat", "argent")}

# Each colour has a tincture with its hatching, and a shape of its own.
COLOURS = {
    "purple": ("purpure", "lozenge"),
    "yellow": ("or", "disc"),
    "green": ("vert", "triangle"),
    "blue": ("azure", "square"),
    "red": ("gules", "cross"),
    "orange": ("tenne", "hexagon"),
    GRAY: ("argent", "ring"),
}
ROLES = {
    "usher": "mouse",
    "decorator": "cards",
    "steward": "key",
    "treasurer": "cheese",
    "intriguer": "candle",
    "chancellor": "seal",
    "squire": "banner",
    "knight": "sword",
    "herald": "bell",
    "heir": "crown",
}
STARTING = {"peasant-plus": "wheat", "peasant-zero": "mushroom"}
# Each sign of a card as it is drawn, with its meaning, for whoever sees them for the first time.
SIGNS: tuple[tuple[CardSign | str, str], ...] = (
    ("3", "What the card costs. In the back row it costs two more."),
    (CardSign("hand", "+2"), "Influence: what you can spend in the turn you play this card."),
    (CardSign("cards"), "Move and Cover: move one card of the court to another spot, onto another card if you like."),
    (CardSign("crown"), "A crown. At the end each colour counts its cards times its crowns."),
    (
        CardSign("crown", "", True),
        "A crown after a slash counts only at the end. Until then, use what is before the slash.",
    ),
)
# As many crowns are drawn side by side; more become a number.
_SIDE_BY_SIDE = 3


def card_content(face: Mouse) -> CardContent:
    tincture, shape = COLOURS[face.colour]
    starting = face.group == "starting"
    role = str(face.values.get("role", ""))
    kind = "starting card" if starting else f"{face.colour} court"
    return CardContent(
        "monarchs",
        face.id,
        kind,
        face.name,
        STARTING[face.id] if starting else ROLES.get(role.casefold()) or _by_figures(face),
        tincture,
        _label(face, kind, role),
        shape=shape,
        corner="" if starting else str(face.cost),
        corner_means="" if starting else "cost",
        role=role,
        text=face.text,
        marks=_marks(face),
    )


def legend(pictures: Mapping[str, CardContent]) -> list[tuple[LegendSign, str]]:
    """The signs of a card, then the colours."""
    colours = [(Badge(*look), "grey, never scores" if colour == GRAY else colour) for colour, look in COLOURS.items()]
    return [*SIGNS, *colours]


def _by_figures(face: Mouse) -> str:
    """A charge for a role we do not know, as printed decks may have."""
    if face.crowns:
        return "crown"
    return "cards" if face.moves else "mouse-head"


def _marks(face: Mouse) -> tuple[CardSign, ...]:
    slash = bool(face.values.get("slash"))
    marks = []
    if face.influence or not (face.moves or face.crowns):
        marks.append(CardSign("hand", f"+{face.influence}" if face.influence else "0"))
    if face.moves:
        marks.append(CardSign("cards", "" if face.moves == 1 else f"×{face.moves}"))
    if face.crowns > _SIDE_BY_SIDE:
        marks.append(CardSign("crown", f"×{face.crowns}", slash))
    else:
        marks += [CardSign("crown", "", slash and not number) for number in range(face.crowns)]
    return tuple(marks)


def _label(face: Mouse, kind: str, role: str) -> str:
    parts = [f"Influence {face.influence}"] if face.influence or face.group == "starting" else []
    if face.moves:
        parts.append("one Move and Cover" if face.moves == 1 else f"{face.moves} times Move and Cover")
    if face.crowns:
        crowns = "one crown" if face.crowns == 1 else f"{face.crowns} crowns"
        parts.append(f"{crowns} in scoring only" if face.values.get("slash") else crowns)
    what = f"{face.name}, {kind}{f', {role}' if role else ''}."
    cost = "" if face.group == "starting" else f" Cost {face.cost}."
    figures = ", ".join(parts)
    return f"{what}{cost} {figures[:1].upper()}{figures[1:]}." if figures else f"{what}{cost}"


def to_print(deck: Deck) -> Iterator[tuple[str, str]]:
    """Each player has starting cards of one letter."""
    for face in faces_of(deck):
        kinds = [f"starting card {letter}" for letter in letters(deck)] if face.group == "starting" else [""]
        for kind in kinds:
            yield from [(face.id, kind)] * deck.row(face.id).copies


DRAWINGS = Drawings(BACKS, card_content, legend, to_print)
