"""Standings ready to store and to draw: plain rows that go into JSON and back unchanged."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import asdict, astuple, dataclass, replace
from typing import Any

from gamenights.plays.values import format_score
from gamenights.standings.core.leaderboard import award_titles, build_leaderboard
from gamenights.standings.core.person_record import build_person_record
from gamenights.standings.core.ratings import Rating, rank_people
from gamenights.standings.core.tally import PairCounts, Slot, Tally

MAX_COMPARED = 8  # people in the table of who beats whom


@dataclass(frozen=True, slots=True)
class BoardRow:
    place: int
    person: str
    plays: int
    contests: int
    wins: int
    fair_wins: float
    streak: int
    best: str
    average: str


@dataclass(frozen=True, slots=True)
class RatingRow:
    place: int | None
    person: str
    mean: float
    deviation: float
    plays: int

    @property
    def rating(self) -> Rating:
        return Rating(self.mean, self.deviation, self.plays)


@dataclass(frozen=True, slots=True)
class MeetingRow:
    one: str
    other: str
    ahead: int
    behind: int
    level: int


@dataclass(frozen=True, slots=True)
class TitleRow:
    key: str
    name: str
    people: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class SlotRow:
    game: str
    variant: str
    name: str
    plays: int

    @property
    def label(self) -> str:
        words = Slot(self.game, self.variant).label
        return f"{self.name} ({words})" if words else self.name


@dataclass(frozen=True, slots=True)
class RoleRow:
    role: str
    wins: int
    contests: int


@dataclass(frozen=True, slots=True)
class Summary:
    """The standings of a group in one game and variant, or over all games."""

    plays: int
    nights: int
    slots: tuple[SlotRow, ...]
    board: tuple[BoardRow, ...]
    ratings: tuple[RatingRow, ...]
    meetings: tuple[MeetingRow, ...]
    titles: tuple[TitleRow, ...]
    roles: tuple[RoleRow, ...]
    starters: tuple[int, int] = (0, 0)
    people: int = 0  # rows of the whole board

    def cut(self, most: int, always: AbstractSet[str]) -> Summary:
        """Only the first rows of both tables, and those of some people."""
        return replace(
            self,
            board=tuple(row for at, row in enumerate(self.board) if at < most or row.person in always),
            ratings=tuple(row for at, row in enumerate(self.ratings) if at < most or row.person in always),
        )


FindPairs = Callable[[AbstractSet[str]], PairCounts]


def build_summary(
    tally: Tally,
    slot: Slot | None = None,
    pool: Mapping[str, Rating] | None = None,
    find_pairs: FindPairs | None = None,
) -> Summary:
    """``find_pairs`` looks up who met whom among a few people, where the tally was read without its pairs."""
    board = build_leaderboard(tally, slot)
    found = tally.slots.get(slot) if slot else None
    ranked = rank_people(pool or {})
    order = [one.person for one in ranked] if ranked else [row.person for row in board]
    compared = set(order[:MAX_COMPARED])
    if find_pairs is not None:
        pairs = find_pairs(compared)
    else:
        pairs = (found.pairs if found else {}) if slot else tally.head_to_head()
    return Summary(
        plays=(found.plays if found else 0) if slot else tally.plays,
        nights=tally.nights,
        slots=tuple(
            SlotRow(one.game, one.variant, row.game_name, row.plays)
            for one, row in sorted(
                tally.slots.items(), key=lambda row: (-row[1].plays, row[1].game_name, row[0].variant)
            )
        ),
        board=tuple(
            BoardRow(
                row.place,
                row.person,
                row.plays,
                row.contests,
                row.wins,
                round(row.fair_wins, 2),
                row.streak,
                format_score(row.best),
                format_score(row.average),
            )
            for row in board
        ),
        ratings=tuple(
            RatingRow(one.place, one.person, one.rating.mean, one.rating.deviation, one.rating.plays) for one in ranked
        ),
        meetings=tuple(
            MeetingRow(*pair, *counts) for pair, counts in sorted(pairs.items()) if compared.issuperset(pair)
        ),
        titles=tuple(TitleRow(one.key, one.name, one.people, one.reason) for one in award_titles(tally)),
        roles=tuple(
            RoleRow(role, wins, contests)
            for role, (contests, wins) in sorted(found.roles.items(), key=lambda row: (-row[1][0], row[0]))
        )
        if found
        else (),
        starters=found.starters if found else (0, 0),
        people=len(board),
    )


def summary_to_json(summary: Summary) -> dict[str, object]:
    """The two long tables as plain lists: most readers look at a few of their rows."""
    return {
        **asdict(replace(summary, board=(), ratings=())),
        "board": [list(astuple(row)) for row in summary.board],
        "ratings": [list(astuple(row)) for row in summary.ratings],
    }


def summary_from_json(body: Mapping[str, Any], most: int, always: AbstractSet[str] = frozenset()) -> Summary:
    """The same as ``cut``, without reading the other rows."""
    return Summary(
        plays=body["plays"],
        nights=body["nights"],
        slots=tuple(SlotRow(**row) for row in body["slots"]),
        board=tuple(BoardRow(*row) for at, row in enumerate(body["board"]) if at < most or row[1] in always),
        ratings=tuple(RatingRow(*row) for at, row in enumerate(body["ratings"]) if at < most or row[1] in always),
        meetings=tuple(MeetingRow(**row) for row in body["meetings"]),
        titles=tuple(TitleRow(**{**row, "people": tuple(row["people"])}) for row in body["titles"]),
        roles=tuple(RoleRow(**row) for row in body["roles"]),
        starters=(body["starters"][0], body["starters"][1]),
        people=body["people"],
    )


# ── One person ───────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class PersonGameRow:
    game: str
    variant: str
    name: str
    plays: int
    contests: int
    wins: int
    shared_plays: int
    shared_wins: int
    best: str
    average: str

    @property
    def label(self) -> str:
        return SlotRow(self.game, self.variant, self.name, self.plays).label


@dataclass(frozen=True, slots=True)
class PersonSummary:
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
    first_win: str  # 2026-03-05, or empty
    favourite: str
    h_index: int
    nemesis: str
    games: tuple[PersonGameRow, ...]
    meetings: tuple[MeetingRow, ...]


def build_person_summary(tally: Tally, person: str) -> PersonSummary:
    record = build_person_record(tally, person)
    return PersonSummary(
        person=person,
        plays=record.plays,
        contests=record.contests,
        wins=record.wins,
        shared_plays=record.shared_plays,
        shared_wins=record.shared_wins,
        minutes=record.minutes,
        nights=record.nights,
        all_nights=record.all_nights,
        streak=record.streak,
        longest_streak=record.longest_streak,
        first_win=record.first_win.isoformat() if record.first_win else "",
        favourite=record.favourite,
        h_index=record.h_index,
        nemesis=record.nemesis.person if record.nemesis else "",
        games=tuple(
            PersonGameRow(
                row.slot.game,
                row.slot.variant,
                row.game_name,
                row.plays,
                row.contests,
                row.wins,
                row.shared_plays,
                row.shared_wins,
                format_score(row.best),
                format_score(row.average),
            )
            for row in record.games
        ),
        meetings=tuple(MeetingRow(person, one.person, one.ahead, one.behind, one.level) for one in record.meetings),
    )


def person_to_json(summary: PersonSummary) -> dict[str, object]:
    return asdict(summary)


def person_from_json(body: Mapping[str, Any]) -> PersonSummary:
    return PersonSummary(
        **{
            **body,
            "games": tuple(PersonGameRow(**row) for row in body["games"]),
            "meetings": tuple(MeetingRow(**row) for row in body["meetings"]),
        }
    )
