"""What a file of plays holds, whatever its format, and what its readers share."""

import datetime as dt
import re
import unicodedata
import uuid
from dataclasses import dataclass, replace
from typing import Any

from gamenights.plays.values import (
    MAX_PLAYERS,
    PlayerResult,
    PlayFacts,
    Scoring,
    check_play,
    complete_play,
    format_day,
    read_score,
)
from refusal import Refusal

MAX_FILE = 20 * 1024 * 1024
MAX_PEOPLE = 10_000
MAX_PLAYS = 50_000


@dataclass(frozen=True, slots=True)
class FilePerson:
    """A person in a file. ``key`` is a uuid, the same each time the same file is read."""

    key: str
    name: str
    bgg_username: str = ""


@dataclass(frozen=True, slots=True)
class FileGame:
    key: str
    name: str
    scoring: Scoring = Scoring.HIGH
    bgg_id: int | None = None
    fewest_players: int | None = None
    most_players: int | None = None
    minutes: int | None = None


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Something the file holds that will not be imported, and why."""

    what: str  # play, person, game, place, score or text
    which: str  # "Play 12, Menagerie, 5 March 2026"
    why: str


@dataclass(frozen=True, slots=True)
class PlaysFile:
    """``plays`` refer to ``people`` and ``games`` by key. A player without a key is nobody in particular."""

    people: tuple[FilePerson, ...]
    games: tuple[FileGame, ...]
    plays: tuple[PlayFacts, ...]
    left_out: tuple[LeftOut, ...] = ()


def check_size(data: bytes) -> None:
    if len(data) > MAX_FILE:
        raise Refusal("The file is larger than 20 MB. Export a shorter period.", field="file")


# ── Plays met while a file is read ─────────────────────────────────────────────────────────────────────

ANONYMOUS = "Somebody"


class Collector:
    """Fills a ``PlaysFile``. Plays that cannot be true are left out with a reason, the rest stay."""

    def __init__(self, today: dt.date) -> None:
        self.today = today
        self.people: dict[str, FilePerson] = {}
        self.games: dict[str, FileGame] = {}
        self.plays: dict[str, PlayFacts] = {}
        self.left_out: list[LeftOut] = []
        self._alike: dict[str, int] = {}

    def leave_out(self, what: str, which: str, why: str) -> None:
        self.left_out.append(LeftOut(what, which, why))

    def add_person(self, person: FilePerson) -> None:
        if person.key not in self.people and len(self.people) >= MAX_PEOPLE:
            raise Refusal(f"The file has more than {MAX_PEOPLE:,} people. Import it in parts.", field="file")
        self.people.setdefault(person.key, person)

    def add_game(self, game: FileGame) -> None:
        self.games.setdefault(game.key, game)

    def make_play_key(self, *parts: object) -> str:
        """A key for a play without one. Two plays that look the same get two keys."""
        key = make_key("play", *parts)
        self._alike[key] = self._alike.get(key, 0) + 1
        return key if self._alike[key] == 1 else make_key("play", key, self._alike[key])

    def add_play(self, play: PlayFacts, which: str) -> None:
        if len(self.plays) >= MAX_PLAYS:
            raise Refusal(f"The file has more than {MAX_PLAYS:,} plays. Import it in parts.", field="file")
        which = f"{which}, {play.game_name}, {format_day(play.day)}"
        if play.uuid in self.plays:
            self.leave_out("play", which, "The file has this play twice. The first one counts.")
            return
        if len(play.players) > MAX_PLAYERS:
            self.leave_out("play", which, f"It has more than {MAX_PLAYERS} players.")
            return
        play = replace(play, players=tuple(self._with_readable_score(player, play, which) for player in play.players))
        try:
            check_play(play, self.today)
        except Refusal as refused:
            self.leave_out("play", which, refused.sentence)
            return
        self.plays[play.uuid] = complete_play(play)

    def _with_readable_score(self, player: PlayerResult, play: PlayFacts, which: str) -> PlayerResult:
        if play.scoring not in (Scoring.HIGH, Scoring.LOW):
            return player
        try:
            read_score(player.score_text)
        except Refusal:
            why = f"“{player.score_text}” is not a number. The play is imported without this score."
            self.leave_out("score", f"{which}, {player.name}", why)
            return replace(player, score_text="")
        return player

    def finish(self) -> PlaysFile:
        plays = sorted(self.plays.values(), key=lambda play: play.order)
        return PlaysFile(tuple(self.people.values()), tuple(self.games.values()), tuple(plays), tuple(self.left_out))


# ── Single fields, read kindly: odd types, odd dates, stray control characters ─────────────────────────

# Names in this space become keys, so the same file gives the same keys each time.
_SPACE = uuid.UUID("6f6b5b0e-2f0e-5c0a-9a52-6d6963652d61")


def make_key(kind: str, *parts: object) -> str:
    """A stable uuid for something that has none in its file."""
    return str(uuid.uuid5(_SPACE, "\x1f".join([kind, *map(str, parts)])))


def read_key(kind: str, given: Any) -> str:
    """The file's own uuid; another text gets a stable uuid of its own. Empty where nothing is given."""
    text = read_line(given)
    if not text:
        return ""
    try:
        return str(uuid.UUID(text))
    except ValueError:
        return make_key(kind, text)


