"""Import the plays of a file: all of them or none; importing twice adds nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from gamenights.plays import services as plays_services
from gamenights.plays.entries import ImportPlays
from gamenights.plays.values import PlayFacts
from gamenights.transfer.comparison_with_group import NEW, Comparison, compare_with_group
from gamenights.transfer.core import PlaysFile
from gamenights.transfer.models import PersonKey
from groups import codec
from groups import services as groups_services
from groups.models import Group, Member
from groups.permissions import require_member
from log import services as log_services
from log.services import LogWriter
from people.guests import services as guests_services
from people.models import Person
from people.requester import Who
from refusal import Refusal


def import_plays(
    group: Group, who: Who, *, key: str, file: PlaysFile, digest: str, answers: Mapping[str, str]
) -> dict[str, object]:
    """Import what is new. ``answers`` says for each doubtful person which person here they are, or ``new``."""
    require_member(group, who)
    importer = who.require_person()

    def work(writer: LogWriter) -> dict[str, object]:
        found = compare_with_group(group, file)
        people = _find_people(group, importer, found, answers)
        games = _find_games(group, found)
        plays = [_with_our_keys(play, people, games) for play in found.new_plays]
        plays_services.append_plays(group, writer, importer.pk, plays, "imported")
        return {"plays": len(plays), "people": len(found.new_people), "known": found.known_plays}

    act = ImportPlays(digest, dict(answers))
    sent = {"act": act.key, **codec.write_entry(act)}
    return log_services.write(group.log_id, who=who.ref, key=key, body=sent, act=work)


def _find_people(group: Group, importer: Person, found: Comparison, answers: Mapping[str, str]) -> dict[str, int]:
    """The person here for every key in the file. People who are new become guests of the importer."""
    people = dict(found.known_people)
    new = list(found.new_people)
    for one in found.doubtful:
        answer = answers.get(one.field, "")
        if answer == NEW:
            new.append(one.person)
        elif answer in {str(person.pk) for person in one.namesakes}:
            people[one.person.key] = int(answer)
            PersonKey.objects.update_or_create(group=group, key=one.person.key, defaults={"person_id": int(answer)})
        else:
            raise Refusal(f"Choose who {one.person.name} is.", field=one.field)
    for person in new:
        row = guests_services.create_guest(person.name, importer)
        groups_services.add_member(group, row, Member.Role.GUEST)
        PersonKey.objects.update_or_create(group=group, key=person.key, defaults={"person": row})
        people[person.key] = row.pk
    return people


def _find_games(group: Group, found: Comparison) -> dict[str, int]:
    games = dict(found.known_games)
    for game in found.new_games:
        defaults = {
            "scoring": game.scoring.value,
            "bgg_id": game.bgg_id,
            "players_min": game.fewest_players,
            "players_max": game.most_players,
            "minutes": game.minutes,
            "uuid": game.key,
        }
        games[game.key] = plays_services.find_or_add_game(group, game.name, defaults).pk
    return games


def _with_our_keys(play: PlayFacts, people: Mapping[str, int], games: Mapping[str, int]) -> PlayFacts:
    players = tuple(replace(one, person=str(people[one.person]) if one.person else "") for one in play.players)
    return replace(play, game=str(games[play.game]), players=players)
