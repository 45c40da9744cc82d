"""For the card games on paper: a player aid with the rules at a glance, and score sheets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cardgames.drawing import pack_of
from cardgames.drawing.monarchs import COLOURS as COURT
from cardgames.engine import Deck, Game
from cardgames.games import HOWTO, SHELF, house_deck
from cardgames.games.menagerie.faces import ANIMALS
from cardgames.games.menagerie.score import LIMIT, animal_points
from cardgames.games.monarchs.faces import COLOURS
from people.who import Who
from printing.sheet import CARDS, Content, Sheet, Subject, by_key, register
from printing.words import typeset


def find(who: Who, key: str) -> Game:
    game: Game = by_key(SHELF, key)
    return game


def subjects(who: Who) -> Iterator[Subject]:
    for key, game in SHELF.items():
        yield Subject(key, game.title)


def aid(game: Game) -> Content:
    howto = HOWTO[game.key]
    return {
        "game": game.title,
        "kind": "aid",
        "aim": typeset(howto.aim),
        "glance": [typeset(line) for line in howto.glance],
        "sections": [[section.title, [typeset(line) for line in section.lines]] for section in howto.sections],
        "rulings": [[name, typeset(text)] for name, text in howto.rulings],
    }


# ── Score sheets ─────────────────────────────────────────────────────────────────────────────────────────


def _menagerie(deck: Deck) -> dict[str, Any]:
    """What one, two and three of each animal are worth; a seat writes down how many it has, and the points."""
    pictures = pack_of(deck).pictures
    rows = []
    for key in ANIMALS:
        factor = int(deck.row(key).values["factor"])
        worth = ", ".join(f"{count}: {animal_points(count, factor)}" for count in range(1, LIMIT + 1))
        rows.append({"name": pictures[key].name, "worth": worth})
    return {"rows": rows, "columns": ["animals", "points"], "key": "worth", "about": "points for so many of a type"}


def _monarchs(deck: Deck) -> dict[str, Any]:
    rows = [{"name": colour.capitalize(), "worth": COURT[colour][1]} for colour in COLOURS]
    return {"rows": rows, "columns": ["cards", "crowns", "points"], "key": "shape", "about": "cards times crowns"}


SCORES = {"menagerie": _menagerie, "monarchs": _monarchs}


def score(game: Game) -> Content:
    deck = house_deck(game.key)
    _, high = game.seating(deck)
    return {"game": game.title, "kind": "score", "seats": min(high, 4), **SCORES[game.key](deck)}


def scored(who: Who) -> Iterator[Subject]:
    return (subject for subject in subjects(who) if subject.key in SCORES)


def find_scored(who: Who, key: str) -> Game:
    by_key(SCORES, key)
    return find(who, key)


register(
    Sheet(
        "player-aid",
        "Player aid",
        "The rules of a card game on one sheet, for beside the cards.",
        CARDS,
        "games.typ",
        aid,
        find=find,
        name=lambda game: f"{game.title}: player aid",
        subjects=subjects,
    ),
    Sheet(
        "score-sheet",
        "Score sheet",
        "Score sheets for a card game, several to a page.",
        CARDS,
        "games.typ",
        score,
        find=find_scored,
        name=lambda game: f"{game.title}: score sheet",
        subjects=scored,
    ),
)
