"""Standings ready to store and to draw: plain rows that go into JSON and back unchanged."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Set as AbstractSet
from dataclasses import asdict, astuple, dataclass, replace
from typing import Any

from gamenights.plays.values import Scoring, format_score
from gamenights.standings.core.leaderboard import Title, average_score, award_titles, build_leaderboard
from gamenights.standings.core.ratings import Rating, rank_people
from gamenights.standings.core.tally import PairCounts, PersonTally, Slot, SlotTally, Tally

MAX_COMPARED = 8  # people in the table of who beats whom
NEMESIS_MEETINGS = 3


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

    @property
    def plays(self) -> int:
        return self.ahead + self.behind + self.level


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
    titles: tuple[Title, ...]
    roles: tuple[RoleRow, ...]
    starters: tuple[int, int] = (0, 0)
    people: int = 0  # rows of the whole board

    def cut(self, most: int, always: AbstractSet[str]) -> "Summary":
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
    ranked = rank_people(pool or {})
    of_slot = tally.slots.get(slot, SlotTally()) if slot else SlotTally()
    compared = {row.person for row in (ranked or board)[:MAX_COMPARED]}
    if find_pairs is not None:
        pairs = find_pairs(compared)
    else:
        pairs = of_slot.pairs if slot else tally.head_to_head()
    return Summary(
        plays=of_slot.plays if slot else tally.plays,
        nights=tally.nights,
        slots=_list_slots(tally),
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
            RatingRow(row.place, row.person, row.rating.mean, row.rating.deviation, row.rating.plays) for row in ranked
        ),
        meetings=tuple(
            MeetingRow(*pair, *counts) for pair, counts in sorted(pairs.items()) if compared.issuperset(pair)
        ),
        titles=tuple(award_titles(tally)),
        roles=_list_roles(of_slot),
        starters=of_slot.starters,
        people=len(board),
    )


def _list_slots(tally: Tally) -> tuple[SlotRow, ...]:
    """The games, played most often first."""
    rows = (SlotRow(slot.game, slot.variant, row.game_name, row.plays) for slot, row in tally.slots.items())
    return tuple(sorted(rows, key=lambda row: (-row.plays, row.name, row.variant)))


def _list_roles(of_slot: SlotTally) -> tuple[RoleRow, ...]:
    """The roles, most contests first."""
    rows = (RoleRow(role, wins, contests) for role, (contests, wins) in of_slot.roles.items())
    return tuple(sorted(rows, key=lambda row: (-row.contests, row.role)))


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
        titles=tuple(Title(**{**row, "people": tuple(row["people"])}) for row in body["titles"]),
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
    whole = tally.people.get(person, PersonTally())
    games = list(_list_games(tally, person))
    plays: Counter[str] = Counter()
    names: dict[str, str] = {}
    for row in games:
        plays[row.game] += row.plays
        names[row.game] = row.name
    favourite = max(plays, key=lambda game: (plays[game], names[game]), default="")
    meetings = list_meetings(tally.head_to_head(), person)
    nemesis = find_nemesis(meetings)
    return PersonSummary(
        person=person,
        plays=whole.plays,
        contests=whole.contests,
        wins=whole.wins,
        shared_plays=whole.shared_plays,
        shared_wins=whole.shared_wins,
        minutes=whole.minutes,
        nights=whole.nights,
        all_nights=tally.nights,
        streak=whole.run_at_end,
        longest_streak=whole.longest_run,
        first_win=whole.first_win.isoformat() if whole.first_win else "",
        favourite=names.get(favourite, ""),
        h_index=h_index(plays.values()),
        nemesis=nemesis.other if nemesis else "",
        games=tuple(sorted(games, key=lambda row: (-row.plays, row.name, row.variant))),
        meetings=tuple(meetings),
    )


def _list_games(tally: Tally, person: str) -> Iterator[PersonGameRow]:
    for slot, of_all in tally.slots.items():
        if own := of_all.people.get(person):
            yield PersonGameRow(
                slot.game,
                slot.variant,
                of_all.game_name,
                own.plays,
                own.contests,
                own.wins,
                own.shared_plays,
                own.shared_wins,
                format_score(own.lowest if of_all.scoring is Scoring.LOW else own.highest),
                format_score(average_score(own)),
            )


def list_meetings(pairs: PairCounts, person: str) -> list[MeetingRow]:
    """Everyone this person met, most often first."""
    rows = []
    for (one, other), (ahead, behind, level) in pairs.items():
        if one == person:
            rows.append(MeetingRow(person, other, ahead, behind, level))
        elif other == person:
            rows.append(MeetingRow(person, one, behind, ahead, level))
    return sorted(rows, key=lambda row: (-row.plays, row.other))


def find_nemesis(meetings: Iterable[MeetingRow]) -> MeetingRow | None:
    """Who finished ahead most often, on balance, in three plays or more."""
    candidates = [row for row in meetings if row.plays >= NEMESIS_MEETINGS and row.behind > row.ahead]
    return max(candidates, key=lambda row: (row.behind - row.ahead, row.behind, row.other), default=None)


def h_index(plays: Iterable[int]) -> int:
    """The largest n for which n games were played n times or more."""
    ordered = sorted(plays, reverse=True)
    return sum(1 for at, count in enumerate(ordered, 1) if count >= at)


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
