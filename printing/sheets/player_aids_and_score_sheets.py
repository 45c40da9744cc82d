"""Player aids and score sheets for the card games."""

from __future__ import annotations

from collections.abc import Iterator

from cardgames.drawing import deck_pictures_of
from cardgames.drawing.monarchs_cards import COLOURS as COURT
from cardgames.engine import Deck, Game
from cardgames.games import HOWTO, SHELF, house_deck
from cardgames.games.majesty.player_numbers import MOST_PLAYERS
from cardgames.games.majesty.salon_arithmetic import LEVELS
from cardgames.games.majesty.scoring import TARGET
from cardgames.games.menagerie.deck_definition import ANIMALS
from cardgames.games.menagerie.scoring import LIMIT, animal_points
from cardgames.games.monarchs.deck_definition import COLOURS
from cardgames.games.moods.deck_definition import GENRES
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


# ── Score sheets ─────────────────────────────────────────────────────────────────────────────────────────


def _menagerie(deck: Deck) -> dict[str, object]:
    """Points for one, two and three of each animal."""
    pictures = deck_pictures_of(deck).pictures
    rows = []
    for key in ANIMALS:
        factor = int(str(deck.row(key).values["factor"]))
        worth = ", ".join(f"{count}: {animal_points(count, factor)}" for count in range(1, LIMIT + 1))
        rows.append({"name": pictures[key].name, "worth": worth})
    return {"rows": rows, "columns": ["animals", "points"], "key": "worth", "about": "points by number of a type"}


def _monarchs(deck: Deck) -> dict[str, object]:
    rows = [{"name": colour.capitalize(), "worth": COURT[colour][1]} for colour in COLOURS]
    return {"rows": rows, "columns": ["cards", "crowns", "points"], "key": "shape", "about": "cards times crowns"}


def _moods(deck: Deck) -> dict[str, object]:
    """A row for each genre, with the Mood it pleases; at the show one ticks what each play has."""
    moods = {str(row.values["genre"]): str(row.values["name"]) for row in deck.group("mood")}
    rows = [{"name": genre.capitalize(), "worth": moods[genre]} for genre in GENRES]
    return {
        "rows": rows,
        "columns": ["acts", "Muse"],
        "key": "Mood",
        "about": "circle the King's Mood",
        "total": "Wins",
    }


def _majesty(deck: Deck) -> dict[str, object]:
    """Prestige of each court, with what a salon asks for below; six courts side by side."""
    rows = [
        {"name": "Philosophes", "worth": "1 or 2"},
        *({"name": f"Reforms of level {level}", "worth": str(level)} for level in LEVELS),
        {"name": "Slave colonies", "worth": "−1, 0 after Abolition"},
        {"name": "Scandals", "worth": "+1 difficulty"},
        {"name": "Wealth", "worth": "seats in a salon"},
    ]
    return {
        "rows": rows,
        "columns": ["court"],
        "key": "each",
        "about": f"{TARGET} prestige wins at once",
        "total": "Prestige",
        "seats": MOST_PLAYERS,
    }


SCORE_SHEETS = {"menagerie": _menagerie, "monarchs": _monarchs, "moods": _moods, "majesty": _majesty}


def score_sheet(game: Game) -> Content:
    deck = house_deck(game.key)
    _, high = game.seat_limits(deck)
    return {"game": game.title, "kind": "score", "seats": min(high, 4), **SCORE_SHEETS[game.key](deck)}


def scored_games(who: Who) -> Iterator[Subject]:
    return (subject for subject in subjects(who) if subject.key in SCORE_SHEETS)


def find_scored(who: Who, key: str) -> Game:
    get_row_or_404(SCORE_SHEETS, key)
    return find(who, key)


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
