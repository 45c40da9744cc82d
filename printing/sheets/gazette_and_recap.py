"""The Gazette of a season, a newspaper of two pages, and the page to remember one night by."""

from collections.abc import Iterator

from django.db.models import QuerySet
from django.http import Http404
from django.urls import reverse

from gamenights.nights.models import Night
from gamenights.plays.models import Play
from gamenights.plays.values import format_day
from gamenights.recap.display import Edition, build_recap, build_season_gazette
from gamenights.standings.models import Season
from groups.models import Group
from people.requester import Who
from prepared_queries import prepared_query
from printing.sheet_registry import NIGHTS, Content, Sheet, Subject, pick, register_sheets

MAX_SEASONS = 12


def find_gazette(who: Who, subject: str) -> Edition:
    code, _, wanted = subject.rpartition("-")
    group = Group.objects.visible_to(who).filter(code=code).select_related("log").first()
    if group is None:
        raise Http404
    if wanted == "all":
        return Edition(group, None)
    season = group.seasons.filter(pk=int(wanted)).first() if wanted.isdecimal() and len(wanted) < 19 else None
    if season is None:
        raise Http404
    return Edition(group, season)


def _groups_that_played(who: Who) -> QuerySet[Group]:
    return Group.objects.of(who).filter(pk__in=Play.objects.standing().values("group"))


@prepared_query
def _groups_with_plays(who: Who) -> QuerySet[Group]:
    return _groups_that_played(who)[:MAX_SEASONS]


@prepared_query
def _seasons(who: Who) -> QuerySet[Season]:
    return Season.objects.filter(group__in=_groups_that_played(who)).select_related("group")[:MAX_SEASONS]


def list_gazettes(who: Who) -> Iterator[Subject]:
    for season in _seasons(who):
        yield _subject(Edition(season.group, season))
    for group in _groups_with_plays(who):
        yield _subject(Edition(group, None))


def _subject(edition: Edition) -> Subject:
    return Subject(edition.key, title_of_gazette(edition))


def title_of_gazette(edition: Edition) -> str:
    return f"Gazette of {edition.group.name}, {edition.name}"


def gather_gazette(edition: Edition) -> Content:
    display = build_season_gazette(edition)
    gazette = display.gazette
    first, last = display.first_day, display.last_day
    return {
        "group": edition.group.name,
        "season": edition.name,
        "days": f"{format_day(first)} to {format_day(last)}" if first and last else "",
        "headline": gazette.headline,
        "lead": list(gazette.lead),
        "champions": [
            {"arms": [display.arms[row.person]] if row.person in display.arms else [], "name": name}
            for row, name in gazette.table
            if row.place == 1 and row.wins
        ],
        "table": [{**pick(row, "place", "wins", "contests", "nights"), "name": name} for row, name in gazette.table],
        "stories": [fact.text for fact in gazette.stories],
        "titles": [{"name": title.name, "people": people, "reason": title.reason} for title, people in gazette.titles],
        "games": [pick(game, "name", "plays", "leader") for game in gazette.games],
        "news": [fact.text for fact in gazette.news],
        "rivalries": list(gazette.rivalries),
        "nights": [{**pick(night, "plays", "winner"), "day": format_day(night.day)} for night in gazette.nights],
        "last": gazette.last_play,
    }


register_sheets(
    Sheet(
        "gazette",
        "Gazette of a season",
        "Two pages of newspaper: headline, table, stories, records, rivalries.",
        NIGHTS,
        "gazette.typ",
        gather_gazette,
        find=find_gazette,
        name=title_of_gazette,
        subjects=list_gazettes,
        back=lambda edition: (reverse("gamenights:standings", args=[edition.group.code]), "Standings"),
        origin=lambda edition: f"the plays of {edition.group.name}",
    )
)


# ── One page to remember a game night by: results, standings, stories, the next nights ───────────────────


MAX_PLAYS, MAX_STORIES, MAX_ROWS = 14, 8, 10


def find_night(who: Who, subject: str) -> Night:
    night = Night.objects.evenings_visible_to(who).filter(code=subject.upper()).select_related("group__log").first()
    if night is None:
        raise Http404
    return night


@prepared_query
def _nights_with_plays(who: Who) -> QuerySet[Night]:
    return Night.objects.of(who).filter(plays__removed_at=None, plays__isnull=False).distinct()[:12]


def list_nights(who: Who) -> Iterator[Subject]:
    for night in _nights_with_plays(who):
        yield Subject(night.code, title_of_night(night))


def title_of_night(night: Night) -> str:
    return f"{night.name}, {format_day(night.day)}" if night.day else night.name


def gather_recap(night: Night) -> Content:
    display = build_recap(night)
    return {
        "group": night.group.name,
        "name": night.name,
        "day": format_day(night.day) if night.day else "",
        "place": night.place,
        "headline": display.recap.headline,
        "summary": display.recap.summary,
        "table": [
            {**pick(line.row, "place", "name", "wins", "contests", "plays"), "arms": [line.arms] if line.arms else []}
            for line in display.table[:MAX_ROWS]
        ],
        "plays": [
            {
                **pick(play, "title", "variant", "text"),
                "winners": ", ".join(winner.name for winner in play.winners),
                "notes": play.notes[:200],
            }
            for play in display.plays[:MAX_PLAYS]
        ],
        "left_out": max(0, len(display.plays) - MAX_PLAYS),
        "stories": [story.text for story in display.stories[:MAX_STORIES]],
        "next": list(map(title_of_night, display.next_nights)),
    }


register_sheets(
    Sheet(
        "night",
        "Recap of a game night",
        "One page: results, standings, stories and the next nights.",
        NIGHTS,
        "night.typ",
        gather_recap,
        find=find_night,
        name=title_of_night,
        subjects=list_nights,
        back=lambda night: (f"{night.get_absolute_url()}recap/", night.name),
        origin=lambda night: f"the plays of {night.group.name}",
    )
)
