"""Read plays in BoardGameGeek's XML. Entities and outside references are refused."""

import datetime as dt
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from xml.etree import ElementTree as xml
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from gamenights.plays.values import (
    MAX_MINUTES,
    MAX_NAME,
    MAX_NOTES,
    MAX_SCORE,
    PlayerResult,
    PlayFacts,
    Scoring,
    Variant,
    is_rated_by_default,
    read_score,
)
from gamenights.transfer.core.parsed_plays import (
    ANONYMOUS,
    Collector,
    FileGame,
    FilePerson,
    PlaysFile,
    make_key,
    read_flag,
    read_key,
    read_line,
    read_moment,
    read_number,
    read_text,
)
from refusal import Refusal

_MAX_ALIKE = 100  # plays entered as one row with a quantity


def read_bgg_xml(data: bytes, today: dt.date, zone: dt.tzinfo) -> PlaysFile:
    try:
        root = fromstring(data, forbid_dtd=True)
    except DefusedXmlException:
        raise Refusal(
            "This XML file declares entities, which files from BoardGameGeek never do. It was not read.", field="file"
        ) from None
    except (ParseError, ValueError, LookupError, RecursionError):
        raise Refusal("This file is not complete XML. Download it again and send the new file.", field="file") from None
    if root.tag != "plays":
        raise Refusal("This is not a list of plays from BoardGameGeek.", field="file")
    into = Collector(today)
    for at, row in enumerate(root.iter("play"), 1):
        _read_play(into, f"Play {at}", row, zone)
    return into.finish()


def _read_play(into: Collector, which: str, row: Element, zone: dt.tzinfo) -> None:
    item = row.find("item")
    name = read_line(item.get("name"), MAX_NAME) if item is not None else ""
    if item is None or not name:
        into.leave_out("play", which, "It does not name a game.")
        return
    if read_flag(row.get("incomplete")):
        into.leave_out("play", f"{which}, {name}", "It was not finished.")
        return
    try:
        day, _ = read_moment(row.get("date"), zone)
        started_at = read_moment(row.get("started"), zone)[1] if row.get("started") else None
    except Refusal as refused:
        into.leave_out("play", f"{which}, {name}", refused.sentence)
        return
    players = _read_players(into, row.findall("players/player"))
    given = row.get("scoring")
    scoring = Scoring(given) if given in set(Scoring) else _guess_scoring(players)
    bgg_id = read_number(item.get("objectid"))
    game = FileGame(
        read_key("game", item.get("uuid")) or make_key("game", f"bgg {bgg_id}" if bgg_id else name.casefold()),
        name,
        scoring,
        bgg_id,
    )
    into.add_game(game)
    variant = Variant.from_key(read_line(row.get("variant"))) if given else Variant(solo=len(players) == 1)
    number = read_line(row.get("id"))
    play = PlayFacts(
        uuid=read_key("play", row.get("uuid")),
        game=game.key,
        game_name=name,
        day=day,
        players=players,
        scoring=scoring,
        variant=variant,
        started_at=started_at,
        minutes=read_number(row.get("length"), MAX_MINUTES),
        rated=read_flag(row.get("rated")) if row.get("rated") else is_rated_by_default(variant, scoring, players),
        counted=not read_flag(row.get("nowinstats")),
        location=read_line(row.get("location"), MAX_NAME),
        board=read_line(row.get("board"), MAX_NAME),
        notes=read_text(row.findtext("comments"), MAX_NOTES),
    )
    for copy in range(min(read_number(row.get("quantity")) or 1, _MAX_ALIKE)):
        if number and number != "0":
            key = make_key("play", "bgg", number, copy)
        else:
            key = into.make_play_key(day, game.key, [(player.name, player.score_text) for player in players])
        into.add_play(replace(play, uuid=play.uuid if play.uuid and not copy else key), which)


def _read_players(into: Collector, rows: Sequence[Element]) -> tuple[PlayerResult, ...]:
    colours = [read_line(row.get("color"), MAX_NAME) for row in rows]
    count = Counter(colours)
    return tuple(_read_player(into, row, colour, count[colour] > 1) for row, colour in zip(rows, colours, strict=True))


def _read_player(into: Collector, row: Element, colour: str, is_team: bool) -> PlayerResult:
    username = read_line(row.get("username"), MAX_NAME)
    name = read_line(row.get("name"), MAX_NAME) or username
    key = ""
    if name and not read_flag(row.get("anonymous")):
        given = read_key("person", row.get("uuid"))
        key = given or make_key("person", f"bgg {username.casefold()}" if username else name.casefold())
        into.add_person(FilePerson(key, name, username))
    return PlayerResult(
        person=key,
        name=name or ANONYMOUS,
        score_text=read_line(row.get("score"), MAX_SCORE),
        team=read_line(row.get("team"), MAX_NAME) if row.get("team") is not None else colour if is_team else "",
        role=read_line(row.get("role"), MAX_NAME),
        place=read_number(row.get("place"), 100),
        won=read_flag(row.get("win")),
        started=read_line(row.get("startposition")) == "1",
        new=read_flag(row.get("new")),
        bot=read_flag(row.get("bot")),
    )


def _guess_scoring(players: Sequence[PlayerResult]) -> Scoring:
    """BoardGameGeek does not say who wins a game; the winners' scores do."""
    if len(players) > 1 and all(player.won for player in players):
        return Scoring.COOPERATIVE
    scores: dict[bool, list[float]] = {True: [], False: []}
    for player in players:
        try:
            score = read_score(player.score_text)
        except Refusal:
            continue
        if score is not None:
            scores[player.won].append(float(score))
    if not scores[True] and not scores[False]:
        return Scoring.NONE
    if scores[True] and scores[False] and max(scores[True]) < min(scores[False]):
        return Scoring.LOW
    return Scoring.HIGH


# ── Writing ────────────────────────────────────────────────────────────────────────────────────────────


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
