"""The group as a file of plays, with keys of people and games that stay the same."""

from __future__ import annotations

from dataclasses import replace

from gamenights.plays.selectors import load_facts, plays_of_group
from gamenights.plays.values import Scoring
from gamenights.shelf.models import Game
from gamenights.transfer.core import FileGame, FilePerson, PlaysFile
from gamenights.transfer.core.field_parsing import make_key, read_key
from gamenights.transfer.models import PersonKey
from groups.models import Group


def own_key(group: Group, person: int) -> str:
    return make_key("member", group.code, person)


def own_game_key(group: Group, game: int) -> str:
    return make_key("group game", group.code, game)


def load_as_file(group: Group) -> PlaysFile:
    """All plays of the group, with keys that stay the same."""
    plays = load_facts(plays_of_group(group))
    keys: dict[str, str] = {}
    for row in PersonKey.objects.filter(group=group).select_related("person").order_by("-pk"):
        keys[str(row.person.merged_into_id or row.person_id)] = row.key
    names = {one.person: one.name for play in plays for one in play.players if one.person}
    person_keys = {person: keys.get(person) or own_key(group, int(person)) for person in names}
    wanted = {int(play.game) for play in plays}
    games = {str(game.pk): game for game in Game.objects.filter(group=group, pk__in=wanted)}
    game_keys = {pk: read_key("game", game.uuid) or own_game_key(group, game.pk) for pk, game in games.items()}
    return PlaysFile(
        people=tuple(FilePerson(person_keys[person], name) for person, name in names.items()),
        games=tuple(
            FileGame(
                game_keys[pk],
                game.name,
                Scoring(game.scoring),
                game.bgg_id,
                game.players_min,
                game.players_max,
                game.minutes,
            )
            for pk, game in games.items()
        ),
        plays=tuple(
            replace(
                play,
                uuid=read_key("play", play.uuid),
                game=game_keys[play.game],
                players=tuple(replace(one, person=person_keys.get(one.person, "")) for one in play.players),
            )
            for play in plays
        ),
    )
