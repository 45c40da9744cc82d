"""Write plays in BoardGameGeek's XML. Anything it has no attribute for goes into attributes of our own."""

from __future__ import annotations

import datetime as dt
from xml.etree import ElementTree as xml

from gamenights.plays.values import PlayerResult, PlayFacts
from gamenights.transfer.core.plays_file import FileGame, FilePerson, PlaysFile


def write_bgg_xml(file: PlaysFile, zone: dt.tzinfo) -> bytes:
    games = {game.key: game for game in file.games}
    people = {person.key: person for person in file.people}
    root = xml.Element("plays", total=str(len(file.plays)), page="1")
    for at, play in enumerate(file.plays, 1):
        _add_play(root, at, play, games[play.game], people, zone)
    xml.indent(root, " ")
    return b'<?xml version="1.0" encoding="utf-8"?>\n' + xml.tostring(root, encoding="unicode").encode()


def _add_play(
    root: xml.Element, at: int, play: PlayFacts, game: FileGame, people: dict[str, FilePerson], zone: dt.tzinfo
) -> None:
    row = xml.SubElement(
        root,
        "play",
        id="0",
        uuid=play.uuid,
        date=play.day.isoformat(),
        quantity="1",
        length=str(play.minutes or 0),
        incomplete="0",
        nowinstats=str(int(not play.counted)),
        location=play.location,
        scoring=play.scoring.value,
        variant=play.variant.key,
        rated=str(int(play.rated)),
        board=play.board,
    )
    if play.started_at:
        row.set("started", play.started_at.astimezone(zone).replace(microsecond=0).isoformat())
    item = xml.SubElement(
        row, "item", name=game.name, objecttype="thing", objectid=str(game.bgg_id or 0), uuid=game.key
    )
    xml.SubElement(xml.SubElement(item, "subtypes"), "subtype", value="boardgame")
    if play.notes:
        xml.SubElement(row, "comments").text = play.notes
    players = xml.SubElement(row, "players")
    for player in play.players:
        _add_player(players, player, people.get(player.person))


def _add_player(players: xml.Element, player: PlayerResult, person: FilePerson | None) -> None:
    row = xml.SubElement(
        players,
        "player",
        username=person.bgg_username if person else "",
        userid="0",
        name=player.name,
        startposition="1" if player.started else "",
        color=player.team or player.role,
        score=player.score_text,
        new=str(int(player.new)),
        rating="0",
        win=str(int(player.won)),
        team=player.team,
        role=player.role,
    )
    if player.place:
        row.set("place", str(player.place))
    if player.bot:
        row.set("bot", "1")
    if person:
        row.set("uuid", person.key)
    else:
        row.set("anonymous", "1")
