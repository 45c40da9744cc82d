"""The ratings of one pool: stored by month, and rated anew only from the first month that is missing."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping

from django.db.models import Q, Subquery, Value
from django.db.models.functions import Coalesce

from gamenights.plays.values import PlayFacts
from gamenights.standings.core.month_blocks import last_day_of, month_of
from gamenights.standings.core.ratings import ALL_GAMES, Pool, Rating, is_in_pool, rate_days
from gamenights.standings.core.tally import Slot
from gamenights.standings.models import RatingMonth
from gamenights.standings.stored_tallies import NOTHING, Days
from groups.models import Group

# After so many months everyone's rating is written down, so that a page reads no further back.
MONTHS_TO_READ = 6
PoolJson = dict[str, list[float]]


class MonthlyRatings:
    """Stored months are always all months from the first play to the last one stored: a change deletes every later
    one. So whatever comes after the last stored month is still to be rated."""

    def __init__(self, group: Group, slot: Slot, plays: Days, end: dt.date) -> None:
        """``plays``: from the group's first play to its last."""
        self.group, self.slot, self._end = group, slot, end
        self._last = month_of(min(end, plays.last))
        pool = RatingMonth.objects.filter(group=group, game=slot.game, variant=slot.variant, month__lte=self._last)
        newest = pool.filter(before__isnull=False).order_by("-month").values("month")[:1]
        rows = pool.filter(month__gte=Coalesce(Subquery(newest), Value(month_of(plays.first)))).order_by("month")
        self._rows: list[tuple[dt.date, Mapping[str, PoolJson], PoolJson | None]] = list(
            rows.values_list("month", "days", "before")
        )
        stored_until = last_day_of(self._rows[-1][0]) if self._rows else month_of(plays.first) - dt.timedelta(days=1)
        self._missing: Days | None = None
        if stored_until < self._last:
            self._missing = Days(stored_until + dt.timedelta(days=1), last_day_of(self._last))
        self._fresh: list[RatingMonth] = []

    @property
    def is_complete(self) -> bool:
        return self._missing is None

    @property
    def has_news(self) -> bool:
        """Something was counted that can be stored."""
        return bool(self._fresh)

    def missing_days(self) -> Q:
        if self._missing is None:
            return NOTHING
        of_slot = Q() if self.slot == ALL_GAMES else Q(game=self.slot.game, variant=self.slot.variant)
        return self._missing.as_filter() & of_slot

    def rate(self, plays: Iterable[PlayFacts]) -> Pool:
        """Everyone's rating at the end of the last day asked for."""
        if self._missing is not None:
            first = self._missing.first
            later = [play for play in plays if play.day >= first and is_in_pool(play, self.slot)]
            self._rate_missing(self._missing, later)
        return _pool_from_json(self._state_at(self._end))

    def _state_at(self, end: dt.date) -> PoolJson:
        last = end.isoformat()
        found: PoolJson = dict((self._rows[0][2] or {}) if self._rows else {})
        for _, days, _ in self._rows:
            for day, changed in days.items():
                if day <= last:
                    found |= changed
        return found

    def _rate_missing(self, missing: Days, plays: list[PlayFacts]) -> None:
        state = self._state_at(missing.first)
        by_month: dict[dt.date, dict[str, PoolJson]] = {}
        for day, changed in rate_days(plays, _pool_from_json(state)):
            by_month.setdefault(month_of(day), {})[day.isoformat()] = _pool_to_json(changed)
        # The last month is stored even if nobody played in it: it says how far the ratings go.
        by_month.setdefault(month_of(missing.last), {})
        since = len(self._rows)
        for month, days in sorted(by_month.items()):
            before = dict(state) if since >= MONTHS_TO_READ else None
            since = 1 if before is not None else since + 1
            self._rows.append((month, days, None))
            self._fresh.append(
                RatingMonth(
                    group=self.group,
                    game=self.slot.game,
                    variant=self.slot.variant,
                    month=month,
                    days=days,
                    before=before,
                )
            )
            for ratings in days.values():
                state |= ratings

    def store(self) -> None:
        RatingMonth.objects.bulk_create(self._fresh)


def _pool_to_json(pool: Pool) -> PoolJson:
    return {person: [one.mean, one.deviation, one.plays] for person, one in pool.items()}


def _pool_from_json(body: PoolJson) -> Pool:
    return {person: Rating(row[0], row[1], int(row[2])) for person, row in body.items()}
