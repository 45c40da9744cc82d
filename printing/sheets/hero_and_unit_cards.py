"""The heroes and units of Mice-at-Arms as cards."""

from __future__ import annotations

from printing.sheet_registry import RULES, Content, Sheet, register_sheets
from printing.sheets.card_decks import CUTTING_HINT, sign_drawings
from printing.sheets.quick_reference import dice_text
from printing.typographic_characters import typeset
from rulebook.data.heroes import HEROES, MUSICIAN, Hero
from rulebook.data.units import UNITS, Unit
from text import format_bonus

HERO_SIGNS = {
    "ladybug": "sun",
    "champion": "sword",
    "cleric": "candle",
    "ranger": "bow",
    "princess": "rose",
    "standard_bearer": "banner",
    "musician": "bell",
    "barbarian": "battle",
    "assassin": "moon",
    "snake_slayer": "komodo",
    "wizard": "mullet",
}
UNIT_SIGNS = {
    "hoppers": "hopper",
    "battle_cat": "cat",
    "bow_mice": "bow",
    "rat_riders": "lance",
    "king": "crown",
    "ballista": "ballista",
}


def _mice_card(
    name: str, kind: str, sign: str, tincture: str, text: str, strip: list[list[str]], corner: str, means: str
) -> Content:
    return {
        "name": name,
        "kind": kind,
        "sign": sign,
        "tincture": tincture,
        "shape": "",
        "corner": corner,
        "corner_means": means,
        "role": "",
        "text": text,
        "marks": [],
        "strip": strip,
        "back": kind,
    }


def hero_card(hero: Hero) -> Content:
    strip = [["when", hero.when], ["wounds", str(hero.wounds) if hero.wounds else "–"]]
    if hero.reach:
        strip.insert(1, ["reach", f"{hero.reach}″"])
    return _mice_card(hero.name, "hero", HERO_SIGNS[hero.key], "or", typeset(hero.text), strip, str(hero.roll), "d10")


def unit_card(unit: Unit) -> Content:
    melee, shots = dice_text(unit)
    strip = [
        ["Q", format_bonus(unit.q)],
        ["SQ", format_bonus(unit.sq)],
        ["AC", str(unit.ac)],
        ["move", f"{unit.move}″"],
        ["models", str(unit.models)],
        ["wounds", "/".join(map(str, sorted(set(unit.wounds))))],
    ]
    text = f"Melee {melee}, shots {shots}. {' '.join(unit.points)}"
    return _mice_card(unit.name, "unit", UNIT_SIGNS.get(unit.key, unit.key), "azure", typeset(text), strip, "", "")


def mice_cards(kind: str, title: str, cards: list[Content], sign: str, tincture: str) -> Content:
    backs = {kind: {"sign": sign, "tincture": tincture, "label": "Mice-at-Arms"}}
    return {
        "title": title,
        "game": "Mice-at-Arms",
        "note": "",
        "cards": cards,
        "backs": backs,
        "signs": sign_drawings(cards, (sign,)),
    }


register_sheets(
    Sheet(
        "heroes",
        "Hero cards",
        "The heroes of Mice-at-Arms as cards, with power, timing, reach and wounds.",
        RULES,
        "cards.typ",
        lambda _: mice_cards(
            "hero", "Heroes of Mice-at-Arms", [hero_card(hero) for hero in (*HEROES, MUSICIAN)], "crown", "gules"
        ),
        hint=CUTTING_HINT,
    ),
    Sheet(
        "units",
        "Unit cards",
        "The nine units of Mice-at-Arms as cards with all their figures.",
        RULES,
        "cards.typ",
        lambda _: mice_cards("unit", "Units of Mice-at-Arms", [unit_card(unit) for unit in UNITS], "mouse", "azure"),
        hint=CUTTING_HINT,
    ),
)
