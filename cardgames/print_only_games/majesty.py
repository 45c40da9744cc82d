"""The cards of Your Majesty."""

from __future__ import annotations

from collections.abc import Iterator

from cardgames.drawing.card_content import CardContent, CardSign
from cardgames.engine import CardGroup, Deck, DeckSchema, DeckTotal, ValueKind
from cardgames.engine.decks import CardRow

TITLE = "Your Majesty"
BACKS = {
    "action": ("sword", "gules"),
    "philosophe": ("literature", "or"),
    "colony": ("ship", "azure"),
    "reform": ("seal", "vert"),
}
# Every muse has a drawing of its own, so that no colour stands alone.
MUSES = {"arts": "gules", "politics": "azure", "music": "purpure", "science": "vert", "literature": "or"}
SIGNS = {
    "event": "throne",
    "permanent": "crown",
    "lingering": "signpost",
    "scandal": "candle",
    "campaign": "sword",
    "reshuffle": "movecover",
}
# What an attendee is worth in a salon: of the reform's muse, and of any other.
SOPHIA = (2, 1)
CAMPAIGN = "Name a colony at another court and seize it, or answer a campaign against yours: then the colony stays."

_NAME = ValueKind("name", "Name", "text", 1, 40)
_TEXT = ValueKind("text", "Text", "text", 0, 300)
_MUSE = ValueKind("muse", "Muse", "pick", picks=tuple(MUSES))
_COPIES = ValueKind("copies", "Copies", "number", 0, 20)

SCHEMA = DeckSchema(
    game="majesty",
    groups=(
        CardGroup("reform", "Reforms", (_NAME, _TEXT, _MUSE, ValueKind("level", "Level", "number", 1, 5), _COPIES)),
        CardGroup(
            "philosophe", "Philosophes", (_NAME, _MUSE, ValueKind("prestige", "Prestige", "number", 1, 2), _COPIES)
        ),
        CardGroup(
            "colony",
            "Colonies",
            (_NAME, ValueKind("coins", "Coins", "number", 0, 9), ValueKind("slavery", "Slavery", "flag"), _COPIES),
        ),
        CardGroup(
            "action",
            "Action cards",
            (
                _NAME,
                _TEXT,
                ValueKind("kind", "Kind", "pick", picks=tuple(SIGNS)),
                # One for each copy, as "1, 4".
                ValueKind("randomizers", "Randomizers", "text", 0, 40),
                _COPIES,
            ),
        ),
    ),
    totals=(DeckTotal(("reform",), "reforms", 15),),
)


def cards(deck: Deck) -> Iterator[tuple[CardContent, str]]:
    for row in deck.rows:
        if row.group == "action":
            numbers = [word for word in str(row.values["randomizers"]).split(", ") if word]
            for at in range(row.copies):
                yield action(row, numbers[at] if at < len(numbers) else ""), "action"
        else:
            drawn = {"reform": reform, "philosophe": philosophe, "colony": colony}[row.group](row)
            yield from ((drawn, row.group) for _ in range(row.copies))


def reform(row: CardRow) -> CardContent:
    muse, level = str(row.values["muse"]), str(row.values["level"])
    return _picture(
        row,
        "reform",
        "seal",
        MUSES[muse],
        f"{muse}, prestige {level}",
        corner=level,
        corner_means="level",
        marks=(CardSign(muse),),
    )


def philosophe(row: CardRow) -> CardContent:
    muse = str(row.values["muse"])
    own, other = SOPHIA
    return _picture(
        row,
        "philosophe",
        muse,
        MUSES[muse],
        f"{muse}: sophia in a salon",
        corner=str(row.values["prestige"]),
        corner_means="prestige",
        strip=(("own muse", str(own)), ("other muse", str(other))),
    )


def colony(row: CardRow) -> CardContent:
    coins, slavery = int(row.values["coins"]), bool(row.values["slavery"])
    return _picture(
        row,
        "colony",
        "ship",
        "argent",
        "slavery: 1 prestige less" if slavery else "",
        corner=str(coins),
        corner_means="coins",
        marks=(*((CardSign("chain"),) if slavery else ()), *(CardSign("coin") for _ in range(coins))),
    )


def action(row: CardRow, randomizer: str) -> CardContent:
    kind = str(row.values["kind"])
    words = {"lingering": "lingering event", "permanent": "permanent event"}.get(kind, kind)
    return _picture(
        row,
        words,
        SIGNS[kind],
        "sable" if kind == "scandal" else "argent",
        "",
        corner=randomizer,
        corner_means="randomizer" if randomizer else "",
        text=CAMPAIGN if kind == "campaign" else "",
    )


def _picture(
    row: CardRow,
    kind: str,
    sign: str,
    tincture: str,
    role: str,
    *,
    corner: str,
    corner_means: str,
    text: str = "",
    marks: tuple[CardSign, ...] = (),
    strip: tuple[tuple[str, str], ...] = (),
) -> CardContent:
    name, text = str(row.values["name"]), text or str(row.values.get("text", ""))
    figures = f" {corner_means.capitalize()} {corner}." if corner else ""
    label = f"{name}, {kind}{f', {role}' if role else ''}.{figures} {text}".strip()
    return CardContent(
        "majesty",
        row.id,
        kind,
        name,
        sign,
        tincture,
        label,
        corner=corner,
        corner_means=corner_means,
        role=role,
        text=text,
        marks=marks,
        strip=strip,
    )
