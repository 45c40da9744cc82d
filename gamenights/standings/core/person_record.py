"""What one person has done, from a tally: each game, whom they met, and who beats them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal

from gamenights.plays.values import Scoring
from gamenights.standings.core.leaderboard import average_score
from gamenights.standings.core.tally import Pair, PersonTally, Slot, Tally

NEMESIS_MEETINGS = 3


@dataclass(frozen=True, slots=True)
class Meeting:
    """One person against another, over the games they played together."""

    person: str
    ahead: int
    behind: int
    level: int

    @property
    def plays(self) -> int:
        return self.ahead + self.behind + self.level


def list_meetings(pairs: Mapping[Pair, tuple[int, int, int]], person: str) -> list[Meeting]:
    """Everyone this person met, most often first."""
    found = []
    for (one, other), (ahead, behind, level) in pairs.items():
        if one == person:
            found.append(Meeting(other, ahead, behind, level))
        elif other == person:
            found.append(Meeting(one, behind, ahead, level))
    return sorted(found, key=lambda meeting: (-meeting.plays, meeting.person))


def find_nemesis(meetings: Iterable[Meeting]) -> Meeting | None:
    """Who finished ahead most often, on balance, in three plays or more."""
    candidates = [one for one in meetings if one.plays >= NEMESIS_MEETINGS and one.behind > one.ahead]
    return max(candidates, key=lambda one: (one.behind - one.ahead, one.behind, one.person), default=None)


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One person in one game and variant."""

    slot: Slot
    game_name: str
    scoring: Scoring
    plays: int
    contests: int
    wins: int
    shared_plays: int
    shared_wins: int
    best: Decimal | None
    average: Decimal | None


@dataclass(frozen=True, slots=True)
class PersonRecord:
    person: str
    plays: int
    contests: int
    wins: int
    shared_plays: int
    shared_wins: int
    minutes: int
    nights: int
    all_nights: int
    streak: int
    longest_streak: int
    first_win: dt.date | None
    last_play: dt.date | None
    favourite: str  # the game played most often
    h_index: int
    games: tuple[GameRecord, ...]
    meetings: tuple[Meeting, ...]
    nemesis: Meeting | None

    @property
    def attendance(self) -> float:
        return self.nights / self.all_nights if self.all_nights else 0.0


def build_person_record(tally: Tally, person: str) -> PersonRecord:
    one = tally.people.get(person, PersonTally())
    games = tuple(
        GameRecord(
            slot,
            found.game_name,
            found.scoring,
            mine.plays,
            mine.contests,
            mine.wins,
            mine.shared_plays,
            mine.shared_wins,
            mine.lowest if found.scoring is Scoring.LOW else mine.highest,
            average_score(mine),
        )
        for slot, found in tally.slots.items()
        if (mine := found.people.get(person))
    )
    by_game: dict[str, int] = {}
    names: dict[str, str] = {}
    for record in games:
        by_game[record.slot.game] = by_game.get(record.slot.game, 0) + record.plays
        names[record.slot.game] = record.game_name
    favourite = max(by_game, key=lambda game: (by_game[game], names[game]), default="")
    meetings = tuple(list_meetings(tally.head_to_head(), person))
    return PersonRecord(
        person=person,
        plays=one.plays,
        contests=one.contests,
        wins=one.wins,
        shared_plays=one.shared_plays,
        shared_wins=one.shared_wins,
        minutes=one.minutes,
        nights=one.nights,
        all_nights=tally.nights,
        streak=one.run_at_end,
        longest_streak=one.longest_run,
        first_win=one.first_win,
        last_play=one.last_play,
        favourite=names.get(favourite, ""),
        h_index=h_index(by_game.values()),
        games=tuple(sorted(games, key=lambda record: (-record.plays, record.game_name, record.slot.variant))),
        meetings=meetings,
        nemesis=find_nemesis(meetings),
    )


def h_index(plays: Iterable[int]) -> int:
    """The largest n for which n games were played n times or more."""
    ordered = sorted(plays, reverse=True)
    return sum(1 for at, count in enumerate(ordered, 1) if count >= at)
