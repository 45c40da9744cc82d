"""Seasons ready to draw: the page of one, and the list of all with the hall of fame."""

import datetime as dt
from dataclasses import dataclass, field
from typing import Annotated, Any

from campaign import selectors
from campaign.chronicle.battles_from_entries import is_battle
from campaign.chronicle.entries_and_fold import effective_entries
from campaign.chronicle.seasons import story
from campaign.chronicle.seasons.cut_into_seasons import SeasonRecord, find_changes_since_closing, split_seasons
from campaign.chronicle.seasons.standings import KingdomCareer, WarRecord, list_wars, rank_careers, rank_kingdoms
from campaign.chronicle.seasons.story import SeasonPageJson
from campaign.chronicle.sentences import Names
from campaign.models import Campaign, SeasonPage
from dataclass_json import Shape, stored_as
from heraldry import Arms
from log.models import Entry
from rulebook.campaign.conquest import REASON


@dataclass(frozen=True, slots=True)
class LaterCorrection:
    """An entry that changed a closed season, and the day it was entered."""

    entry: int
    on: dt.date


@dataclass(frozen=True, slots=True)
class SeasonDisplay:
    """One season ready to draw: as it closed, or as it is now."""

    api_name = "SeasonPage"

    page: Annotated[dict[str, Any], Shape(SeasonPageJson)]
    is_open: bool
    marks: tuple[LaterCorrection, ...] = field(default=(), metadata=stored_as("corrected_since"))

    @property
    def opened_on(self) -> dt.date:
        return dt.date.fromisoformat(self.page["opened_on"])

    @property
    def closed_on(self) -> dt.date | None:
        return dt.date.fromisoformat(self.page["closed_on"]) if self.page["closed_on"] else None

    @property
    def ranks(self) -> list[dict[str, Any]]:
        return [rank | {"arms": Arms.from_dict(rank["arms"])} for rank in self.page["ranks"]]

    @property
    def titles(self) -> list[dict[str, Any]]:
        arms = {rank["kingdom"]: Arms.from_dict(rank["arms"]) for rank in self.page["ranks"]}
        titles = self.page["titles"]
        return [title | {"arms": [arms[key] for key in title["kingdoms"] if key in arms]} for title in titles]


def build_season_display(campaign: Campaign, season: int) -> SeasonDisplay | None:
    """The season with this number; if closed, its saved page with later corrections."""
    entries = selectors.entries_of(campaign)
    records = split_seasons(effective_entries(entries))
    record = next((record for record in records if record.number == season), None)
    if record is None:
        return None
    kept = None
    if record.closed:
        kept = SeasonPage.objects.filter(campaign=campaign, entry=record.closed.number).first()
    if record.closed is None or kept is None:  # it is open, or was closed before such pages were saved
        return SeasonDisplay(story.build_season_page(record), is_open=record.is_open)
    numbers = find_changes_since_closing(entries, record.closed.number)
    days = dict(Entry.objects.filter(log=campaign.log_id, number__in=numbers).values_list("number", "entered_at"))
    marks = tuple(LaterCorrection(number, days[number].date()) for number in numbers)
    return SeasonDisplay(kept.content, is_open=False, marks=marks)


@dataclass(frozen=True, slots=True)
class SeasonRow:
    season: int
    name: str
    war: int
    opened_on: dt.date
    closed_on: dt.date | None
    battles: int
    leaders: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FameRow:
    """A war that was won, for the hall of fame."""

    number: int
    winner: str
    arms: Arms | None
    why: str
    began_on: dt.date
    won_on: dt.date
    battles: int
    seasons: tuple[int, ...]
    entry: int


@dataclass(frozen=True, slots=True)
class CareerRow:
    career: KingdomCareer
    arms: Arms
    places: tuple[int | None, ...]  # season by season


@dataclass(frozen=True, slots=True)
class SeasonsDisplay:
    rows: tuple[SeasonRow, ...]
    fame: tuple[FameRow, ...]
    careers: tuple[CareerRow, ...]
    closed: tuple[int, ...]  # numbers of the closed seasons, for the columns


def build_seasons_display(campaign: Campaign) -> SeasonsDisplay:
    """Every season, the hall of fame, and the standings over all of them."""
    order = effective_entries(selectors.entries_of(campaign))
    records = split_seasons(order)
    state = selectors.state_of(campaign)
    names = Names(state)
    closed = tuple(record.number for record in records if not record.is_open)
    return SeasonsDisplay(
        rows=tuple(_season_row(record) for record in reversed(records)),
        fame=tuple(_fame_row(war, names) for war in reversed(list_wars(order)) if war.winner),
        careers=tuple(
            CareerRow(career, Arms.from_dict(career.arms), tuple(career.places.get(season) for season in closed))
            for career in rank_careers(order, records, state)
        ),
        closed=closed,
    )


def _season_row(record: SeasonRecord) -> SeasonRow:
    ranks = rank_kingdoms(record.after, ())
    return SeasonRow(
        season=record.number,
        name=record.name,
        war=record.war,
        opened_on=dt.date.fromisoformat(record.opened.played_on),
        closed_on=dt.date.fromisoformat(record.closed.played_on) if record.closed else None,
        battles=sum(map(is_battle, record.entries)),
        leaders=tuple(rank.name for rank in ranks if rank.place == 1),
    )


def _fame_row(war: WarRecord, names: Names) -> FameRow:
    kingdom = names.state.kingdoms.get(war.winner)
    reason = REASON.get(war.why)
    return FameRow(
        number=war.number,
        winner=names.kingdom(war.winner),
        arms=Arms.from_dict(kingdom.arms) if kingdom else None,
        why=reason.text if reason else "",
        began_on=dt.date.fromisoformat(war.began_on),
        won_on=dt.date.fromisoformat(war.won_on),
        battles=war.battles,
        seasons=war.seasons,
        entry=war.entry,
    )
