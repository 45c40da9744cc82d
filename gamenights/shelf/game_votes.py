"""Votes for a game of the night."""

from __future__ import annotations

from cardgames.games import SHELF, house_deck
from gamenights.nights.models import Night
from gamenights.nights.permissions import require_part
from gamenights.plays.services import find_or_add_game
from gamenights.shelf.models import Game, GameVote
from gamenights.shelf.selectors import OWN
from groups.models import Group
from groups.services import write_to_log
from log.services import LogWriter
from pages.number_parsing import parse_int
from people.requester import Who
from refusal import Refusal


def vote_for_game(night: Night, who: Who, *, key: str, game: str) -> None:
    """Vote for a game tonight; a second vote takes the first back."""
    require_part(night, who)
    person = who.require_person()
    found = _find_game(night.group, game)

    def change(_: LogWriter) -> dict[str, object]:
        mine = GameVote.objects.filter(night=night, game=found, person__in=person.all_ids())
        if mine.exists():
            mine.delete()
            return {"votes": False}
        GameVote.objects.create(night=night, game=found, person=person)
        return {"votes": True}

    write_to_log(night.group, who, key, "game_vote", change, night=night.pk, game=found.pk)


def _find_game(group: Group, key: str) -> Game:
    own = key.removeprefix(OWN)
    if key.startswith(OWN) and own in SHELF:
        low, high = SHELF[own].seat_limits(house_deck(own))
        facts = {"own_key": own, "players_min": low, "players_max": high}
        return Game.objects.filter(group=group, own_key=own).first() or find_or_add_game(group, SHELF[own].title, facts)
    game = Game.objects.filter(group=group, pk=parse_int(key) or 0).first()
    if game is None:
        raise Refusal("This game is not on the shelf.", field="game", status=404)
    return game
