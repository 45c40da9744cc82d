"""Writes of the shelf: games and their facts."""

from __future__ import annotations

from dataclasses import fields

from django.db import IntegrityError

from gamenights.shelf.entries import GameAdded, GameChanged, GameFacts
from gamenights.shelf.models import Game
from groups.models import Group
from groups.permissions import require_member
from groups.services import write_to_log
from log.services import LogWriter
from people.name_validation import clean_text
from people.requester import Who
from refusal import Refusal

FIELDS = tuple(one.name for one in fields(GameFacts))
MAX_GAMES = 2000
ON_SHELF = "This game is already on the shelf."


def save_game(group: Group, who: Who, *, key: str, game: Game | None, facts: GameFacts) -> Game:
    """Add a game to the shelf, or change its facts."""
    require_member(group, who)
    values = {name: getattr(facts, name) for name in FIELDS} | {"name": clean_text(facts.name)}
    entry = GameChanged(game=game.pk, **values) if game else GameAdded(**values)
    if facts.players_min and facts.players_max and facts.players_min > facts.players_max:
        raise Refusal("The most players must be at least the fewest.", field="players_max")

    def change(_: LogWriter) -> dict[str, object]:
        games = Game.objects.filter(group=group)
        if games.filter(name_key=values["name"].casefold()).exclude(pk=game.pk if game else None).exists():
            raise Refusal(ON_SHELF, field="name")
        if game is None and games.count() >= MAX_GAMES:
            raise Refusal(f"A shelf holds at most {MAX_GAMES:,} games.", field="name")
        row = game or Game(group=group)
        for name in FIELDS:
            setattr(row, name, getattr(entry, name))
        row.save()
        return {"game": row.pk}

    try:
        answer = write_to_log(group, who, key, entry, change)
    except IntegrityError:
        raise Refusal(ON_SHELF, field="name") from None
    return Game.objects.get(pk=answer["game"])
