"""Reads of the standings. A month is counted once; seasons and all time are stored as they were drawn."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass

from django.db import transaction
from django.db.models import Count, Q
from django.db.models.functions import TruncMonth

from gamenights.plays.selectors import load_facts, plays_of_group
from gamenights.plays.values import PlayFacts
from gamenights.standings.core.ratings import ALL_GAMES, Pool, Rating, is_in_pool, month_of, rate_months
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
from gamenights.standings.core.tally_codec import Focus, tally_from_json, tally_to_json
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
    key = f"{period.key}/{f'{slot.game}/{slot.variant}' if slot else 'all'}"
    stored = _get_stored(group, period, key)
    if stored is not None:
        return summary_from_json(stored)
    counts = load_counts(group, period, slot or ALL_GAMES, Focus(slot=slot))
    summary = build_summary(counts.tally, slot, counts.pool)
    # Read back, so that a page looks the same whether it was stored or not.
    return summary_from_json(_store_page(counts, period, key, summary_to_json(summary)))


def get_person_summary(group: Group, person: str, period: Period = ALL_TIME) -> PersonSummary:
    key = f"{period.key}/person/{person}"
    stored = _get_stored(group, period, key)
    if stored is not None:
        return person_from_json(stored)
    counts = load_counts(group, period, None, Focus(person=person))
    summary = build_person_summary(counts.tally, person)
    return person_from_json(_store_page(counts, period, key, asdict(summary)))


def _get_stored(group: Group, period: Period, key: str) -> Mapping[str, object] | None:
    if not period.is_kept:
        return None
    return StoredStandings.objects.filter(group=group, key=key).values_list("body", flat=True).first()


def _store_page(counts: Counts, period: Period, key: str, body: Mapping[str, object]) -> Mapping[str, object]:
    if period.is_kept:
        page = StoredStandings(group=counts.group, key=key, body=body, last_day=period.end or dt.date.max)
        counts.to_store.append(
            lambda: StoredStandings.objects.bulk_create(
                [page], update_conflicts=True, unique_fields=["group", "key"], update_fields=["body", "last_day"]
            )
        )
    counts.store()
    return body


# ── From plays, and from what was stored of them ─────────────────────────────────────────────────────────


@dataclass(slots=True)
class Counts:
    """All plays of a period counted, and the ratings of one pool at its end; with what to store for the next time."""

    group: Group
    version: int
    tally: Tally
    pool: Pool
    to_store: list[Callable[[], object]]

    def store(self) -> None:
        """Unless the group's log has grown meanwhile: then it may already be wrong."""
        if not self.to_store:
            return
        with transaction.atomic():
            now = Log.objects.select_for_update().values_list("version", flat=True).get(pk=self.group.log_id)
            if now == self.version:
                for store in self.to_store:
                    store()


def load_counts(group: Group, period: Period, slot: Slot | None, focus: Focus | None = None) -> Counts:
    """Whole months come from store; only plays of other months are read, each once for counting and rating."""
    version = Log.objects.values_list("version", flat=True).get(pk=group.log_id)
    plays = plays_of_group(group, None, period.end)
    of_slot = _slot_filter(slot)
    months = dict(
        plays.order_by()
        .annotate(month=TruncMonth("day"))
        .values("month")
        .annotate(rated=Count("pk", filter=of_slot))
        .values_list("month", "rated")
    )
    tallies = MonthlyTallies(group, period, list(months), focus)
    ratings = MonthlyRatings(group, period, slot, [month for month, rated in months.items() if rated])
    wanted = tallies.missing_days() | (of_slot & ratings.missing_days())
    read = load_facts(plays.filter(wanted), names={}) if tallies.missing or ratings.missing else []
    counts = Counts(group, version, tallies.add_up(read), ratings.rate(read), [])
    counts.to_store += [*tallies.to_store(), *ratings.to_store()]
    return counts


def load_tally(group: Group, period: Period = ALL_TIME) -> Tally:
    counts = load_counts(group, period, None)
    counts.store()
    return counts.tally


def load_pool(group: Group, slot: Slot, until: dt.date | None = None) -> Pool:
    """The ratings of one game and variant, or over all games, at the end of a day."""
    counts = load_counts(group, Period(None, until), slot)
    counts.store()
    return counts.pool


def _slot_filter(slot: Slot | None) -> Q:
    if slot is None:
        return Q(pk__in=())
    return Q() if slot == ALL_GAMES else Q(game=slot.game, variant=slot.variant)


def _last_day(month: dt.date) -> dt.date:
    return month_of(month + dt.timedelta(days=31)) - dt.timedelta(days=1)


