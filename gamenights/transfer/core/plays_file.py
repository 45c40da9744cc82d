"""What a file of plays holds, whatever its format."""

from __future__ import annotations

from dataclasses import dataclass

from gamenights.plays.values import PlayFacts, Scoring

LARGEST_FILE = 20 * 1024 * 1024
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

    @property
    def shared_names(self) -> frozenset[str]:
        """Names that two or more people of the file have, in lower case."""
        seen: set[str] = set()
        twice: set[str] = set()
        for person in self.people:
            name = person.name.casefold()
            (twice if name in seen else seen).add(name)
        return frozenset(twice)
