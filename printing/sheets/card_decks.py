"""Card decks: every card of a game's deck as often as it occurs, with backs; heroes and units of Mice-at-Arms as cards too."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from django.shortcuts import get_object_or_404

from cardgames.deck_copies import deck_of
from cardgames.drawing import Picture, pack_of
from cardgames.drawing.pack import BACKS, TITLES
from cardgames.engine import Deck
from cardgames.games import SHELF, house_deck
from cardgames.games.menagerie.faces import ROLES
from cardgames.games.monarchs.faces import letters
from cardgames.models import DeckCopy
from cardgames.on_paper import ON_PAPER, paper_deck
from heraldry.sprite import symbols as sprite
from people.who import Who
from printing.sheet import CARDS, RULES, Content, Sheet, Subject, register
from printing.sheets.quick_reference import dice
from printing.words import signed, typeset
from rulebook.heroes import HEROES, MUSICIAN, Hero
from rulebook.units import UNITS, Unit

# The print look has line drawings for these signs of the screen.
DRAWN = {"cards": "movecover", "mouse-head": "mouse"}
HERO_SIGNS = {
    "ladybug": "sun", "champion": "sword", "cleric": "candle", "ranger": "bow", "princess": "rose", "standard_bearer": "banner",
    "musician": "bell", "barbarian": "battle", "assassin": "moon", "snake_slayer": "komodo", "wizard": "mullet",
}  # fmt: skip
UNIT_SIGNS = {
    "hoppers": "hopper",
    "battle_cat": "cat",
    "bow_mice": "bow",
    "rat_riders": "lance",
    "king": "crown",
    "ballista": "ballista",
}


def card(picture: Picture, back: str, *, kind: str = "") -> dict[str, Any]:
    return {
        "name": picture.name.replace("'", "’"),
        "kind": kind or picture.kind,
        "sign": DRAWN.get(picture.charge, picture.charge),
        "tincture": picture.tincture,
        "shape": picture.shape,
        "corner": picture.corner,
        "corner_means": picture.corner_means,
        "role": picture.role,
        "text": typeset(picture.text),
        "marks": [[DRAWN.get(mark.charge, mark.charge), mark.figure, mark.after_slash] for mark in picture.marks],
        "strip": [list(pair) for pair in picture.strip],
        "back": back,
    }


def signs(cards: Iterable[dict[str, Any]], more: Iterable[str] = ()) -> dict[str, str]:
    """Drawings for signs the print look has none of its own for: the silhouettes of the screen."""
    wanted = {card["sign"] for card in cards} | {mark[0] for card in cards for mark in card["marks"]} | set(more)
    known = sprite()
    return {sign: known[f"c-{sign}"] for sign in sorted(wanted) if f"c-{sign}" in known}


def deck_cards(deck: Deck) -> Iterator[dict[str, Any]]:
    """One row for each card to cut out."""
    if deck.game in ON_PAPER:
        yield from (card(picture, back) for picture, back in ON_PAPER[deck.game].cards(deck))
        return
    backs = BACKS[deck.game]
    copies = {row.id: row.copies for row in deck.rows}
    for picture in pack_of(deck).pictures.values():
        back = next((key for key in backs if key in picture.kind), next(iter(backs)))
        if deck.game == "menagerie" and picture.kind == "role":
            yield from (card(picture, back) for _ in range(ROLES.count(picture.id)))
        elif deck.game == "monarchs" and back == "starting":
            for letter in letters(deck):
                yield from (card(picture, back, kind=f"starting card {letter}") for _ in range(copies[picture.id]))
        else:
            yield from (card(picture, back) for _ in range(copies[picture.id]))


def gather(deck: Deck) -> Content:
    cards = list(deck_cards(deck))
    paper = ON_PAPER.get(deck.game)
    backs = paper.backs if paper else BACKS[deck.game]
    game = paper.title if paper else TITLES[deck.game]
    return {
        "title": deck.title,
        "game": game,
        "note": deck.note,
        "cards": cards,
        "backs": {
            key: {"sign": DRAWN.get(sign, sign), "tincture": tincture, "label": game}
            for key, (sign, tincture) in backs.items()
        },
        "signs": signs(cards, (sign for sign, _ in backs.values())),
    }


def find(who: Who, key: str) -> Deck:
    """A house deck by its game, or a group's own deck by its code."""
    if key in SHELF:
        return house_deck(key)
    if key in ON_PAPER:
        return paper_deck(key)
    return deck_of(get_object_or_404(DeckCopy.objects.visible_to(who), code=key))


