"""The cards of Your Majesty as pictures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from cardgames.engine import Deck
from cardgames.engine.card_content import CardContent, CardSign, Drawings, LegendSign
from cardgames.games.majesty.deck_definition import (
    CAMPAIGN,
    LINGERING,
    PERMANENT,
    RESHUFFLE_KIND,
    SCANDAL,
    MajestyCard,
    every_card,
)
from cardgames.games.majesty.salon_arithmetic import OTHER_MUSE, OWN_MUSE

BACKS = {
    "action": ("sword", "gules"),
    "philosophe": ("quill", "or"),
    "colony": ("ship", "azure"),
    "reform": ("seal", "vert"),
}
# Every muse has a drawing of its own, so that no colour stands alone.
MUSES = {
    "arts": ("palette", "gules"),
    "politics": ("scales", "azure"),
    "music": ("lyre", "purpure"),
    "science": ("flask", "vert"),
    "literature": ("quill", "or"),
}
SIGNS = {PERMANENT: "crown", LINGERING: "hourglass", SCANDAL: "warn", CAMPAIGN: "sword", RESHUFFLE_KIND: "cards"}
KIND_NAMES = {LINGERING: "lingering event", PERMANENT: "permanent event"}
CAMPAIGN_TEXT = (
    "Name a colony at another court and seize it, or answer a campaign against yours: then the colony stays."
)


def card_content(face: MajestyCard) -> CardContent:
    return {"reform": _reform, "philosophe": _philosophe, "colony": _colony, "action": _action}[face.group](face)


def legend(pictures: Mapping[str, CardContent]) -> list[tuple[LegendSign, str]]:
    """The muses, then what else is drawn."""
    muses: list[tuple[LegendSign, str]] = [(CardSign(charge), muse) for muse, (charge, _) in MUSES.items()]
    return [
        *muses,
        (CardSign("coin"), "A coin: one chair at your salons."),
        (CardSign("lock"), "Slavery: 1 prestige less until it is abolished."),
        ("3", "Randomizer, prestige, level or coins, by the kind of card."),
    ]


def _reform(face: MajestyCard) -> CardContent:
    charge, tincture = MUSES[face.muse]
    return _picture(
        face,
        "reform",
        charge,
        tincture,
        f"{face.muse}, prestige {face.level}",
        str(face.level),
        "level",
        marks=(CardSign(charge),),
    )


def _philosophe(face: MajestyCard) -> CardContent:
    charge, tincture = MUSES[face.muse]
    return _picture(
        face,
        "philosophe",
        charge,
        tincture,
        f"{face.muse}: sophia in a salon",
        str(face.prestige),
        "prestige",
        strip=(("own muse", str(OWN_MUSE)), ("other muse", str(OTHER_MUSE))),
    )


def _colony(face: MajestyCard) -> CardContent:
    coins = tuple(CardSign("coin") for _ in range(face.coins))
    return _picture(
        face,
        "colony",
        "ship",
        "argent",
        "slavery: 1 prestige less" if face.is_slave else "",
        str(face.coins),
        "coins",
        marks=(*((CardSign("lock"),) if face.is_slave else ()), *coins),
    )


def _action(face: MajestyCard) -> CardContent:
    return _picture(
        face,
        KIND_NAMES.get(face.kind, face.kind),
        SIGNS.get(face.kind, "seal"),
        "sable" if face.kind == SCANDAL else "argent",
        "",
        str(face.randomizer) if face.randomizer else "",
        "randomizer" if face.randomizer else "",
        text=CAMPAIGN_TEXT if face.kind == CAMPAIGN else face.text,
    )


def _picture(
    face: MajestyCard,
    kind: str,
    charge: str,
    tincture: str,
    role: str,
    corner: str,
    corner_means: str,
    *,
    text: str = "",
    marks: tuple[CardSign, ...] = (),
    strip: tuple[tuple[str, str], ...] = (),
) -> CardContent:
    text = text or face.text
    figures = f" {corner_means.capitalize()} {corner}." if corner else ""
    label = f"{face.name}, {kind}{f', {role}' if role else ''}.{figures} {text}".strip()
    return CardContent(
        "majesty",
        face.id,
        kind,
        face.name,
        charge,
        tincture,
        label,
        corner=corner,
        corner_means=corner_means,
        role=role,
        text=text,
        marks=marks,
        strip=strip,
    )


def to_print(deck: Deck) -> Iterator[tuple[str, str]]:
    """Copies of a card differ: each has a randomizer of its own."""
    return ((face.id, "") for face in every_card(deck))


DRAWINGS = Drawings(BACKS, card_content, legend, to_print)
