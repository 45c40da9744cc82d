"""The Gazette of a season, or of all time: what the paper shows, read from the plays."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace

from gamenights.plays.display import arms_of
from gamenights.plays.selectors import load_facts, plays_of_group
from gamenights.plays.values import PlayFacts
from gamenights.recap.core.gazette import Gazette, build_gazette
from gamenights.standings.core.tally import Tally
from gamenights.standings.models import Season
from gamenights.standings.selectors import Period, load_tally
from groups.models import Group
from heraldry import Arms

# A newspaper has narrow columns: longer names are cut.
MAX_NAME = 30


@dataclass(frozen=True, slots=True)
class Edition:
    """A group's season, or all of its time."""

    group: Group
    season: Season | None

    @property
    def name(self) -> str:
        return self.season.name if self.season else "all time"

    @property
    def key(self) -> str:
        return f"{self.group.code}-{self.season.pk if self.season else 'all'}"


@dataclass(frozen=True, slots=True)
class GazetteDisplay:
    edition: Edition
    gazette: Gazette
    arms: dict[str, Arms]
    first_day: dt.date | None
    last_day: dt.date | None


def build_season_gazette(edition: Edition) -> GazetteDisplay:
    season = edition.season
    start, end = (season.first_day, season.last_day) if season else (None, None)
    plays = [_with_short_names(play) for play in load_facts(plays_of_group(edition.group, start, end))]
    before = Tally()
    if start:
        before = load_tally(edition.group, Period(end=start - dt.timedelta(days=1), is_kept=False))
    gazette = build_gazette(_cut(edition.name), plays, before)
    people = {int(row.person) for row, _ in gazette.table if row.person}
    arms = {str(pk): found for pk, found in arms_of(people).items()}
    days = [play.day for play in plays if play.counted]
    return GazetteDisplay(edition, gazette, arms, min(days, default=None), max(days, default=None))


def _with_short_names(play: PlayFacts) -> PlayFacts:
    players = tuple(replace(one, name=_cut(one.name)) for one in play.players)
    return replace(play, game_name=_cut(play.game_name), players=players)


def _cut(name: str) -> str:
    return name if len(name) <= MAX_NAME else name[: MAX_NAME - 1].rstrip() + "…"
