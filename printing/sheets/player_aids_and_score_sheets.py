"""Player aids and score sheets for the card games."""

from __future__ import annotations

from collections.abc import Iterator

from django.http import Http404

from cardgames.engine import Game
from cardgames.games import HOWTO, SHELF, house_deck
from people.requester import Who
from printing.sheet_registry import CARDS, Content, Sheet, Subject, get_row_or_404, register_sheets
from printing.typographic_characters import typeset


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
