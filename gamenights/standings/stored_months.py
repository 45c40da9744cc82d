"""What was counted before, by month: tallies in blocks of months, and the ratings of one pool.

Standings from 11 February 2023 to 3 October 2025:

    tallies = BlockTallies(group, Days(dt.date(2023, 2, 11), dt.date(2025, 10, 3)), Focus())
    # whole months: March 2023 to September 2025, in a few blocks that are read from store
    # edges: 11 to 28 February and 1 to 3 October, never stored
    plays = …                     # those of tallies.missing_days(): the edges, and months that no stored block has
    tallies.add_up(plays)         # the tally of the whole time
    tallies.store()               # the blocks that were missing

``MonthlyRatings`` goes the same way: made, asked for its ``missing_days``, given the plays, stored if it ``has_news``.
"""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import or_

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
ONE_DAY = dt.timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Days:
    """From a day to a day, both included."""

    first: dt.date
    last: dt.date

    def __contains__(self, day: dt.date) -> bool:
        return self.first <= day <= self.last

    def as_filter(self) -> Q:
        return Q(day__gte=self.first, day__lte=self.last)

    def whole_months(self) -> "Days | None":
        first, last = month_of(self.first), last_day_of(month_of(self.last))
        if self.first > first:
            first = last_day_of(first) + ONE_DAY
        if self.last < last:
            last = month_of(last) - ONE_DAY
        return Days(first, last) if first <= last else None

    def edges(self) -> "list[Days]":
        """The days that are not in whole months."""
        whole = self.whole_months()
        if whole is None:
            return [self]
        sides = (Days(self.first, whole.first - ONE_DAY), Days(whole.last + ONE_DAY, self.last))
        return [side for side in sides if side.first <= side.last]


@dataclass(frozen=True, slots=True)
class Focus:
    """What a page needs of a tally beside everyone over all games: the people of one slot, or nothing more."""

    slot: Slot | None = None


class BlockTallies:
    """The tally of some days. Without a focus, all of it.

    With ``is_read_only`` one query reads the blocks, and smaller ones for those that are missing; of these only what
    is in focus, so ``store`` is not for what was added up from them.
    """

    def __init__(self, group: Group, days: Days, focus: Focus | None, *, is_read_only: bool = False) -> None:
        self.group = group
        whole = days.whole_months()
        self._blocks = list(cut_into_blocks(whole.first, whole.last)) if whole else []
        self._edges = days.edges()
        self._stored = self._read_for_page(focus) if is_read_only else self._read_to_store(focus)
        self._uncounted = [month for block in self._blocks for month in self._uncounted_in(block)]
        self._fresh: dict[Block, Tally] = {}

    def _read_for_page(self, focus: Focus | None) -> dict[Block, Tally]:
        wanted = any_of(self._blocks)
        for block in self._blocks:
            stored = TallyBlock.objects.filter(group=self.group, start=block.start, months=block.months)
            wanted |= _smaller_than(block) & Q(~Exists(stored))
        return self._read(wanted, focus)

    def _read_to_store(self, focus: Focus | None) -> dict[Block, Tally]:
        stored = self._read(any_of(self._blocks), focus)
        missing = (_smaller_than(block) for block in self._blocks if block not in stored)
        return stored | self._read(reduce(or_, missing, NOTHING), None)

    def _read(self, wanted: Q, focus: Focus | None) -> dict[Block, Tally]:
        rows = TallyBlock.objects.filter(wanted, group=self.group)
        if focus is None:
            slots: dict[int, dict[Slot, SlotRows]] = defaultdict(dict)
            of_blocks = TallyBlockSlot.objects.filter(block__in=rows.values("pk"))
            for row in of_blocks.values_list("block", "game", "variant", "people", "pairs", named=True):
                slots[row.block][Slot(row.game, row.variant)] = SlotRows(row.people, row.pairs)
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
        if block in self._stored:
            return []
        if block.months == 1:
            return [block]
        return [month for half in block.halves for month in self._uncounted_in(half)]

    @property
    def is_complete(self) -> bool:
        """No play has to be read."""
        return not self._edges and not self._uncounted

    @property
    def has_stored(self) -> bool:
        """Not everything has to be counted."""
        return bool(self._stored)

    @property
    def has_news(self) -> bool:
        """Something was counted that can be stored."""
        return bool(self._fresh)

    def missing_days(self) -> Q:
        months = (Days(month.start, month.end) for month in self._uncounted)
        return reduce(or_, (days.as_filter() for days in (*self._edges, *months)), NOTHING)

    def add_up(self, plays: Iterable[PlayFacts]) -> Tally:
        by_month: dict[dt.date, list[PlayFacts]] = {month.start: [] for month in self._uncounted}
        at_edges: dict[Days, list[PlayFacts]] = {edge: [] for edge in self._edges}
        for play in plays:
            month = month_of(play.day)
            if month in by_month:
                by_month[month].append(play)
                continue
            for edge, rows in at_edges.items():
                if play.day in edge:
                    rows.append(play)
        parts = [(block.start, self._count(block, by_month)) for block in self._blocks]
        parts += [(edge.first, tally_plays(rows)) for edge, rows in at_edges.items()]
        return add_up(tally for _, tally in sorted(parts, key=lambda part: part[0]))

    def _count(self, block: Block, plays: Mapping[dt.date, list[PlayFacts]]) -> Tally:
        if block in self._stored:
            return self._stored[block]
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


