"""The recap of a night: results, standings, records and stories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gamenights.plays.values import PlayFacts
from gamenights.recap.core.facts import Fact, describe_result, find_news, find_stories, format_length
from gamenights.standings.core.leaderboard import build_leaderboard
from gamenights.standings.core.tally import Tally, tally_plays
from gamenights.standings.core.titles import count
from text import join_list


@dataclass(frozen=True, slots=True)
class ResultLine:
    api_name = "RecapResult"

    uuid: str
    game_name: str
    variant: str
    minutes: int | None
    sentence: str
    notes: str


@dataclass(frozen=True, slots=True)
class TableRow:
    api_name = "RecapRow"

    place: int
    person: str
    name: str
    wins: int
    contests: int
    plays: int


@dataclass(frozen=True, slots=True)
class NightRecap:
    headline: str
    summary: str
    results: tuple[ResultLine, ...]
    table: tuple[TableRow, ...]
    records: tuple[Fact, ...]
    stories: tuple[Fact, ...]


def build_night_recap(plays: Sequence[PlayFacts], before: Tally) -> NightRecap:
    """``plays`` of one night in order; ``before`` counts everything the group played earlier."""
    tally = tally_plays(plays)
    names = {one.person: one.name for play in plays for one in play.people if one.person}
    rows = build_leaderboard(tally)
    table = tuple(TableRow(row.place, row.person, names[row.person], row.wins, row.contests, row.plays) for row in rows)
    return NightRecap(
        headline=write_headline(table),
        summary=_write_summary(plays, len(names)),
        results=tuple(
            ResultLine(play.uuid, play.game_name, play.variant.label, play.minutes, describe_result(play), play.notes)
            for play in plays
        ),
        table=table,
        records=tuple(find_news(plays, before)),
        stories=tuple(find_stories(plays)),
    )


def write_headline(table: Sequence[TableRow]) -> str:
    best = [row for row in table if row.place == 1 and row.wins]
    if not best:
        return "A night without a winner" if table else "Nothing has been played yet"
    names = join_list([row.name for row in best])
    wins = count(best[0].wins, "win")
    return f"{names} won the night with {wins}" if len(best) == 1 else f"{names} shared the night with {wins} each"


def _write_summary(plays: Sequence[PlayFacts], people: int) -> str:
    if not plays:
        return "No plays are logged for this night."
    games = len({play.game for play in plays})
    minutes = sum(play.minutes or 0 for play in plays)
    words = f"{count(len(plays), 'play')} of {count(games, 'game')}, {people} {'person' if people == 1 else 'people'}"
    return f"{words}, {format_length(minutes)} at the table." if minutes else f"{words}."
