"""The standings of a group or of one person, as pages and the API show them.

    span, is_host = get_span_if_visible(who, "K7M2PQ")
    choice = read_choice(span.group, request.GET, seasons)          # ?season=3&game=7&variant=brisk
    summary = read_summary(span, choice.period, choice.slot)

A season and all time are asked for often: their standings are stored whole, until one of their plays changes.
``read_…`` is for pages: few queries, and nothing is stored but an order to count in the background. ``get_…`` is what
that order runs: it stores what it counted.
"""

import datetime as dt
from collections.abc import Mapping, Set as AbstractSet
from dataclasses import dataclass, replace
from functools import partial

from django.http import QueryDict

from gamenights.plays.models import PlayPlayer
from gamenights.plays.selectors import load_facts, plays_of_group
from gamenights.plays.values import format_day
from gamenights.standings import background_count
from gamenights.standings.core.ratings import ALL_GAMES
from gamenights.standings.core.summary import (
    PersonSummary,
    Summary,
    build_person_summary,
    build_summary,
    person_from_json,
    person_to_json,
    summary_from_json,
    summary_to_json,
)
from gamenights.standings.core.tally import Slot, tally_plays
from gamenights.standings.counts import (
    ALL_TIME,
    Counts,
    Period,
    PlaySpan,
    is_any_of,
    load_counts,
    load_meetings,
    load_span,
)
from gamenights.standings.models import Season, StoredStandings
from gamenights.standings.stored_months import Focus
from groups.models import Group
from pages.number_parsing import parse_int
from refusal import Refusal

EVERYONE = 10**9


@dataclass(frozen=True, slots=True)
class Choice:
    """What the address asks for: ``?season=3&game=7&variant=brisk`` or ``?from=2026-01-01&to=2026-03-31``."""

    period: Period
    slot: Slot | None
    season: Season | None
    start: str
    end: str

    @property
    def time_name(self) -> str:
        if self.season:
            return self.season.name
        days = [f"from {format_day(self.period.start)}"] if self.period.start else []
        days += [f"to {format_day(self.period.end)}"] if self.period.end else []
        return " ".join(days) or "all time"


def read_choice(group: Group, query: QueryDict, seasons: list[Season]) -> Choice:
    """The season asked for; without one, the running season, or all time."""
    start, end = _read_day(query, "from"), _read_day(query, "to")
    if start and end and start > end:
        raise Refusal("The first day is after the last day.", field="from")
    season = None
    period = Period(start, end, is_kept=False) if start or end else ALL_TIME
    wanted = query.get("season", "")
    if not (start or end) and wanted != "all":
        number = parse_int(wanted)
        asked = (row for row in seasons if row.pk == number)
        running = (row for row in seasons if row.last_day is None and not wanted)
        season = next(asked, None) or next(running, None)
        period = Period(season.first_day, season.last_day) if season else ALL_TIME
    game = parse_int(query.get("game", ""))
    slot = Slot(str(game), query.get("variant", "")[:200]) if game else None
    return Choice(period, slot, season, query.get("from", ""), query.get("to", ""))


def _read_day(query: QueryDict, name: str) -> dt.date | None:
    text = query.get(name, "").strip()
    if not text:
        return None
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        raise Refusal("Enter a valid date.", field=name) from None


@dataclass(frozen=True, slots=True)
class StoredPage:
    """Where the standings of a time are stored; ``about`` everyone, or one person."""

    group: Group
    period: Period
    about: str

    @property
    def key(self) -> str:
        return f"{self.period.key}/{self.about}"

    def find(self) -> Mapping[str, object] | None:
        if not self.period.is_kept:
            return None
        return StoredStandings.objects.filter(group=self.group, key=self.key).values_list("body", flat=True).first()

    def store(self, body: Mapping[str, object]) -> None:
        row = StoredStandings(group=self.group, key=self.key, body=body, last_day=self.period.end or dt.date.max)
        StoredStandings.objects.bulk_create(
            [row], update_conflicts=True, unique_fields=["group", "key"], update_fields=["body", "last_day"]
        )


# ── A group ──────────────────────────────────────────────────────────────────────────────────────────────


def _page_of_group(group: Group, period: Period, slot: Slot | None) -> StoredPage:
    return StoredPage(group, period, f"{slot.game}/{slot.variant}" if slot else "all")


def read_summary(
    span: PlaySpan, period: Period, slot: Slot | None, *, most: int = EVERYONE, always: AbstractSet[str] = frozenset()
) -> Summary:
    """The standings: the first ``most`` rows of each table, and the rows of the people named in ``always``."""
    stored = _page_of_group(span.group, period, slot).find()
    if stored is not None:
        return summary_from_json(stored, most, always)
    counts = load_counts(span, period, slot or ALL_GAMES, Focus(slot), is_for_page=True)
    summary = _summarise(counts, period, slot)
    if period.is_kept or counts.to_store:
        background_count.order_summary(span.group, period, slot, summary.plays)
    return summary.cut(most, always)


def get_summary(group: Group, period: Period = ALL_TIME, slot: Slot | None = None) -> Summary:
    page = _page_of_group(group, period, slot)
    stored = page.find()
    if stored is not None:
        return summary_from_json(stored, EVERYONE)
    counts = load_counts(load_span(group), period, slot or ALL_GAMES, Focus(slot))
    summary = _summarise(counts, period, slot)
    if period.is_kept:
        counts.to_store.append(partial(page.store, summary_to_json(summary)))
    counts.store()
    return summary


def _summarise(counts: Counts, period: Period, slot: Slot | None) -> Summary:
    """Who met whom is counted with the plays, or read for the few people whose meetings are shown."""
    read_meetings = None if counts.has_pairs else partial(load_meetings, counts.span.group, period, slot)
    return build_summary(counts.tally, slot, counts.pool, read_meetings)


# ── One person ───────────────────────────────────────────────────────────────────────────────────────────


def read_person_summary(group: Group, person: str, period: Period) -> PersonSummary:
    stored = StoredPage(group, period, f"person/{person}").find()
    if stored is not None:
        return person_from_json(stored)
    summary = _count_person(group, person, period)
    if period.is_kept:
        # The nights of everybody are counted too: in a large group that takes longer than the plays of one person.
        background_count.order_person(group, period, person, max(summary.plays, summary.all_nights))
    return summary


def get_person_summary(group: Group, person: str, period: Period = ALL_TIME) -> PersonSummary:
    page = StoredPage(group, period, f"person/{person}")
    stored = page.find()
    if stored is not None:
        return person_from_json(stored)
    counts = Counts(load_span(group))
    summary = _count_person(group, person, period)
    if period.is_kept:
        counts.to_store.append(partial(page.store, person_to_json(summary)))
        counts.store()
    return summary


def _count_person(group: Group, person: str, period: Period) -> PersonSummary:
    """From the plays of this person alone."""
    plays = plays_of_group(group, period.start, period.end)
    theirs = PlayPlayer.objects.filter(is_any_of([int(person)]), play__group=group).values("play")
    tally = tally_plays(load_facts(plays.filter(pk__in=theirs), names={}))
    nights = plays.filter(counted=True).order_by().values("day").distinct().count()
    return build_person_summary(replace(tally, nights=nights), person)
