"""How tallies are stored: in blocks of months, as compact JSON.

A span of months is cut into a few blocks of 1, 2, 4, 8 or 16 months. A block begins where its length divides the number
of the month, so a month is in one block of each length. Ten years are at most sixteen blocks, whatever months they
begin and end with.
"""

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from gamenights.plays.values import Scoring
from gamenights.standings.core.tally import PairCounts, PersonTally, Slot, SlotTally, Tally

LENGTHS = (16, 8, 4, 2, 1)


def month_of(day: dt.date) -> dt.date:
    return day.replace(day=1)


def last_day_of(month: dt.date) -> dt.date:
    return month_of(month + dt.timedelta(days=31)) - dt.timedelta(days=1)


def _number(month: dt.date) -> int:
    return month.year * 12 + month.month - 1


def _month(number: int) -> dt.date:
    return dt.date(number // 12, number % 12 + 1, 1)


@dataclass(frozen=True, slots=True, order=True)
class Block:
    start: dt.date
    months: int

    @property
    def end(self) -> dt.date:
        """Its last day."""
        return last_day_of(_month(_number(self.start) + self.months - 1))

    @property
    def halves(self) -> "tuple[Block, Block]":
        half = self.months // 2
        return Block(self.start, half), Block(_month(_number(self.start) + half), half)


def blocks_with(month: dt.date) -> list[Block]:
    """One of each length."""
    return [Block(_month(_number(month) // length * length), length) for length in LENGTHS]


def cut_into_blocks(first: dt.date, last: dt.date) -> Iterator[Block]:
    """The months from one to the other in as few blocks as there can be, oldest first."""
    at, end = _number(first), _number(last) + 1
    while at < end:
        length = next(months for months in LENGTHS if at % months == 0 and at + months <= end)
        yield Block(_month(at), length)
        at += length


# ── As JSON ────────────────────────────────────────────────────────────────────────────────────────────

# In parts, because most pages need little of it: a head, and for each slot its people and its pairs.


def head_to_json(tally: Tally) -> dict[str, object]:
    """What every page needs: everyone over all games, and each game without its people's rows."""
    return {
        "nights": tally.nights,
        "plays": tally.plays,
        "people": people_to_json(tally.people),
        "slots": [
            {
                "game": slot.game,
                "variant": slot.variant,
                "name": one.game_name,
                "scoring": one.scoring.value,
                "counts": [one.plays, one.minutes, one.timed, one.shared_wins, *one.starters],
                "roles": {role: list(counts) for role, counts in one.roles.items()},
                "players": sorted(one.players),
            }
            for slot, one in tally.slots.items()
        ],
    }


def people_to_json(people: Mapping[str, PersonTally]) -> dict[str, object]:
    return {person: _person_to_json(one) for person, one in people.items()}


def pairs_to_json(pairs: PairCounts) -> list[list[str | int]]:
    return [[*pair, *counts] for pair, counts in pairs.items()]


_NO_SCORE = Decimal(0)


@dataclass(frozen=True, slots=True)
class SlotRows:
    """The large parts of a slot as they are stored: its people, and who met whom."""

    people: Mapping[str, list[Any]]
    pairs: Iterable[tuple[str, str, int, int, int]] = ()


def tally_from_json(head: Mapping[str, Any], rows: Mapping[Slot, SlotRows]) -> Tally:
    """A tally with the people and pairs of those slots that are given; of others only who played."""
    return Tally(
        nights=head["nights"],
        plays=head["plays"],
        people={person: _person_from_json(row) for person, row in head["people"].items()},
        slots={slot: _slot_from_json(row, rows.get(slot)) for row in head["slots"] for slot in [_slot_of(row)]},
    )


def _slot_of(row: Mapping[str, Any]) -> Slot:
    return Slot(row["game"], row["variant"])


def _slot_from_json(row: Mapping[str, Any], rows: SlotRows | None) -> SlotTally:
    plays, minutes, timed, shared_wins, starters, started_wins = row["counts"]
    return SlotTally(
        game_name=row["name"],
        scoring=Scoring(row["scoring"]),
        plays=plays,
        minutes=minutes,
        timed=timed,
        shared_wins=shared_wins,
        people={person: _person_from_json(one) for person, one in rows.people.items()} if rows else {},
        pairs={(one, other): (ahead, behind, level) for one, other, ahead, behind, level in rows.pairs} if rows else {},
        roles={role: (contests, wins) for role, (contests, wins) in row["roles"].items()},
        starters=(starters, started_wins),
        others=set() if rows else set(row["players"]),
    )


def _person_to_json(one: PersonTally) -> list[Any]:
    return [
        one.plays,
        one.contests,
        one.wins,
        one.fair_parts,
        one.shared_plays,
        one.shared_wins,
        one.scores,
        str(one.score_sum),
        None if one.highest is None else str(one.highest),
        None if one.lowest is None else str(one.lowest),
        one.minutes,
        one.nights,
        one.first_win.isoformat() if one.first_win else None,
        one.last_play.isoformat() if one.last_play else None,
        one.run_at_start,
        one.run_at_end,
        one.longest_run,
    ]


def _person_from_json(row: list[Any]) -> PersonTally:
    return PersonTally(
        plays=row[0],
        contests=row[1],
        wins=row[2],
        fair_parts=row[3],
        shared_plays=row[4],
        shared_wins=row[5],
        scores=row[6],
        score_sum=Decimal(row[7]) if row[6] else _NO_SCORE,
        highest=None if row[8] is None else Decimal(row[8]),
        lowest=None if row[9] is None else Decimal(row[9]),
        minutes=row[10],
        nights=row[11],
        first_win=dt.date.fromisoformat(row[12]) if row[12] else None,
        last_play=dt.date.fromisoformat(row[13]) if row[13] else None,
        run_at_start=row[14],
        run_at_end=row[15],
        longest_run=row[16],
    )