class MonthlyTallies:
    """The tallies of a period: whole months from store, the days at both ends one by one."""

    def __init__(self, group: Group, period: Period, months: list[dt.date], focus: Focus | None) -> None:
        self.group = group
        self.start = period.start or dt.date.min
        inside = [month for month in months if _last_day(month) >= self.start]
        self._whole = {month for month in inside if self._is_whole(month, period)}
        rows = TallyMonth.objects.filter(group=group, month__in=self._whole).values_list("month", "body")
        self._tallies = {month: tally_from_json(body, focus) for month, body in rows}
        self.missing = sorted(month for month in inside if month not in self._tallies)

    def _is_whole(self, month: dt.date, period: Period) -> bool:
        return self.start <= month and (period.end is None or period.end >= _last_day(month))

    def missing_days(self) -> Q:
        wanted = Q(pk__in=())
        for start, end in _join_months(self.missing):
            wanted |= Q(day__gte=max(start, self.start), day__lte=end)
        return wanted

    def add_up(self, plays: Iterable[PlayFacts]) -> Tally:
        found: dict[dt.date, list[PlayFacts]] = {month: [] for month in self.missing}
        for play in plays:
            if play.day >= self.start and (rows := found.get(month_of(play.day))) is not None:
                rows.append(play)
        self._tallies |= {month: tally_plays(rows) for month, rows in found.items()}
        return add_up(self._tallies[month] for month in sorted(self._tallies))

    def to_store(self) -> list[Callable[[], object]]:
        rows = [
            TallyMonth(group=self.group, month=month, body=tally_to_json(self._tallies[month]))
            for month in self.missing
            if month in self._whole
        ]
        return [lambda: TallyMonth.objects.bulk_create(rows, ignore_conflicts=True)] if rows else []


def _join_months(months: list[dt.date]) -> list[tuple[dt.date, dt.date]]:
    """Months that follow each other as one span of days."""
    spans: list[tuple[dt.date, dt.date]] = []
    for month in months:
        if spans and spans[-1][1] + dt.timedelta(days=1) == month:
            spans[-1] = (spans[-1][0], _last_day(month))
        else:
            spans.append((month, _last_day(month)))
    return spans


class MonthlyRatings:
    """The ratings of one pool: months before the first change from store, everything after it rated anew."""

    def __init__(self, group: Group, period: Period, slot: Slot | None, months: list[dt.date]) -> None:
        self.group, self.slot, self._months = group, slot, sorted(months)
        # A month that the period cuts off is rated anew up to that day, and not stored.
        end = period.end
        self._cut = month_of(end) if end and end != _last_day(month_of(end)) else None
        self._stored: dict[dt.date, dict[str, list[float]]] = {}
        if slot is not None and months:
            rows = RatingMonth.objects.filter(group=group, game=slot.game, variant=slot.variant, month__in=months)
            self._stored = dict(rows.order_by("month").values_list("month", "body"))
        gaps = [month for month in self._months if month not in self._stored or month == self._cut]
        self.missing = min(gaps, default=None)
        self._fresh: dict[dt.date, Pool] = {}

    def missing_days(self) -> Q:
        return Q(day__gte=self.missing) if self.missing else Q(pk__in=())

    def rate(self, plays: Iterable[PlayFacts]) -> Pool:
        last: dict[str, list[float]] = {}
        for month, body in self._stored.items():
            if self.missing is None or month < self.missing:
                last |= body
        pool = {person: Rating(row[0], row[1], int(row[2])) for person, row in last.items()}
        if self.missing is None or self.slot is None:
            return pool
        later = [play for play in plays if play.day >= self.missing and is_in_pool(play, self.slot)]
        self._fresh = dict(rate_months(later, pool))
        for changed in self._fresh.values():
            pool |= changed
        return pool

    def to_store(self) -> list[Callable[[], object]]:
        if self.missing is None or self.slot is None:
            return []
        game, variant = self.slot.game, self.slot.variant
        rows = [
            RatingMonth(
                group=self.group, game=game, variant=variant, month=month, body=_pool_to_json(self._fresh, month)
            )
            for month in self._months
            if month >= self.missing and month != self._cut and month not in self._stored
        ]
        return [lambda: RatingMonth.objects.bulk_create(rows, ignore_conflicts=True)] if rows else []


def _pool_to_json(fresh: Mapping[dt.date, Pool], month: dt.date) -> dict[str, list[float]]:
    return {person: [one.mean, one.deviation, one.plays] for person, one in fresh.get(month, {}).items()}