def _smaller_than(block: Block) -> Q:
    """Smaller blocks of the same months."""
    if block.months == 1:
        return NOTHING
    return Q(start__gte=block.start, start__lte=block.end, months__lt=block.months)


def any_of(blocks: Iterable[Block]) -> Q:
    return reduce(or_, (Q(start=block.start, months=block.months) for block in blocks), NOTHING)


# ── Ratings ──────────────────────────────────────────────────────────────────────────────────────────────

# After so many months everyone's rating is written down, so that a page reads no further back.
MONTHS_TO_READ = 6
PoolJson = dict[str, list[float]]


class MonthlyRatings:
    """The ratings of one pool at the end of a day, rated anew only from the first month that is missing.

    Stored months are always all months from the first play to the last one stored: a change deletes every later one.
    So whatever comes after the last stored month is still to be rated.
    """

    def __init__(self, group: Group, slot: Slot, plays: Days, end: dt.date) -> None:
        """``plays``: from the group's first play to its last."""
        self.group, self.slot, self._end = group, slot, end
        last = month_of(min(end, plays.last))
        pool = RatingMonth.objects.filter(group=group, game=slot.game, variant=slot.variant, month__lte=last)
        newest = pool.filter(before__isnull=False).order_by("-month").values("month")[:1]
        self._months = list(
            pool.filter(month__gte=Coalesce(Subquery(newest), Value(month_of(plays.first)))).order_by("month")
        )
        self._fresh: list[RatingMonth] = []
        self._missing: Days | None = None
        to_rate = last_day_of(self._months[-1].month) + ONE_DAY if self._months else month_of(plays.first)
        if to_rate <= last:
            self._missing = Days(to_rate, last_day_of(last))

    @property
    def is_complete(self) -> bool:
        return self._missing is None

    @property
    def has_news(self) -> bool:
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
        return _pool_from_json(self._ratings_at(self._end))

    def _ratings_at(self, end: dt.date) -> PoolJson:
        last = end.isoformat()
        ratings: PoolJson = dict((self._months[0].before or {}) if self._months else {})
        for row in self._months:
            for day, changed in row.days.items():
                if day <= last:
                    ratings |= changed
        return ratings

    def _rate_missing(self, missing: Days, plays: list[PlayFacts]) -> None:
        ratings = self._ratings_at(missing.first)
        by_month: dict[dt.date, dict[str, PoolJson]] = {}
        for day, changed in rate_days(plays, _pool_from_json(ratings)):
            by_month.setdefault(month_of(day), {})[day.isoformat()] = _pool_to_json(changed)
        # The last month is stored even if nobody played in it: it says how far the ratings go.
        by_month.setdefault(month_of(missing.last), {})
        pool = {"group": self.group, "game": self.slot.game, "variant": self.slot.variant}
        since = len(self._months)
        for month, days in sorted(by_month.items()):
            before = dict(ratings) if since >= MONTHS_TO_READ else None
            since = 1 if before is not None else since + 1
            self._fresh.append(RatingMonth(**pool, month=month, days=days, before=before))
            for of_day in days.values():
                ratings |= of_day
        self._months += self._fresh

    def store(self) -> None:
        RatingMonth.objects.bulk_create(self._fresh)


def _pool_to_json(pool: Pool) -> PoolJson:
    return {person: [one.mean, one.deviation, one.plays] for person, one in pool.items()}


def _pool_from_json(body: PoolJson) -> Pool:
    return {person: Rating(row[0], row[1], int(row[2])) for person, row in body.items()}
