"""One page to remember a game night by: results, standings, stories, the next nights."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import QuerySet
from django.http import Http404

from gamenights.nights.models import Night
from gamenights.plays.values import format_day
from gamenights.recap.display import build_recap
from people.requester import Who
from prepared_queries import prepared_query
from printing.sheet_registry import NIGHTS, Content, Sheet, Subject, register_sheets

MAX_PLAYS, MAX_STORIES, MAX_ROWS = 14, 8, 10


def find(who: Who, subject: str) -> Night:
    night = Night.objects.evenings_visible_to(who).filter(code=subject.upper()).select_related("group__log").first()
    if night is None:
        raise Http404
    return night


@prepared_query
def _nights_with_plays(who: Who) -> QuerySet[Night]:
    return Night.objects.of(who).filter(plays__removed_at=None, plays__isnull=False).distinct()[:12]


def subjects(who: Who) -> Iterator[Subject]:
    for night in _nights_with_plays(who):
        yield Subject(night.code, title_of(night))


def title_of(night: Night) -> str:
    return f"{night.name}, {format_day(night.day)}" if night.day else night.name


def gather(night: Night) -> Content:
    display = build_recap(night)
    return {
        "group": night.group.name,
        "name": night.name,
        "day": format_day(night.day) if night.day else "",
        "place": night.place,
        "headline": display.recap.headline,
        "summary": display.recap.summary,
        "table": [
            {
                "place": one.row.place,
                "name": one.row.name,
                "arms": [one.arms] if one.arms else [],
                "wins": one.row.wins,
                "contests": one.row.contests,
                "plays": one.row.plays,
            }
            for one in display.table[:MAX_ROWS]
        ],
        "plays": [
            {
                "title": play.title,
                "variant": play.variant,
                "text": play.text,
                "winners": ", ".join(winner.name for winner in play.winners),
                "notes": play.notes[:200],
            }
            for play in display.plays[:MAX_PLAYS]
        ],
        "left_out": max(0, len(display.plays) - MAX_PLAYS),
        "stories": [story.text for story in display.stories[:MAX_STORIES]],
        "next": [title_of(one) for one in display.next_nights],
    }


register_sheets(
    Sheet(
        "night",
        "Recap of a game night",
        "One page: results, standings, stories and the next nights.",
        NIGHTS,
        "night.typ",
        gather,
        find=find,
        name=title_of,
        subjects=subjects,
        back=lambda night: (f"{night.get_absolute_url()}recap/", night.name),
        origin=lambda night: f"the plays of {night.group.name}",
    )
)