def read_line(value: Any, most: int = 200) -> str:
    """One line of text: no control characters, single spaces."""
    return " ".join(read_text(value, most * 4).split())[:most].strip()


def read_text(value: Any, most: int = 10_000) -> str:
    """A text of several lines, without what a database or a page cannot hold."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    text = str(value)
    if text.isascii() and text.isprintable():  # most of a large file
        return text[:most].strip()
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    kept = (c for c in text if c in "\n\t" or unicodedata.category(c) not in ("Cc", "Cs", "Co"))
    return unicodedata.normalize("NFC", "".join(kept))[:most].strip()


def read_flag(value: Any) -> bool:
    if isinstance(value, str):
        return value.strip().casefold() in ("1", "true", "yes", "y", "x")
    return bool(value) if isinstance(value, bool | int | float) else False


def read_number(value: Any, most: int = 10**9) -> int | None:
    """A whole number from 1; anything else is none."""
    if isinstance(value, str):
        text = value.strip()
        value = int(text) if text.isascii() and text.isdigit() and len(text) < 12 else None
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value:
        return None
    return int(value) if 1 <= value <= most else None


_DAYS = (
    (re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})"), "ymd"),
    (re.compile(r"(\d{4})/(\d{1,2})/(\d{1,2})"), "ymd"),
    (re.compile(r"(\d{4})\.(\d{1,2})\.(\d{1,2})"), "ymd"),
    (re.compile(r"(\d{4})(\d{2})(\d{2})"), "ymd"),
    (re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})"), "dmy"),
)
_HOUR = re.compile(r"[T ]+(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\.\d+)?\s*(Z|[+-]\d{2}:?\d{2})?", re.IGNORECASE)


def read_moment(value: Any, zone: dt.tzinfo) -> tuple[dt.date, dt.datetime | None]:
    """The day, and the hour where it is given. Midnight sharp means that no hour was entered.

    ``5/3/2026`` is refused: it is March in London and May in Boston.
    """
    text = read_line(value, 40)
    for pattern, order in _DAYS:
        match = pattern.match(text)
        if match is None:
            continue
        rest = text[match.end() :].strip()
        numbers = [int(number) for number in match.groups()]
        try:
            day = dt.date(*(numbers if order == "ymd" else reversed(numbers)))
            return _with_hour(day, text[match.end() :], zone) if rest else (day, None)
        except (ValueError, OverflowError):
            break
    raise Refusal(f"“{text}” is not a date we can read. Write it like 2026-03-05." if text else "It has no date.")


def _with_hour(day: dt.date, rest: str, zone: dt.tzinfo) -> tuple[dt.date, dt.datetime | None]:
    match = _HOUR.fullmatch(rest.rstrip())
    if match is None:
        raise ValueError(rest)
    hour, minute, second, offset = match.groups()
    time = dt.time(int(hour), int(minute), int(second or 0))
    if offset:
        moment = dt.datetime.fromisoformat(f"{day}T{time}{'+00:00' if offset.upper() == 'Z' else offset}")
        local = moment.astimezone(zone)
        return local.date(), local
    return day, dt.datetime.combine(day, time, zone) if time != dt.time() else None
