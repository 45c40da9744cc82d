"""Reads of the standings. A month is counted once; seasons and all time are stored as they were drawn."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.db.models.functions import TruncMonth

from gamenights.plays.models import Play
from gamenights.plays.selectors import load_facts, plays_of_group
from gamenights.plays.values import PlayFacts
from gamenights.standings.core.ratings import Pool, Rating, month_of, pool_of, rate_months
from gamenights.standings.core.summary import (
    PersonSummary,
    Summary,
    build_person_summary,
    build_summary,
    person_from_json,
    summary_from_json,
    summary_to_json,
)
from gamenights.standings.core.tally import Slot, Tally, add_up, tally_plays
from gamenights.standings.core.tally_codec import tally_from_json, tally_to_json
from gamenights.standings.models import RatingMonth, StoredStandings, TallyMonth
from groups.models import Group
from log.models import Log


@dataclass(frozen=True, slots=True)
class Period:
    """From a day to a day, both included; None is open. ``is_kept``: asked for often, so its page is stored."""

    start: dt.date | None = None
    end: dt.date | None = None
    is_kept: bool = True

    @property
    def key(self) -> str:
        return f"{self.start or ''}/{self.end or ''}"


ALL_TIME = Period()


def get_summary(group: Group, period: Period = ALL_TIME, slot: Slot | None = None) -> Summary:
    def work() -> dict[str, Any]:
        pool = load_pool(group, slot, period.end) if slot else {}
        return summary_to_json(build_summary(load_tally(group, period), slot, pool))

    key = f"{period.key}/{f'{slot.game}/{slot.variant}' if slot else 'all'}"
    return summary_from_json(_get_stored(group, period, key, work))


def get_person_summary(group: Group, person: str, period: Period = ALL_TIME) -> PersonSummary:
    def work() -> dict[str, Any]:
        return asdict(build_person_summary(load_tally(group, period), person))

    return person_from_json(_get_stored(group, period, f"{period.key}/person/{person}", work))


def _get_stored(group: Group, period: Period, key: str, work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    if not period.is_kept:
        return work()
    found = StoredStandings.objects.filter(group=group, key=key).values_list("body", flat=True).first()
    if found is not None:
        return found
    version = _version(group)
    body = work()
    values = {"body": body, "last_day": period.end or dt.date.max}
    _store_if_current(
        group, version, lambda: StoredStandings.objects.update_or_create(group=group, key=key, defaults=values)
    )
    return body


def _version(group: Group) -> int:
    return Log.objects.values_list("version", flat=True).get(pk=group.log_id)


def _store_if_current(group: Group, version: int, store: Callable[[], object]) -> None:
    """Store what was worked out, unless the group's log has grown meanwhile."""
    with transaction.atomic():
        now = Log.objects.select_for_update().values_list("version", flat=True).get(pk=group.log_id)
        if now == version:
            store()


# ── Tallies ──────────────────────────────────────────────────────────────────────────────────────────────


def load_tally(group: Group, period: Period = ALL_TIME) -> Tally:
    """All plays of the period, counted: whole months from store, the days at both ends one by one."""
    version = _version(group)
    plays = plays_of_group(group, period.start, period.end)
    months = list(plays.order_by().annotate(month=TruncMonth("day")).values_list("month", flat=True).distinct())
    whole = {month for month in months if _is_whole(month, period)}
    tallies = {
        month: tally_from_json(body)
        for month, body in TallyMonth.objects.filter(group=group, month__in=whole).values_list("month", "body")
    }
    missing = sorted(month for month in months if month not in tallies)
    if missing:
        fresh = _count_months(plays, missing)
        tallies |= fresh
        rows = [
            TallyMonth(group=group, month=month, body=tally_to_json(fresh[month]))
            for month in missing
            if month in whole
        ]
        _store_if_current(group, version, lambda: TallyMonth.objects.bulk_create(rows, ignore_conflicts=True))
    return add_up(tallies[month] for month in sorted(tallies))


def _is_whole(month: dt.date, period: Period) -> bool:
    last = _last_day(month)
    return (period.start is None or period.start <= month) and (period.end is None or period.end >= last)


def _last_day(month: dt.date) -> dt.date:
    return month_of(month + dt.timedelta(days=31)) - dt.timedelta(days=1)


def _count_months(plays: Any, months: list[dt.date]) -> dict[dt.date, Tally]:
    wanted = Q()
    for start, end in _join_months(months):
        wanted |= Q(day__gte=start, day__lte=end)
    found: dict[dt.date, list[PlayFacts]] = {month: [] for month in months}
    for play in load_facts(plays.filter(wanted), names={}):
        found[month_of(play.day)].append(play)
    return {month: tally_plays(rows) for month, rows in found.items()}


def _join_months(months: list[dt.date]) -> list[tuple[dt.date, dt.date]]:
    """Months that follow each other as one span of days."""
    spans: list[tuple[dt.date, dt.date]] = []
    for month in months:
        if spans and spans[-1][1] + dt.timedelta(days=1) == month:
            spans[-1] = (spans[-1][0], _last_day(month))
        else:
            spans.append((month, _last_day(month)))
    return spans


# ── Ratings ──────────────────────────────────────────────────────────────────────────────────────────────


def load_pool(group: Group, slot: Slot, until: dt.date | None = None) -> Pool:
    """The ratings of one game and variant at the end of a day. Rates only what is not stored yet."""
    version = _version(group)
    plays = Play.objects.filter(group=group, game=slot.game, variant=slot.variant).standing()
    if until:
        plays = plays.filter(day__lte=until)
    months = set(plays.order_by().annotate(month=TruncMonth("day")).values_list("month", flat=True).distinct())
    stored = dict(
        RatingMonth.objects.filter(group=group, game=slot.game, variant=slot.variant, month__in=months)
        .order_by("month")
        .values_list("month", "body")
    )
    # A month that the period cuts off is rated anew up to that day.
    cut = month_of(until) if until and until != _last_day(month_of(until)) else None
    missing = min((month for month in months if month not in stored or month == cut), default=None)
    pool: Pool = {}
    for month, body in stored.items():
        if missing is None or month < missing:
            pool |= {person: Rating(*row) for person, row in body.items()}
    if missing is None:
        return pool
    later = [play for play in load_facts(plays.filter(day__gte=missing), names={}) if pool_of(play) == slot]
    fresh = dict(rate_months(later, pool))
    rows = [
        RatingMonth(
            group=group, game=slot.game, variant=slot.variant, month=month, body=_pool_to_json(fresh.get(month, {}))
        )
        for month in sorted(months)
        if month >= missing and month != cut and month not in stored
    ]
    _store_if_current(group, version, lambda: RatingMonth.objects.bulk_create(rows, ignore_conflicts=True))
    for changed in fresh.values():
        pool |= changed
    return pool


def _pool_to_json(pool: Pool) -> dict[str, list[float]]:
    return {person: [one.mean, one.deviation, one.plays] for person, one in pool.items()}
