"""Titles that a tally gives: one line each, with the figure that earned it. Ties share a title, up to a point."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gamenights.standings.core.tally import Tally

MAX_SHARING = 5  # a title shared by more people is not a distinction


@dataclass(frozen=True, slots=True)
class Title:
    key: str
    name: str
    people: tuple[str, ...]
    reason: str


def award_titles(tally: Tally) -> list[Title]:
    people = tally.people
    games: dict[str, set[str]] = {}
    for slot, found in tally.slots.items():
        for person in found.players:
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
            {person: len(found) for person, found in games.items()},
            {person: f"{len(found)} different games" for person, found in games.items()},
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
