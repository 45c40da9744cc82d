"""A tally as compact JSON and back, so that a month need not be counted again.

It is stored in parts, because most pages need little of it: a head, and for each slot its people and its pairs.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from gamenights.plays.values import Scoring
from gamenights.standings.core.tally import PairCounts, PersonTally, Slot, SlotTally, Tally


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
