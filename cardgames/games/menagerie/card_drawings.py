"""The cards of Royal Menagerie as pictures."""

from collections.abc import Iterator, Mapping

from cardgames.engine import Deck, Face
from cardgames.engine.card_content import CardContent, CardSign, Drawings
from cardgames.games.menagerie.deck_definition import CONSPIRATOR, LOYALIST, ROLES, VIZIER, faces_of
from cardgames.games.menagerie.scoring import animal_points

BACKS = {"play": ("mammoth", "vert"), "role": ("crown", "purpure")}

ANIMALS = {
    "galapagos-tortoise": ("tortoise", "vert"),
    "white-tiger": ("tiger", "argent"),
    "giant-ibis": ("ibis", "azure"),
    "komodo-dragon": ("komodo", "gules"),
    "hiroa-antelope": ("antelope", "or"),
    "mammoth": ("mammoth", "purpure"),
}
ROLE_SIGNS = {VIZIER: ("crown", "or"), LOYALIST: ("seal", "azure"), CONSPIRATOR: ("thorn", "gules")}
_HOW_MANY = ("one", "two", "three")


def card_content(face: Face) -> CardContent:
    if face.group == "animals":
        return _animal(face)
    if face.group == "roles":
        charge, tincture = ROLE_SIGNS[face.id]
        label = f"{face.name}, role. {face.text}"
        return CardContent("menagerie", face.id, "role", face.name, charge, tincture, label, text=face.text)
    label = f"{face.name}, action. {face.text}"
    return CardContent("menagerie", face.id, "action", face.name, face.id, "plain", label, text=face.text)


def legend(pictures: Mapping[str, CardContent]) -> list[tuple[CardSign, str]]:
    """Each animal by its name."""
    return [(CardSign(charge), pictures[animal].name) for animal, (charge, _) in ANIMALS.items()]


def _animal(face: Face) -> CardContent:
    charge, tincture = ANIMALS[face.id]
    factor = int(face.values.get("factor", 1))
    points = [animal_points(count, factor) for count in (1, 2, 3)]
    strip = tuple((word, str(value)) for word, value in zip(_HOW_MANY, points, strict=True))
    label = f"{face.name}, animal. Points: one {points[0]}, two {points[1]}, three {points[2]}."
    corner = "" if factor == 1 else f"×{factor}"
    means = "" if factor == 1 else f"points times {factor}"
    return CardContent(
        "menagerie",
        face.id,
        "animal",
        face.name,
        charge,
        tincture,
        label,
        corner=corner,
        corner_means=means,
        text=face.text,
        strip=strip,
    )


def to_print(deck: Deck) -> Iterator[tuple[str, str]]:
    """The role cards are the same in every deck, so no deck counts them."""
    copies = {row.id: row.copies for row in deck.rows}
    for face in faces_of(deck):
        yield from [(face.id, "")] * (copies.get(face.id) or ROLES.count(face.id))


DRAWINGS = Drawings(BACKS, card_content, legend, to_print)
