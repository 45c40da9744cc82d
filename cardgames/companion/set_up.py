"""How a game with printed cards is set up, in words."""

from __future__ import annotations

from cardgames.engine import Deck, Game
from cardgames.games.majesty import companion as majesty
from cardgames.games.menagerie import companion as menagerie
from cardgames.games.monarchs import companion as monarchs
from cardgames.games.moods import companion as moods


def set_up_steps(game: Game, deck: Deck, seats: int, brisk: bool = False) -> list[str]:
    if game.key == "menagerie":
        return menagerie.set_up(deck)
    if game.key == "moods":
        return moods.set_up(deck, seats)
    if game.key == "majesty":
        return majesty.set_up(deck, seats)
    return monarchs.set_up(seats, deck, brisk)
