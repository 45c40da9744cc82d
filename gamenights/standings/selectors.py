"""Reads of the standings. Months are counted once; pages of seasons and of all time are stored as they were drawn."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from django.db import IntegrityError, transaction
from django.db.models import Q, Subquery

from gamenights.plays.models import Play, PlayPlayer
from gamenights.plays.selectors import load_facts, plays_of_group
from gamenights.plays.values import Scoring, Variant
from gamenights.standings.core.months import last_day_of, month_of
from gamenights.standings.core.ratings import ALL_GAMES, Pool
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
from gamenights.standings.core.tally import PairCounts, Slot, Tally, count_pairs, tally_plays
from gamenights.standings.models import StoredStandings
from gamenights.standings.rating_months import MonthlyRatings
from gamenights.standings.tally_blocks import BlockTallies, Days, Focus
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
EVERYONE = 10**9


def get_summary(
    group: Group,
    period: Period = ALL_TIME,
    slot: Slot | None = None,
    *,
    most: int = EVERYONE,
    always: AbstractSet[str] = frozenset(),
) -> Summary:
    """The standings: the first ``most`` rows of each table, and the rows of the people named in ``always``."""
    key = f"{period.key}/{f'{slot.game}/{slot.variant}' if slot else 'all'}"
    stored = _get_stored(group, period, key)
    if stored is not None:
        return summary_from_json(stored, most, always)
    counts = load_counts(group, period, slot or ALL_GAMES, Focus(slot))
    summary = build_summary(counts.tally, slot, counts.pool, lambda people: load_meetings(group, period, slot, people))
    if period.is_kept:
        _store_page(counts, period, key, summary_to_json(summary))
    counts.store()
    return summary.cut(most, always)


def get_person_summary(group: Group, person: str, period: Period = ALL_TIME) -> PersonSummary:
    """From the plays of this person alone."""
    key = f"{period.key}/person/{person}"
    stored = _get_stored(group, period, key)
    if stored is not None:
        return person_from_json(stored)
    version = Log.objects.values_list("version", flat=True).get(pk=group.log_id)
    plays = plays_of_group(group, period.start, period.end)
    theirs = PlayPlayer.objects.filter(_is_one_of([int(person)]), play__group=group).values("play")
    tally = tally_plays(load_facts(plays.filter(pk__in=theirs), names={}))
    nights = plays.filter(counted=True).order_by().values("day").distinct().count()
    summary = build_person_summary(replace(tally, nights=nights), person)
    if period.is_kept:
        counts = Counts(group, version, tally, {}, [])
        _store_page(counts, period, key, person_to_json(summary))
        counts.store()
    return summary


def _is_one_of(people: Iterable[int]) -> Q:
    """Rows of these people, also under the names they were merged from."""
    ids = list(people)
    return Q(person__in=ids) | Q(person__merged_into__in=ids)


def _get_stored(group: Group, period: Period, key: str) -> Mapping[str, object] | None:
    if not period.is_kept:
        return None
    return StoredStandings.objects.filter(group=group, key=key).values_list("body", flat=True).first()


def _store_page(counts: Counts, period: Period, key: str, body: Mapping[str, object]) -> None:
    page = StoredStandings(group=counts.group, key=key, body=body, last_day=period.end or dt.date.max)
    counts.to_store.append(
        lambda: StoredStandings.objects.bulk_create(
            [page], update_conflicts=True, unique_fields=["group", "key"], update_fields=["body", "last_day"]
        )
    )


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
        try:
            with transaction.atomic():
                now = Log.objects.select_for_update().values_list("version", flat=True).get(pk=self.group.log_id)
                if now == self.version:
                    for store in self.to_store:
                        store()
        except IntegrityError:
            pass  # another visitor has just stored the same


def load_counts(group: Group, period: Period, slot: Slot | None, focus: Focus | None = None) -> Counts:
    """Whole months come from store; the other plays are read once for counting and rating."""
    found = Play.objects.filter(group=group).standing()
    first_day, last_day = (Subquery(found.order_by(order).values("day")[:1]) for order in ("day", "-day"))
    version, first, last = Log.objects.values_list("version", first_day, last_day).get(pk=group.log_id)
    counts = Counts(group, version, Tally(), {}, [])
    if first is None or (period.end and period.end < first):
        return counts
    days = Days(max(period.start or first, month_of(first)), min(period.end or last, last_day_of(month_of(last))))
    if not period.start:
        days = replace(days, first=month_of(first))
    if not period.end:
        days = replace(days, last=last_day_of(month_of(last)))
    tallies = BlockTallies(group, days, focus) if days.first <= days.last else None
    ratings = MonthlyRatings(group, slot, Days(first, last), period.end or last) if slot else None
    parts = [part for part in (tallies, ratings) if part is not None]
    plays = []
    if not all(part.is_complete for part in parts):
        wanted = Q(pk__in=())
        for part in parts:
            wanted |= part.missing_days()
        plays = load_facts(plays_of_group(group).filter(wanted), names={})
    if tallies:
        counts.tally = tallies.add_up(plays)
    if ratings:
        counts.pool = ratings.rate(plays)
    counts.to_store = [part.store for part in parts if part.has_news]
    return counts


def load_tally(group: Group, period: Period = ALL_TIME) -> Tally:
    counts = load_counts(group, period, None)
    counts.store()
    return counts.tally


def load_pool(group: Group, slot: Slot, until: dt.date | None = None) -> Pool:
    """The ratings of one game and variant, or over all games, at the end of a day."""
    counts = load_counts(group, Period(None, until), slot, Focus())
    counts.store()
    return counts.pool


def load_meetings(group: Group, period: Period, slot: Slot | None, people: AbstractSet[str]) -> PairCounts:
    """Who of these few people finished ahead of whom, from the plays they had together."""
    plays = plays_of_group(group, period.start, period.end).filter(counted=True).exclude(scoring=Scoring.COOPERATIVE)
    if slot:
        plays = plays.filter(game=slot.game, variant=slot.variant)
    rows = PlayPlayer.objects.filter(_is_one_of(map(int, people)), play__in=plays.order_by(), bot=False)
    placed: dict[int, list[tuple[str, int, str]]] = defaultdict(list)
    fields = ("play", "play__variant", "person", "person__merged_into", "place", "team")
    for play, variant, person, root, place, team in rows.order_by().values_list(*fields):
        if place and not Variant.from_key(variant).solo:
            placed[play].append((str(root or person), place, team))
    pairs: PairCounts = {}
    for together in placed.values():
        count_pairs(pairs, together)
    return pairs
