"""A tally as compact JSON and back, so that a month need not be counted again."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from gamenights.plays.values import Scoring
from gamenights.standings.core.tally import PersonTally, Slot, SlotTally, Tally


def tally_to_json(tally: Tally) -> dict[str, object]:
    return {
        "nights": tally.nights,
        "plays": tally.plays,
        "people": {person: _person_to_json(one) for person, one in tally.people.items()},
        "slots": [
            {
                "game": slot.game,
                "variant": slot.variant,
                "name": one.game_name,
                "scoring": one.scoring.value,
                "counts": [one.plays, one.minutes, one.timed, one.shared_wins, *one.starters],
                "people": {person: _person_to_json(tally) for person, tally in one.people.items()},
                "pairs": [[*pair, *counts] for pair, counts in one.pairs.items()],
                "roles": {role: list(counts) for role, counts in one.roles.items()},
            }
            for slot, one in tally.slots.items()
        ],
    }


_NO_SCORE = Decimal(0)


@dataclass(frozen=True, slots=True)
class Focus:
    """What a page needs of a tally: one slot, one person, or (with neither) everyone over all games."""

    slot: Slot | None = None
    person: str | None = None


def tally_from_json(body: Mapping[str, Any], focus: Focus | None = None) -> Tally:
    """All of it; with a focus only what that page draws, because a long time has tens of thousands of rows."""
    people = body["people"]
    if focus and focus.person is not None:
        people = _only(people, focus.person)
    unread = [row["pairs"] for row in body["slots"]] if focus == Focus() else []
    return Tally(
        nights=body["nights"],
        plays=body["plays"],
        people={person: _person_from_json(row) for person, row in people.items()},
        slots={Slot(row["game"], row["variant"]): _slot_from_json(row, focus) for row in body["slots"]},
        unread_pairs=unread,
    )


def _only(rows: Mapping[str, Any], person: str) -> Mapping[str, Any]:
    return {person: rows[person]} if person in rows else {}


def _slot_from_json(row: Mapping[str, Any], focus: Focus | None) -> SlotTally:
    plays, minutes, timed, shared_wins, starters, started_wins = row["counts"]
    people, pairs, others = row["people"], row["pairs"], set()
    if focus and focus.person is not None:
        people = _only(people, focus.person)
        pairs = [pair for pair in pairs if focus.person in pair[:2]]
    elif focus and focus.slot != Slot(row["game"], row["variant"]):
        people, pairs, others = {}, [], set(people)
    return SlotTally(
        game_name=row["name"],
        scoring=Scoring(row["scoring"]),
        plays=plays,
        minutes=minutes,
        timed=timed,
        shared_wins=shared_wins,
        people={person: _person_from_json(one) for person, one in people.items()},
        pairs={(one, other): (ahead, behind, level) for one, other, ahead, behind, level in pairs},
        roles={role: (contests, wins) for role, (contests, wins) in row["roles"].items()},
        starters=(starters, started_wins),
        others=others,
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
