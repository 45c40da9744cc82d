"""Read a BG Stats export. Any field may be missing or of an odd type; unknown fields are passed over."""

import datetime as dt
import json
from collections.abc import Iterator, Mapping
from typing import Any

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

# What BG Stats has no field for travels in this one, in plays and in playerScores.
OURS = "miceAtArms"

Row = Mapping[str, Any]


def read_bg_stats(text: str, today: dt.date, zone: dt.tzinfo) -> PlaysFile:
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        raise Refusal("This file is not complete JSON. Export it again and send the new file.", field="file") from None
    if not isinstance(body, dict) or not any(
        isinstance(body.get(name), list) for name in ("plays", "games", "players")
    ):
        raise Refusal("This is not a BG Stats export: it has no list of plays.", field="file")
    return _Reader(body, today, zone).read()


class _Reader:
    def __init__(self, body: Row, today: dt.date, zone: dt.tzinfo) -> None:
        self.body = body
        self.zone = zone
        self.into = Collector(today)
        self.person_refs: dict[str, FilePerson | None] = {}  # None: an anonymous player
        self.game_refs: dict[str, FileGame] = {}
        self.places: dict[str, str] = {}

    def read(self) -> PlaysFile:
        for at, row in self.rows("players"):
            self.read_person(at, row)
        for at, row in self.rows("games"):
            self.read_game(at, row)
        for _, row in self.rows("locations"):
            self.places.setdefault(read_line(row.get("id")), read_line(row.get("name"), MAX_NAME))
        for at, row in self.rows("plays"):
            self.read_play(at, row)
        return self.into.finish()

    def rows(self, name: str) -> Iterator[tuple[int, Row]]:
        rows = self.body.get(name)
        for at, row in enumerate(rows if isinstance(rows, list) else [], 1):
            if isinstance(row, dict):
                yield at, row
            else:
                self.into.leave_out(name.removesuffix("s"), f"Row {at} of {name}", "It is not a JSON object.")

    def read_person(self, at: int, row: Row) -> None:
        ref = read_line(row.get("id"))
        name = read_line(row.get("name"), MAX_NAME)
        if ref in self.person_refs:
            self.into.leave_out(
                "person", name or f"Player {at}", f"Two players have the number {ref}. The first counts."
            )
        elif read_flag(row.get("isAnonymous")):
            self.person_refs[ref] = None
        elif not name:
            self.into.leave_out("person", f"Player {at}", "They have no name.")
        else:
            username = read_line(row.get("bggUsername"), MAX_NAME)
            person = FilePerson(
                read_key("person", row.get("uuid")) or make_key("person", name.casefold()), name, username
            )
            self.person_refs[ref] = person
            self.into.add_person(person)

    def read_game(self, at: int, row: Row) -> None:
        ref = read_line(row.get("id"))
        name = read_line(row.get("name"), MAX_NAME) or read_line(row.get("bggName"), MAX_NAME)
        if ref in self.game_refs:
            self.into.leave_out("game", name or f"Game {at}", f"Two games have the number {ref}. The first counts.")
        elif not name:
            self.into.leave_out("game", f"Game {at}", "It has no name.")
        else:
            game = FileGame(
                key=read_key("game", row.get("uuid")) or make_key("game", name.casefold()),
                name=name,
                scoring=_read_scoring(row),
                bgg_id=read_number(row.get("bggId")),
                fewest_players=read_number(row.get("minPlayerCount"), 1000),
                most_players=read_number(row.get("maxPlayerCount"), 1000),
                minutes=read_number(row.get("maxPlayTime"), MAX_MINUTES),
            )
            self.game_refs[ref] = game
            self.into.add_game(game)

    def read_play(self, at: int, row: Row) -> None:
        which = f"Play {at}"
        game = self.game_refs.get(read_line(row.get("gameRefId")))
        if game is None:
            self.into.leave_out("play", which, "Its game is not in the file.")
            return
        ours = _read_ours(row)
        try:
            day, started_at = read_moment(row.get("playDate") or row.get("playDateYmd"), self.zone)
            day = read_moment(ours["day"], self.zone)[0] if "day" in ours else day
            players = self.read_players(row)
        except Refusal as refused:
            self.into.leave_out("play", f"{which}, {game.name}", refused.sentence)
            return
        words = read_line(ours.get("scoring"))
        scoring = Scoring(words) if words in set(Scoring) else game.scoring
        variant = Variant.from_key(read_line(ours.get("variant"))) if ours else Variant(solo=len(players) == 1)
        play = PlayFacts(
            uuid=read_key("play", row.get("uuid"))
            or self.into.make_play_key(
                day, started_at, game.key, [(player.name, player.score_text) for player in players]
            ),
            game=game.key,
            game_name=game.name,
            day=day,
            players=players,
            scoring=scoring,
            variant=variant,
            started_at=started_at,
            logged_at=self.read_logged_at(row),
            minutes=read_number(row.get("durationMin"), MAX_MINUTES),
            rated=read_flag(ours["rated"]) if "rated" in ours else is_rated_by_default(variant, scoring, players),
            counted=not read_flag(row.get("ignored")),
            location=self.read_place(which, row),
            board=read_line(row.get("board"), MAX_NAME),
            notes=self.read_notes(which, row),
        )
        self.into.add_play(play, which)

    def read_players(self, row: Row) -> tuple[PlayerResult, ...]:
        scores = row.get("playerScores")
        has_teams = row.get("usesTeams") is not False
        return tuple(
            self.read_player(score, has_teams)
            for score in (scores if isinstance(scores, list) else [])
            if isinstance(score, dict)
        )

    def read_player(self, row: Row, has_teams: bool) -> PlayerResult:
        ref = read_line(row.get("playerRefId"))
        anonymous = read_line(row.get("anonymousName"), MAX_NAME)
        if ref not in self.person_refs and not anonymous:
            raise Refusal(f"Player {ref} is not in the file." if ref else "One of its players has no number.")
        person = self.person_refs.get(ref)
        return PlayerResult(
            person=person.key if person else "",
            name=person.name if person else anonymous or ANONYMOUS,
            score_text=read_line(row.get("score"), MAX_SCORE),
            team=read_line(row.get("team"), MAX_NAME) if has_teams else "",
            role=read_line(row.get("role"), MAX_NAME) or read_line(row.get("teamRole"), MAX_NAME),
            place=read_number(row.get("rank"), 100),
            won=read_flag(row.get("winner")),
            started=read_flag(row.get("startPlayer")),
            new=read_flag(row.get("newPlayer")),
            bot=read_flag(_read_ours(row).get("bot")),
        )

    def read_place(self, which: str, row: Row) -> str:
        ref = read_line(row.get("locationRefId"))
        if ref not in ("", "0") and ref not in self.places:
            self.into.leave_out("place", which, "Its place is not in the file. The play is imported without it.")
        return self.places.get(ref, "")

    def read_notes(self, which: str, row: Row) -> str:
        notes = read_text(row.get("comments"), MAX_NOTES + 1)
        if len(notes) > MAX_NOTES:
            self.into.leave_out("text", which, f"Its notes are cut to {MAX_NOTES:,} characters.")
        return notes[:MAX_NOTES].strip()

    def read_logged_at(self, row: Row) -> dt.datetime | None:
        try:
            return read_moment(row.get("entryDate"), self.zone)[1]
        except Refusal:
            return None


def _read_scoring(row: Row) -> Scoring:
    if read_flag(row.get("cooperative")):
        return Scoring.COOPERATIVE
    if read_flag(row.get("noPoints")):
        return Scoring.NONE
    return Scoring.HIGH if read_flag(row.get("highestWins", True)) else Scoring.LOW


def _read_ours(row: Row) -> Row:
    ours = row.get(OURS)
    return ours if isinstance(ours, dict) else {}


# ── Writing ────────────────────────────────────────────────────────────────────────────────────────────

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
