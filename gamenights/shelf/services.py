"""Writes of the shelf: games and their facts."""

from __future__ import annotations

from django.db import IntegrityError

from gamenights.shelf.entries import SaveGame
from gamenights.shelf.models import Game
from groups.models import Group
from groups.permissions import require_member
from groups.services import write_to_log
from log.services import LogWriter
from pages.fields.rows import put
from people.requester import Who
from refusal import Refusal

MAX_GAMES = 2000
ON_SHELF = "This game is already on the shelf."


def save_game(group: Group, who: Who, key: str, sent: SaveGame, *, game: Game | None) -> Game:
    """Add a game to the shelf, or change its facts."""
    require_member(group, who)
    if sent.players_min and sent.players_max and sent.players_min > sent.players_max:
        raise Refusal("The most players must be at least the fewest.", field="players_max")

    def change(_: LogWriter) -> dict[str, object]:
        games = Game.objects.filter(group=group)
        if games.filter(name_key=sent.name.casefold()).exclude(pk=game.pk if game else None).exists():
            raise Refusal(ON_SHELF, field="name")
        if game is None and games.count() >= MAX_GAMES:
            raise Refusal(f"A shelf holds at most {MAX_GAMES:,} games.", field="name")
        row = game or Game(group=group)
        put(row, sent)
        row.save()
        return {"game": row.pk}

    try:
        act = "game_changed" if game else "game_added"
        answer = write_to_log(group, who, key, act, change, sent, game=game.pk if game else None)
    except IntegrityError:
        raise Refusal(ON_SHELF, field="name") from None
    return Game.objects.get(pk=answer["game"])
