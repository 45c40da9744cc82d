"""Compare a file with the group: which people, games and plays are new, known or doubtful."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from gamenights.plays.models import Play
from gamenights.plays.values import PlayFacts
from gamenights.shelf.models import Game
from gamenights.transfer.core import FileGame, FilePerson, LeftOut, PlaysFile
from gamenights.transfer.core.field_parsing import read_key
from gamenights.transfer.models import PersonKey
from gamenights.transfer.selectors import own_game_key, own_key
from groups.models import Group
from groups.selectors import people_of
from people.models import Person

NEW = "new"


@dataclass(frozen=True, slots=True)
class Doubtful:
    """A person of the file with a name that somebody here has too. The importer says who it is."""

    person: FilePerson
    plays: int
    namesakes: tuple[Person, ...]

    @property
    def field(self) -> str:
        return f"person-{self.person.key}"


@dataclass(frozen=True, slots=True)
class Comparison:
    new_plays: tuple[PlayFacts, ...]
    known_plays: int
    new_people: tuple[FilePerson, ...]
    known_people: Mapping[str, int]  # key in the file to id here
    doubtful: tuple[Doubtful, ...]
    new_games: tuple[FileGame, ...]
    known_games: Mapping[str, int]
    left_out: tuple[LeftOut, ...]


def compare_with_group(group: Group, file: PlaysFile) -> Comparison:
    uuids = set(Play.objects.filter(group=group).values_list("uuid", flat=True))
    here = uuids | {read_key("play", uuid) for uuid in uuids}
    new_plays = tuple(play for play in file.plays if play.uuid not in here)
    counts = Counter(player.person for play in new_plays for player in play.players if player.person)
    known = known_keys(group)
    members = people_of(group)
    unknown = [person for person in file.people if person.key in counts and person.key not in known]
    by_name: dict[str, list[Person]] = {}
    for member in members:
        by_name.setdefault(member.name.casefold(), []).append(member)
    doubtful = [
        Doubtful(person, counts[person.key], tuple(by_name[person.name.casefold()]))
        for person in unknown
        if person.name.casefold() in by_name
    ]
    asked = {one.person.key for one in doubtful}
    games = {play.game for play in new_plays}
    known_games = _match_games(group, file)
    return Comparison(
        new_plays=new_plays,
        known_plays=len(file.plays) - len(new_plays),
        new_people=tuple(person for person in unknown if person.key not in asked),
        known_people={key: known[key] for key in counts if key in known},
        doubtful=tuple(doubtful),
        new_games=tuple(game for game in file.games if game.key in games and game.key not in known_games),
        known_games=known_games,
        left_out=file.left_out,
    )


def known_keys(group: Group) -> dict[str, int]:
    """Keys of people whom somebody confirmed, and those that our own exports give out."""
    found = {own_key(group, person.pk): person.pk for person in people_of(group)}
    rows = PersonKey.objects.filter(group=group, person__forgotten_at=None).select_related("person")
    return found | {row.key: row.person.merged_into_id or row.person_id for row in rows}


def _match_games(group: Group, file: PlaysFile) -> dict[str, int]:
    rows = list(Game.objects.filter(group=group).values_list("pk", "uuid", "name_key"))
    by_key = {read_key("game", uuid): pk for pk, uuid, _ in rows if uuid} | {
        own_game_key(group, pk): pk for pk, _, _ in rows
    }
    by_name = {name: pk for pk, _, name in rows}
    found = {}
    for game in file.games:
        pk = by_key.get(game.key) or by_name.get(game.name.casefold())
        if pk:
            found[game.key] = pk
    return found
