"""The cards of Your Majesty as pictures."""

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
    corner = (str(face.level), "level")
    role = f"{face.muse}, prestige {face.level}"
    return _picture(face, "reform", MUSES[face.muse], corner, role, marks=(CardSign(MUSES[face.muse][0]),))


def _philosophe(face: MajestyCard) -> CardContent:
    corner, strip = (str(face.prestige), "prestige"), (("own muse", str(OWN_MUSE)), ("other muse", str(OTHER_MUSE)))
    return _picture(face, "philosophe", MUSES[face.muse], corner, f"{face.muse}: sophia in a salon", strip=strip)


def _colony(face: MajestyCard) -> CardContent:
    signs = (*((CardSign("lock"),) if face.is_slave else ()), *[CardSign("coin")] * face.coins)
    role = "slavery: 1 prestige less" if face.is_slave else ""
    return _picture(face, "colony", ("ship", "argent"), (str(face.coins), "coins"), role, marks=signs)


def _action(face: MajestyCard) -> CardContent:
    look = (SIGNS.get(face.kind, "seal"), "sable" if face.kind == SCANDAL else "argent")
    corner = (str(face.randomizer), "randomizer") if face.randomizer else ("", "")
    text = CAMPAIGN_TEXT if face.kind == CAMPAIGN else ""
    return _picture(face, KIND_NAMES.get(face.kind, face.kind), look, corner, text=text)


def _picture(
    face: MajestyCard,
    kind: str,
    look: tuple[str, str],
    corner: tuple[str, str],
    role: str = "",
    *,
    text: str = "",
    marks: tuple[CardSign, ...] = (),
    strip: tuple[tuple[str, str], ...] = (),
) -> CardContent:
    """``look`` is charge and tincture, ``corner`` the figure in the corner and what it means."""
    (charge, tincture), (figure, means), text = look, corner, text or face.text
    figures = f" {means.capitalize()} {figure}." if figure else ""
    label = f"{face.name}, {kind}{f', {role}' if role else ''}.{figures} {text}".strip()
    face_and_look = ("majesty", face.id, kind, face.name, charge, tincture, label)
    return CardContent(
        *face_and_look, corner=figure, corner_means=means, role=role, text=text, marks=marks, strip=strip
    )


def to_print(deck: Deck) -> Iterator[tuple[str, str]]:
    """Copies of a card differ: each has a randomizer of its own."""
    return ((face.id, "") for face in every_card(deck))


DRAWINGS = Drawings(BACKS, card_content, legend, to_print)
