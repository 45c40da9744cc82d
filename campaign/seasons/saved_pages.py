"""Seasons of a campaign: the page that closing one writes, and what was corrected since."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from campaign import door, reading
from campaign.annals import closing
from campaign.annals.chapters import Chapter, as_it_closed, chapters, since_closed
from campaign.annals.fought import is_battle
from campaign.annals.lines import Line, effective
from campaign.annals.standings import Career, War, careers, standings, wars
from campaign.annals.tales import Names
from campaign.models import Campaign, SeasonPage
from heraldry import Arms
from log.models import Entry
from rulebook.conquest import REASON


def register() -> None:
    door.afterwards("season_closed", lambda written: write_page(written.campaign, written.line.number))


def write_page(campaign: Campaign, entry: int, lines: Sequence[Line] | None = None) -> None:
    """Keep the season that this line closed, as it is known now."""
    told = as_it_closed(reading.lines_of(campaign) if lines is None else lines, entry)
    if told is not None:
        defaults = {"season": told.season, "content": closing.page(told)}
        SeasonPage.objects.get_or_create(campaign=campaign, entry=entry, defaults=defaults)


@dataclass(frozen=True, slots=True)
class SinceMark:
    """An entry that changed a closed season, and the day it was entered."""

    entry: int
    on: dt.date


@dataclass(frozen=True, slots=True)
class SeasonSheet:
    """One season ready to draw: as kept when it closed, or as it stands while it is open."""

    page: dict[str, Any]
    is_open: bool
    marks: tuple[SinceMark, ...] = ()

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
        return [
            title | {"arms": [arms[key] for key in title["kingdoms"] if key in arms]} for title in self.page["titles"]
        ]


def season_sheet(campaign: Campaign, season: int) -> SeasonSheet | None:
    """The season of this number. Once it is closed, what closing wrote; marked where it was corrected since."""
    lines = reading.lines_of(campaign)
    told = next((chapter for chapter in chapters(effective(lines)) if chapter.season == season), None)
    if told is None:
        return None
    if told.closed is None:
        return SeasonSheet(closing.page(told), is_open=True)
    kept = SeasonPage.objects.filter(campaign=campaign, entry=told.closed.number).first()
    if kept is None:  # a log written before there were such pages
        return SeasonSheet(closing.page(told), is_open=False)
    numbers = since_closed(lines, told.closed.number)
    days = dict(Entry.objects.filter(log=campaign.log_id, number__in=numbers).values_list("number", "entered_at"))
    marks = tuple(SinceMark(number, days[number].date()) for number in numbers)
    return SeasonSheet(kept.content, is_open=False, marks=marks)


# --- all seasons ----------------------------------------------------------------------------------------------------


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
class Fame:
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
    career: Career
    arms: Arms
    places: tuple[int | None, ...]  # season by season


@dataclass(frozen=True, slots=True)
class SeasonsSheet:
    rows: tuple[SeasonRow, ...]
    fame: tuple[Fame, ...]
    careers: tuple[CareerRow, ...]
    closed: tuple[int, ...]  # numbers of the closed seasons, for the columns


def seasons_sheet(campaign: Campaign) -> SeasonsSheet:
    """Every season, the hall of fame, and the standings over all of them."""
    order = effective(reading.lines_of(campaign))
    told = chapters(order)
    state = reading.state_of(campaign)
    names = Names(state)
    closed = tuple(chapter.season for chapter in told if not chapter.is_open)
    return SeasonsSheet(
        rows=tuple(_row(chapter) for chapter in reversed(told)),
        fame=tuple(_fame(war, names) for war in reversed(wars(order)) if war.winner),
        careers=tuple(
            CareerRow(career, Arms.from_dict(career.arms), tuple(career.places.get(season) for season in closed))
            for career in careers(order, told, state)
        ),
        closed=closed,
    )


def _row(chapter: Chapter) -> SeasonRow:
    ranks = standings(chapter.after, ())
    return SeasonRow(
        season=chapter.season,
        name=chapter.name,
        war=chapter.war,
        opened_on=dt.date.fromisoformat(chapter.opened.played_on),
        closed_on=dt.date.fromisoformat(chapter.closed.played_on) if chapter.closed else None,
        battles=sum(map(is_battle, chapter.lines)),
        leaders=tuple(rank.name for rank in ranks if rank.place == 1),
    )


def _fame(war: War, names: Names) -> Fame:
    realm = names.state.kingdoms.get(war.winner)
    reason = REASON.get(war.why)
    return Fame(
        number=war.number,
        winner=names.kingdom(war.winner),
        arms=Arms.from_dict(realm.arms) if realm else None,
        why=reason.text if reason else "",
        began_on=dt.date.fromisoformat(war.began_on),
        won_on=dt.date.fromisoformat(war.won_on),
        battles=war.battles,
        seasons=war.seasons,
        entry=war.entry,
    )
