"""Leaderboards from a tally, over all games or within one, and the titles it gives."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from gamenights.plays.values import Scoring
from gamenights.standings.core.tally import PersonTally, Slot, SlotTally, Tally

MAX_SHARING = 5  # a title shared by more people is not a distinction


@dataclass(frozen=True, slots=True)
class LeaderboardRow:
    place: int  # shared by those with the same wins and contests
    person: str
    plays: int
    contests: int
    wins: int
    fair_wins: float
    nights: int
    streak: int
    best: Decimal | None = None  # only within one game and variant
    average: Decimal | None = None


def build_leaderboard(tally: Tally, slot: Slot | None = None) -> list[LeaderboardRow]:
    """By wins, then by fewer contests. Over all games where no slot is given; those without a contest come last."""
    low_wins = False
    people: Mapping[str, PersonTally] = tally.people
    if slot is not None:
        of_slot = tally.slots.get(slot, SlotTally())
        people, low_wins = of_slot.people, of_slot.scoring is Scoring.LOW
    order = sorted(people.items(), key=lambda row: (*_rank(row[1]), row[0]))
    rows: list[LeaderboardRow] = []
    place = 0
    for at, (person, one) in enumerate(order, 1):
        if at == 1 or _rank(one) != _rank(order[at - 2][1]):
            place = at
        rows.append(_row(place, person, one, low_wins))
    return rows


def _rank(one: PersonTally) -> tuple[int, int]:
    return -one.wins, one.contests or 10**9


def _row(place: int, person: str, one: PersonTally, low_wins: bool) -> LeaderboardRow:
    return LeaderboardRow(
        place=place,
        person=person,
        plays=one.plays,
        contests=one.contests,
        wins=one.wins,
        fair_wins=one.fair_wins,
        nights=one.nights,
        streak=one.run_at_end,
        best=one.lowest if low_wins else one.highest,
        average=average_score(one),
    )


def average_score(one: PersonTally) -> Decimal | None:
    if not one.scores:
        return None
    return (one.score_sum / one.scores).quantize(Decimal("0.1"), ROUND_HALF_UP)


# ── Titles: one line each, with the figure that earned it. Ties share a title, up to a point ───────────


@dataclass(frozen=True, slots=True)
class Title:
    api_name = "TitleRow"

    key: str
    name: str
    people: tuple[str, ...]
    reason: str


def award_titles(tally: Tally) -> list[Title]:
    people = tally.people
    games: dict[str, set[str]] = {}
    for slot, of_slot in tally.slots.items():
        for person in of_slot.players:
            games.setdefault(person, set()).add(slot.game)
    titles = [
        _title(
            "wins",
            "Cheese of Honour",
            {person: one.wins for person, one in people.items()},
            {person: f"most wins, {one.wins} of {one.contests}" for person, one in people.items()},
            least=2,
        ),
        _title(
            "nights",
            "Most faithful",
            {person: one.nights for person, one in people.items()},
            {
                person: f"{count(one.nights, 'night')} of {tally.nights}, {count(one.plays, 'play')}"
                for person, one in people.items()
            },
            least=2,
        ),
        _title(
            "streak",
            "On a roll",
            {person: one.longest_run for person, one in people.items()},
            {person: f"{one.longest_run} wins in a row" for person, one in people.items()},
            least=3,
        ),
        _title(
            "games",
            "Explorer",
            {person: len(played) for person, played in games.items()},
            {person: f"{len(played)} different games" for person, played in games.items()},
            least=3,
        ),
        _title(
            "shared",
            "Best ally",
            {person: one.shared_wins for person, one in people.items()},
            {person: f"{one.shared_wins} wins together" for person, one in people.items()},
            least=2,
        ),
    ]
    return [title for title in titles if title is not None]


def _title(key: str, name: str, values: Mapping[str, int], reasons: Mapping[str, str], least: int) -> Title | None:
    best = max(values.values(), default=0)
    if best < least:
        return None
    people = tuple(sorted(person for person, value in values.items() if value == best))
    if len(people) > MAX_SHARING:
        return None
    return Title(key, name, people, reasons[people[0]])


def count(number: int, noun: str) -> str:
    """``1 night``, ``2 nights``."""
    return f"{number} {noun}" if number == 1 else f"{number:,} {noun}s"
