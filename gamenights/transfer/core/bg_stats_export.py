"""Write plays in the form of a BG Stats export. Reading the file again gives the same plays."""

from __future__ import annotations

import datetime as dt
import json

from gamenights.plays.values import PlayerResult, PlayFacts, Scoring
from gamenights.transfer.core.bg_stats_import import OURS
from gamenights.transfer.core.field_parsing import make_key
from gamenights.transfer.core.plays_file import FileGame, PlaysFile

_ANONYMOUS_ID = 0


def write_bg_stats(file: PlaysFile, zone: dt.tzinfo) -> bytes:
    game_ids = {game.key: at for at, game in enumerate(file.games, 1)}
    person_ids = {person.key: at for at, person in enumerate(file.people, 1)}
    places = sorted({play.location for play in file.plays if play.location})
    place_ids = {name: at for at, name in enumerate(places, 1)}
    teams = {play.game for play in file.plays if play.has_teams}
    body = {
        "games": [_game(game, game_ids[game.key], game.key in teams) for game in file.games],
        "players": [
            {
                "id": person_ids[person.key],
                "uuid": person.key,
                "name": person.name,
                "isAnonymous": False,
                "bggUsername": person.bgg_username,
            }
            for person in file.people
        ]
        + [{"id": _ANONYMOUS_ID, "uuid": make_key("anonymous"), "name": "Anonymous", "isAnonymous": True}],
        "locations": [{"id": place_ids[name], "uuid": make_key("place", name), "name": name} for name in places],
        "plays": [_play(play, game_ids[play.game], place_ids, person_ids, zone) for play in file.plays],
    }
    return json.dumps(body, ensure_ascii=False, indent=1).encode()


def _game(game: FileGame, number: int, has_teams: bool) -> dict[str, object]:
    return {
        "id": number,
        "uuid": game.key,
        "name": game.name,
        "bggId": game.bgg_id or 0,
        "bggName": game.name,
        "cooperative": game.scoring is Scoring.COOPERATIVE,
        "highestWins": game.scoring is not Scoring.LOW,
        "noPoints": game.scoring is Scoring.NONE,
        "usesTeams": has_teams,
        "minPlayerCount": game.fewest_players or 0,
        "maxPlayerCount": game.most_players or 0,
        "maxPlayTime": game.minutes or 0,
    }


def _play(
    play: PlayFacts, game_id: int, place_ids: dict[str, int], person_ids: dict[str, int], zone: dt.tzinfo
) -> dict[str, object]:
    started = play.started_at.astimezone(zone) if play.started_at else None
    ours: dict[str, object] = {"scoring": play.scoring.value, "variant": play.variant.key, "rated": play.rated}
    if started and started.date() != play.day:
        ours["day"] = play.day.isoformat()  # a play after midnight belongs to the evening before
    return {
        "uuid": play.uuid,
        "gameRefId": game_id,
        "locationRefId": place_ids.get(play.location, 0),
        "playDate": _stamp(started) if started else f"{play.day} 00:00:00",
        "playDateYmd": int(f"{(started.date() if started else play.day):%Y%m%d}"),
        "entryDate": _stamp(play.logged_at.astimezone(zone)) if play.logged_at else "",
        "durationMin": play.minutes or 0,
        "ignored": not play.counted,
        "manualWinner": True,
        "usesTeams": play.has_teams,
        "board": play.board,
        "comments": play.notes,
        "playerScores": [_player(player, at, person_ids) for at, player in enumerate(play.players, 1)],
        OURS: ours,
    }


def _player(player: PlayerResult, seat: int, person_ids: dict[str, int]) -> dict[str, object]:
    row: dict[str, object] = {
        "playerRefId": person_ids.get(player.person, _ANONYMOUS_ID),
        "score": player.score_text,
        "winner": player.won,
        "rank": player.place or 0,
        "startPlayer": player.started,
        "newPlayer": player.new,
        "seatOrder": seat,
        "role": player.role,
        "team": player.team,
    }
    if player.person not in person_ids:
        row["anonymousName"] = player.name
    if player.bot:
        row[OURS] = {"bot": True}
    return row


def _stamp(moment: dt.datetime) -> str:
    """With seconds, and never midnight sharp, which would mean "no hour"."""
    if moment.time().replace(microsecond=0) == dt.time():
        moment += dt.timedelta(seconds=1)
    return f"{moment:%Y-%m-%d %H:%M:%S}"
