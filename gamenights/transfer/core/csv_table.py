"""Read plays from a table: one row for each player of a play. Commas, semicolons or tabs."""

import csv
import datetime as dt
import io
from collections.abc import Iterator, Mapping

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

COLUMNS = (
    "play", "date", "started", "game", "bgg id", "scoring", "variant", "minutes", "place name", "board",
    "player", "person", "score", "team", "role", "place", "won", "start player", "new", "bot",
    "rated", "counted", "game key", "notes",
)  # fmt: skip
_OTHER_WORDS = {
    "day": "date",
    "name": "player",
    "winner": "won",
    "win": "won",
    "points": "score",
    "rank": "place",
    "location": "place name",
    "length": "minutes",
    "duration": "minutes",
    "comments": "notes",
    "uuid": "play",
}
_RISKY = ("=", "+", "-", "@", "\t", "\r", "|", "%")

Row = Mapping[str, str]


def guard_cell(text: str) -> str:
    """A text that no spreadsheet takes for a formula: it starts with an apostrophe."""
    bare = text.lstrip("'")
    risky = bare.startswith(_RISKY) and not _is_plain_number(text)
    return f"'{text}" if risky else text


def unguard_cell(text: str) -> str:
    return text[1:] if text.startswith("'") and text.lstrip("'").startswith(_RISKY) else text


def _is_plain_number(text: str) -> bool:
    return text.removeprefix("-").replace(".", "", 1).isdigit() and text.isascii()


def read_csv(text: str, today: dt.date, zone: dt.tzinfo) -> PlaysFile:
    into = Collector(today)
    for which, rows in _group_rows(_read_rows(text)):
        _read_play(into, which, rows, zone)
    return into.finish()


def _read_rows(text: str) -> Iterator[tuple[int, Row]]:
    first = text.split("\n", 1)[0]
    delimiter = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=False)
    try:
        head = [_OTHER_WORDS.get(word, word) for word in (read_line(cell).casefold() for cell in next(reader, []))]
        missing = [word for word in ("date", "game", "player") if word not in head]
        if missing:
            raise Refusal(f"The first row must name the columns. Missing: {', '.join(missing)}.", field="file")
        for cells in reader:
            if any(cells):
                yield reader.line_num, dict(zip(head, map(unguard_cell, cells), strict=False))
    except csv.Error:
        raise Refusal(
            "This table is damaged: a cell is too long or its closing quote is missing.", field="file"
        ) from None


def _group_rows(rows: Iterator[tuple[int, Row]]) -> Iterator[tuple[str, list[Row]]]:
    """Rows with the same word in "play" belong together; without that column, rows of one day and game do."""
    groups: dict[tuple[str, ...], list[Row]] = {}
    names: dict[tuple[str, ...], set[str | None]] = {}
    lines: dict[tuple[str, ...], int] = {}
    again = 0
    last: tuple[str, ...] = ()
    for line, row in rows:
        key: tuple[str, ...] = (
            (row["play"],) if row.get("play") else ("", row.get("date", ""), row.get("game", ""), str(again))
        )
        if not row.get("play") and (key[:3] != last[:3] or row.get("player") in names.get(key, ())):
            again += 1
            key = (*key[:3], str(again))
        groups.setdefault(key, []).append(row)
        names.setdefault(key, set()).add(row.get("player"))
        lines.setdefault(key, line)
        last = key
    for key, of_play in groups.items():
        yield f"Row {lines[key]}", of_play


def _read_play(into: Collector, which: str, rows: list[Row], zone: dt.tzinfo) -> None:
    first = rows[0]
    name = read_line(first.get("game"), MAX_NAME)
    if not name:
        into.leave_out("play", which, "It does not name a game.")
        return
    try:
        day, hour = read_moment(first.get("date"), zone)
        started_at = read_moment(first["started"], zone)[1] if first.get("started") else hour
    except Refusal as refused:
        into.leave_out("play", f"{which}, {name}", refused.sentence)
        return
    players = tuple(_read_player(into, row) for row in rows if read_line(row.get("player")))
    words = read_line(first.get("scoring")).casefold()
    scoring = Scoring(words) if words in set(Scoring) else Scoring.HIGH
    bgg_id = read_number(first.get("bgg id"))
    game = FileGame(read_key("game", first.get("game key")) or make_key("game", name.casefold()), name, scoring, bgg_id)
    into.add_game(game)
    variant = Variant.from_key(read_line(first["variant"])) if "variant" in first else Variant(solo=len(players) == 1)
    given = read_key("play", first.get("play"))
    into.add_play(
        PlayFacts(
            uuid=given or into.make_play_key(day, game.key, [(player.name, player.score_text) for player in players]),
            game=game.key,
            game_name=name,
            day=day,
            players=players,
            scoring=scoring,
            variant=variant,
            started_at=started_at,
            minutes=read_number(first.get("minutes"), MAX_MINUTES),
            rated=read_flag(first["rated"]) if "rated" in first else is_rated_by_default(variant, scoring, players),
            counted=read_flag(first.get("counted") or "yes"),
            location=read_line(first.get("place name"), MAX_NAME),
            board=read_line(first.get("board"), MAX_NAME),
            notes=read_text(first.get("notes"), MAX_NOTES),
        ),
        which,
    )


def _read_player(into: Collector, row: Row) -> PlayerResult:
    name = read_line(row.get("player"), MAX_NAME)
    key = ""
    if row.get("person") != "nobody":
        key = read_key("person", row.get("person")) or make_key("person", name.casefold())
        into.add_person(FilePerson(key, name))
    return PlayerResult(
        person=key,
        name=name or ANONYMOUS,
        score_text=read_line(row.get("score"), MAX_SCORE),
        team=read_line(row.get("team"), MAX_NAME),
        role=read_line(row.get("role"), MAX_NAME),
        place=read_number(row.get("place"), 100),
        won=read_flag(row.get("won")),
        started=read_flag(row.get("start player")),
        new=read_flag(row.get("new")),
        bot=read_flag(row.get("bot")),
    )


# ── Writing ────────────────────────────────────────────────────────────────────────────────────────────


def write_csv(file: PlaysFile, zone: dt.tzinfo) -> bytes:
    games = {game.key: game for game in file.games}
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    for play in file.plays:
        for player in play.players:
            writer.writerow([guard_cell(cell) for cell in _cells(play, player, games[play.game], zone)])
    return out.getvalue().encode("utf-8-sig")


def _cells(play: PlayFacts, player: PlayerResult, game: FileGame, zone: dt.tzinfo) -> list[str]:
    started = play.started_at.astimezone(zone).replace(microsecond=0) if play.started_at else None
    return [
        play.uuid,
        play.day.isoformat(),
        started.isoformat() if started else "",
        play.game_name,
        str(game.bgg_id or ""),
        play.scoring.value,
        play.variant.key,
        str(play.minutes or ""),
        play.location,
        play.board,
        player.name,
        player.person or "nobody",
        player.score_text,
        player.team,
        player.role,
        str(player.place or ""),
        _yes(player.won),
        _yes(player.started),
        _yes(player.new),
        _yes(player.bot),
        "yes" if play.rated else "no",
        "yes" if play.counted else "no",
        play.game,
        play.notes,
    ]


def _yes(flag: bool) -> str:
    return "yes" if flag else ""