def origin(deck: Deck) -> str:
    """Which values are ours, as the deck itself says."""
    if deck.game in ON_PAPER:
        return f"{deck.note} The site does not deal this game: these cards are for the table."
    return deck.note


def subjects(who: Who) -> Iterator[Subject]:
    for key, game in SHELF.items():
        if key in BACKS:
            yield Subject(key, game.title)
    for key, paper in ON_PAPER.items():
        yield Subject(key, paper.title)
    for copy in DeckCopy.objects.visible_to(who)[:12]:
        yield Subject(copy.code, copy.title)


# ── Mice-at-Arms as cards ────────────────────────────────────────────────────────────────────────────────


def _card(
    name: str, kind: str, sign: str, tincture: str, text: str, strip: list[list[str]], corner: str, means: str
) -> dict[str, Any]:
    return {
        "name": name, "kind": kind, "sign": sign, "tincture": tincture, "shape": "", "corner": corner, "corner_means": means,
        "role": "", "text": text, "marks": [], "strip": strip, "back": kind,
    }  # fmt: skip


def hero_card(hero: Hero) -> dict[str, Any]:
    strip = [["when", hero.timing], ["wounds", str(hero.wounds) if hero.wounds else "–"]]
    if hero.reach:
        strip.insert(1, ["reach", f"{hero.reach}″"])
    return _card(hero.name, "hero", HERO_SIGNS[hero.key], "or", typeset(hero.text), strip, str(hero.roll), "d10")


def unit_card(unit: Unit) -> dict[str, Any]:
    melee, shots = dice(unit)
    strip = [
        ["Q", signed(unit.q)], ["SQ", signed(unit.sq)], ["AC", str(unit.ac)], ["move", f"{unit.move}″"],
        ["models", str(unit.models)], ["wounds", "/".join(map(str, sorted(set(unit.wounds))))],
    ]  # fmt: skip
    text = f"Melee {melee}, shots {shots}. {' '.join(unit.points)}"
    return _card(unit.name, "unit", UNIT_SIGNS.get(unit.key, unit.key), "azure", typeset(text), strip, "", "")


def mice(kind: str, title: str, cards: list[dict[str, Any]], sign: str, tincture: str) -> Content:
    backs = {kind: {"sign": sign, "tincture": tincture, "label": "Mice-at-Arms"}}
    return {
        "title": title,
        "game": "Mice-at-Arms",
        "note": "",
        "cards": cards,
        "backs": backs,
        "signs": signs(cards, (sign,)),
    }


CUT = "Print on both sides, turned on the long edge, at 100 %. Cut at the marks; a card is 63 by 88 mm."

register(
    Sheet(
        "deck",
        "Card deck",
        "Every card of a game to cut out, nine to a sheet, with backs that meet their fronts when printed on both sides.",
        CARDS,
        "cards.typ",
        gather,
        find=find,
        name=lambda deck: deck.title,
        subjects=subjects,
        hint=CUT,
        origin=origin,
    ),
    Sheet(
        "heroes",
        "Hero cards",
        "The heroes of Mice-at-Arms as cards, with power, timing, reach and wounds.",
        RULES,
        "cards.typ",
        lambda _: mice(
            "hero", "Heroes of Mice-at-Arms", [hero_card(hero) for hero in (*HEROES, MUSICIAN)], "crown", "gules"
        ),
        hint=CUT,
    ),
    Sheet(
        "units",
        "Unit cards",
        "The nine units of Mice-at-Arms as cards with all their figures.",
        RULES,
        "cards.typ",
        lambda _: mice("unit", "Units of Mice-at-Arms", [unit_card(unit) for unit in UNITS], "mouse", "azure"),
        hint=CUT,
    ),
)
