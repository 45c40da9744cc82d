"""What was counted before, by month: tallies in blocks of months, and the ratings of one pool by month."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db.models import Exists, FilteredRelation, Q, Subquery, Value
from django.db.models.functions import Coalesce

from gamenights.plays.values import PlayFacts
from gamenights.standings.core.ratings import ALL_GAMES, Pool, Rating, is_in_pool, rate_days
from gamenights.standings.core.tally import Slot, Tally, add_up, tally_plays
from gamenights.standings.core.tally_blocks import (
    Block,
    SlotRows,
    cut_into_blocks,
    head_to_json,
    last_day_of,
    month_of,
    pairs_to_json,
    people_to_json,
    tally_from_json,
)
from gamenights.standings.models import RatingMonth, TallyBlock, TallyBlockSlot
from groups.models import Group

NOTHING = Q(pk__in=())


@dataclass(frozen=True, slots=True)
class Days:
    """From a day to a day, both included."""

    first: dt.date
    last: dt.date

    def as_filter(self) -> Q:
        return Q(day__gte=self.first, day__lte=self.last)


@dataclass(frozen=True, slots=True)
class Focus:
    """What a page needs of a tally beside everyone over all games: the people of one slot, or nothing more."""

    slot: Slot | None = None


class BlockTallies:
    """Whole months come from store; what is missing there is counted from plays, once. Without a focus, all of it.

    With ``is_read_only`` one query finds the blocks, and smaller ones for those that are missing: ``store`` is not for
    what was added up from them.
    """

    def __init__(self, group: Group, days: Days, focus: Focus | None, *, is_read_only: bool = False) -> None:
        self.group, self._days = group, days
        first, last = month_of(days.first), month_of(days.last)
        if days.first > first:
            first = last_day_of(first) + dt.timedelta(days=1)
        if days.last < last_day_of(last):
            last = month_of(last - dt.timedelta(days=1))
        self._blocks = list(cut_into_blocks(first, last)) if first <= last else []
        self._edges = self._find_edges(first, last)
        self._parts: dict[Block, Tally] = {}
        if is_read_only:
            wanted = any_of(self._blocks) | self._parts_of_missing()
            self._parts = self._read(wanted, focus) if self._blocks else {}
            self._tallies = {block: self._parts[block] for block in self._blocks if block in self._parts}
        else:
            self._tallies = self._read(any_of(self._blocks), focus) if self._blocks else {}
        self.has_stored = bool(self._tallies or self._parts)
        self._missing = [block for block in self._blocks if block not in self._tallies]
        if not is_read_only and any(block.months > 1 for block in self._missing):
            smaller = NOTHING
            for block in self._missing:
                smaller |= _within(block)
            self._parts = self._read(smaller, None)
        self._uncounted = [month for block in self._missing for month in self._uncounted_in(block)]
        self._fresh: dict[Block, Tally] = {}

    def _parts_of_missing(self) -> Q:
        found = NOTHING
        for block in self._blocks:
            if block.months > 1:
                stored = TallyBlock.objects.filter(group=self.group, start=block.start, months=block.months)
                found |= _within(block) & Q(~Exists(stored))
        return found

    def _find_edges(self, first: dt.date, last: dt.date) -> list[Days]:
        """The days that are not in whole months."""
        days = self._days
        if first > last:
            return [days]
        found = []
        if days.first < first:
            found.append(Days(days.first, first - dt.timedelta(days=1)))
        if days.last > last_day_of(last):
            found.append(Days(last_day_of(last) + dt.timedelta(days=1), days.last))
        return found

    def _read(self, wanted: Q, focus: Focus | None) -> dict[Block, Tally]:
        rows = TallyBlock.objects.filter(wanted, group=self.group)
        if focus is None:
            slots: dict[int, dict[Slot, SlotRows]] = defaultdict(dict)
            found = TallyBlockSlot.objects.filter(block__in=rows.values("pk"))
            for pk, game, variant, people, pairs in found.values_list("block", "game", "variant", "people", "pairs"):
                slots[pk][Slot(game, variant)] = SlotRows(people, pairs)
            heads = rows.values_list("pk", "start", "months", "head")
            return {Block(start, months): tally_from_json(head, slots[pk]) for pk, start, months, head in heads}
        if focus.slot is None:
            heads = rows.values_list("start", "months", "head")
            return {Block(start, months): tally_from_json(head, {}) for start, months, head in heads}
        slot = focus.slot
        condition = Q(slot__game=slot.game, slot__variant=slot.variant)
        rows = rows.annotate(mine=FilteredRelation("slot", condition=condition))
        return {
            Block(start, months): tally_from_json(head, {slot: SlotRows(people)} if people else {})
            for start, months, head, people in rows.values_list("start", "months", "head", "mine__people")
        }

    def _uncounted_in(self, block: Block) -> list[Block]:
        """The single months of a block that have to be counted."""
        if block in self._parts:
            return []
        if block.months == 1:
            return [block]
        return [month for half in block.halves for month in self._uncounted_in(half)]

    @property
    def has_news(self) -> bool:
        """Something was counted that can be stored."""
        return bool(self._fresh)

    def missing_days(self) -> Q:
        wanted = NOTHING
        for days in (*self._edges, *(Days(month.start, month.end) for month in self._uncounted)):
            wanted |= days.as_filter()
        return wanted

    @property
    def is_complete(self) -> bool:
        """No play has to be read."""
        return not self._edges and not self._uncounted

    def add_up(self, plays: Iterable[PlayFacts]) -> Tally:
        found: dict[dt.date, list[PlayFacts]] = defaultdict(list)
        at_edges: dict[Days, list[PlayFacts]] = {edge: [] for edge in self._edges}
        uncounted = {block.start for block in self._uncounted}
        for play in plays:
            month = month_of(play.day)
            if month in uncounted:
                found[month].append(play)
                continue
            for edge, rows in at_edges.items():
                if edge.first <= play.day <= edge.last:
                    rows.append(play)
        for block in self._missing:
            self._tallies[block] = self._count(block, found)
        parts = [(block.start, tally) for block, tally in self._tallies.items()]
        parts += [(edge.first, tally_plays(rows)) for edge, rows in at_edges.items()]
        return add_up(tally for _, tally in sorted(parts, key=lambda row: row[0]))

    def _count(self, block: Block, plays: dict[dt.date, list[PlayFacts]]) -> Tally:
        if block in self._parts:
            return self._parts[block]
        if block.months == 1:
            tally = tally_plays(plays[block.start])
        else:
            tally = add_up(self._count(half, plays) for half in block.halves)
        self._fresh[block] = tally
        return tally

    def store(self) -> None:
        rows = [
            TallyBlock(group=self.group, start=block.start, months=block.months, head=head_to_json(tally))
            for block, tally in self._fresh.items()
        ]
        TallyBlock.objects.bulk_create(rows)
        slots = [
            TallyBlockSlot(
                block=row,
                game=slot.game,
                variant=slot.variant,
                people=people_to_json(one.people),
                pairs=pairs_to_json(one.pairs),
            )
            for row, tally in zip(rows, self._fresh.values(), strict=True)
            for slot, one in tally.slots.items()
        ]
        TallyBlockSlot.objects.bulk_create(slots)


def _within(block: Block) -> Q:
    """Smaller blocks of the same months."""
    return Q(start__gte=block.start, start__lte=block.end, months__lt=block.months)


def any_of(blocks: Iterable[Block]) -> Q:
    wanted = NOTHING
    for block in blocks:
        wanted |= Q(start=block.start, months=block.months)
    return wanted


# ── Ratings ──────────────────────────────────────────────────────────────────────────────────────────────

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
