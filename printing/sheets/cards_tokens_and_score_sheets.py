"""Heroes and units as cards, tokens to cut out, player aids and score sheets of the card games."""

from collections.abc import Iterator

from django.http import Http404

from cardgames.engine import Game
from cardgames.games import HOWTO, SHELF, house_deck
from heraldry.svg import read_symbols as sprite
from people.requester import Who
from printing.sheet_registry import (
    BATTLE,
    CARDS,
    RULES,
    Content,
    Sheet,
    Subject,
    get_row_or_404,
    register_sheets,
    typeset,
)
from printing.sheets.card_decks import CUTTING_HINT, sign_drawings
from printing.sheets.rules_sheets import UNITS_OF_AN_ARMY, dice_text
from rulebook.battle.castle import VATS
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


# ── Tokens to cut out: activation, flight, wounds, vats, events, and cheese for victory points ───────────


def gather(_: None) -> Content:
    """Enough for two armies."""
    both = 2 * UNITS_OF_AN_ARMY
    most_wounds = max(max(unit.wounds) for unit in UNITS)
    kinds = [
        {"name": "acted", "sign": "check", "number": both, "solid": True},
        {"name": "flees", "sign": "flee", "number": both, "solid": False},
        {"name": "wound", "sign": "cross", "number": 2 * most_wounds, "solid": False},
        {"name": "vat", "sign": "vat", "number": VATS, "solid": False},
        {"name": "objective", "sign": "mullet", "number": 4, "solid": False},
        {"name": "1 VP", "sign": "cheese", "number": both, "solid": False},
        {"name": "5 VP", "sign": "crown", "number": 4, "solid": True},
    ]
    known = sprite()
    return {"kinds": kinds, "signs": {kind["sign"]: known[f"c-{kind['sign']}"] for kind in kinds}}


register_sheets(
    Sheet(
        "tokens",
        "Tokens",
        "Round tokens to cut out: acted, fleeing, wounds, vats, objectives, and cheese for victory points.",
        BATTLE,
        "tokens.typ",
        gather,
        hint="Use card of 200 g or more. An 18 mm punch cuts them cleanly.",
    )
)


# ── Player aids and score sheets for the card games ──────────────────────────────────────────────────────


def find(who: Who, key: str) -> Game:
    game: Game = get_row_or_404(SHELF, key)
    return game


def subjects(who: Who) -> Iterator[Subject]:
    for key, game in SHELF.items():
        yield Subject(key, game.title)


def player_aid(game: Game) -> Content:
    howto = HOWTO[game.key]
    return {
        "game": game.title,
        "kind": "aid",
        "aim": typeset(howto.aim),
        "glance": [typeset(line) for line in howto.glance],
        "sections": [[section.title, [typeset(line) for line in section.lines]] for section in howto.sections],
        "rulings": [[name, typeset(text)] for name, text in howto.rulings],
    }


def score_sheet(game: Game) -> Content:
    assert game.score_pad is not None
    deck = house_deck(game.key)
    pad = game.score_pad(deck)
    _, high = game.seat_limits(deck)
    return {
        "game": game.title,
        "kind": "score",
        "seats": pad.players or min(high, 4),
        "rows": [{"name": name, "worth": worth} for name, worth in pad.rows],
        "columns": list(pad.columns),
        "key": pad.worth,
        "about": pad.about,
        **({"total": pad.total} if pad.total else {}),
    }


def scored_games(who: Who) -> Iterator[Subject]:
    return (subject for subject in subjects(who) if SHELF[subject.key].score_pad)


def find_scored(who: Who, key: str) -> Game:
    game = find(who, key)
    if game.score_pad is None:
        raise Http404
    return game


register_sheets(
    Sheet(
        "player-aid",
        "Player aid",
        "The rules of a card game on one page.",
        CARDS,
        "games.typ",
        player_aid,
        find=find,
        name=lambda game: f"{game.title}: player aid",
        subjects=subjects,
    ),
    Sheet(
        "score-sheet",
        "Score sheet",
        "Score sheets for a card game, several per page.",
        CARDS,
        "games.typ",
        score_sheet,
        find=find_scored,
        name=lambda game: f"{game.title}: score sheet",
        subjects=scored_games,
    ),
)
