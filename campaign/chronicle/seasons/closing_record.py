"""The page saved when a season closes: standings, titles and story, as JSON."""

from __future__ import annotations

from typing import TypedDict

from campaign.chronicle.battle_records import is_battle
from campaign.chronicle.seasons.season_records import SeasonRecord
from campaign.chronicle.seasons.standings import StandingsRow, rank_kingdoms
from campaign.chronicle.seasons.story import write_story
from campaign.chronicle.seasons.titles import AwardedTitle, award_titles
from campaign.chronicle.sentences import Names


class StoryJson(TypedDict):
    text: str
    entry: int


class SeasonPageJson(TypedDict):
    """As it is saved and answered."""

    season: int
    name: str
    war: int
    new_war: bool
    opened_on: str
    opened: int
    closed_on: str
    closed: int
    battles: int
    winner: str
    ranks: list[StandingsRow]
    titles: list[AwardedTitle]
    story: list[list[StoryJson]]


def build_season_page(season: SeasonRecord) -> dict[str, object]:
    """A season ready to draw. Saved when it closes; rebuilt each time while it is open."""
    state = season.after
    winner = state.winner if state.winner and state.winner != season.before.winner else None
    return {
        "season": season.number,
        "name": season.name,
        "war": season.war,
        "new_war": season.new_war,
        "opened_on": season.opened.played_on,
        "opened": season.opened.number,
        "closed_on": season.closed.played_on if season.closed else "",
        "closed": season.closed.number if season.closed else 0,
        "battles": sum(map(is_battle, season.entries)),
        "winner": Names(state).kingdom(winner) if winner else "",
        "ranks": [rank.as_json() for rank in rank_kingdoms(state, season.entries)],
        "titles": [
            given.as_json() | {"kingdoms": list(given.kingdoms), "entries": list(given.entries)}
            for given in award_titles(season)
        ],
        "story": [[{"text": s.text, "entry": s.entry} for s in paragraph] for paragraph in write_story(season)],
    }
