"""Reads of the standings. Months are counted once; pages of seasons and of all time are stored as they were drawn.

``get_…`` and ``load_…`` store what they counted. ``read_…`` is for pages: few queries, nothing stored but an order to
count in the background.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, Q, Subquery
from django.shortcuts import get_object_or_404

from gamenights.plays.models import Play, PlayPlayer
from gamenights.plays.selectors import load_facts, plays_of_group
from gamenights.plays.values import Scoring, Variant
from gamenights.standings import background_count
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
from gamenights.standings.core.tally_blocks import last_day_of, month_of
from gamenights.standings.models import StoredStandings
from gamenights.standings.stored_months import BlockTallies, Days, Focus, MonthlyRatings
from groups.models import Group, Member
from log.models import Log
from people.requester import Who


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


@dataclass(frozen=True, slots=True)
class PlaySpan:
    """What is known of a group's plays before they are read: the log's version, and the first and last day played."""

    version: int
    first: dt.date | None
    last: dt.date | None


def _first_and_last_day(group: int | OuterRef) -> tuple[Subquery, Subquery]:
    found = Play.objects.filter(group=group).standing()
    first, last = (Subquery(found.order_by(order).values("day")[:1]) for order in ("day", "-day"))
    return first, last


def load_span(group: Group) -> PlaySpan:
    first, last = _first_and_last_day(group.pk)
    return PlaySpan(*Log.objects.values_list("version", first, last).get(pk=group.log_id))


def get_group_and_span(who: Who, code: str) -> tuple[Group, PlaySpan, bool]:
    """A group they can see, what is known of its plays, and whether they host it; in one query."""
    ids = who.person.all_ids() if who.person else ()
    hosts = Member.objects.filter(group=OuterRef("pk"), role=Member.Role.HOST, person__in=ids)
    first, last = _first_and_last_day(OuterRef("pk"))
    found = Group.objects.visible_to(who).select_related("log")
    group = get_object_or_404(found.annotate(first_play=first, last_play=last, is_hosted=Exists(hosts)), code=code)
    return group, PlaySpan(group.log.version, group.first_play, group.last_play), group.is_hosted


def _page_key(period: Period, slot: Slot | None) -> str:
    return f"{period.key}/{f'{slot.game}/{slot.variant}' if slot else 'all'}"


def get_summary(
    group: Group,
    period: Period = ALL_TIME,
    slot: Slot | None = None,
    *,
    most: int = EVERYONE,
    always: AbstractSet[str] = frozenset(),
) -> Summary:
    """The standings: the first ``most`` rows of each table, and the rows of the people named in ``always``."""
    key = _page_key(period, slot)
    stored = _get_stored(group, period, key)
    if stored is not None:
        return summary_from_json(stored, most, always)
    counts = load_counts(group, period, slot or ALL_GAMES, Focus(slot))
    summary = _summarise(counts, period, slot)
    if period.is_kept:
        _store_page(counts, period, key, summary_to_json(summary))
    counts.store()
    return summary.cut(most, always)


def read_summary(
    group: Group,
    span: PlaySpan,
    period: Period,
    slot: Slot | None,
    *,
    most: int = EVERYONE,
    always: AbstractSet[str] = frozenset(),
) -> Summary:
    """As ``get_summary``, for a page."""
    stored = _get_stored(group, period, _page_key(period, slot))
    if stored is not None:
        return summary_from_json(stored, most, always)
    counts = load_counts(group, period, slot or ALL_GAMES, Focus(slot), span)
    summary = _summarise(counts, period, slot)
    if period.is_kept or counts.to_store:
        background_count.order_summary(group, period.start, period.end, slot, period.is_kept, summary.plays)
    return summary.cut(most, always)


def _summarise(counts: Counts, period: Period, slot: Slot | None) -> Summary:
    """Who met whom is counted with the plays, or read for the few people whose meetings are shown."""
    if counts.has_pairs:
        return build_summary(counts.tally, slot, counts.pool)
    return build_summary(
        counts.tally, slot, counts.pool, lambda people: load_meetings(counts.group, period, slot, people)
    )


def get_person_summary(group: Group, person: str, period: Period = ALL_TIME) -> PersonSummary:
    """From the plays of this person alone."""
    key = f"{period.key}/person/{person}"
    stored = _get_stored(group, period, key)
    if stored is not None:
        return person_from_json(stored)
    counts = Counts(group, load_span(group).version, Tally(), {}, [])
    summary = _count_person(group, person, period)
    if period.is_kept:
        _store_page(counts, period, key, person_to_json(summary))
        counts.store()
    return summary


def read_person_summary(group: Group, person: str, period: Period) -> PersonSummary:
    """As ``get_person_summary``, for a page."""
    stored = _get_stored(group, period, f"{period.key}/person/{person}")
    if stored is not None:
        return person_from_json(stored)
    summary = _count_person(group, person, period)
    if period.is_kept:
        # The nights of everybody are counted too: in a large group that takes longer than the plays of one person.
        counted = max(summary.plays, summary.all_nights)
        background_count.order_person(group, period.start, period.end, person, counted)
    return summary


def _count_person(group: Group, person: str, period: Period) -> PersonSummary:
    plays = plays_of_group(group, period.start, period.end)
    theirs = PlayPlayer.objects.filter(_is_one_of([int(person)]), play__group=group).values("play")
    tally = tally_plays(load_facts(plays.filter(pk__in=theirs), names={}))
    nights = plays.filter(counted=True).order_by().values("day").distinct().count()
    return build_person_summary(replace(tally, nights=nights), person)


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
    has_pairs: bool = False  # nothing came from store, so the tally has everyone's meetings

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


def load_counts(
    group: Group, period: Period, slot: Slot | None, focus: Focus | None = None, span: PlaySpan | None = None
) -> Counts:
    """Whole months come from store; the other plays are read once for counting and rating.

    With a span it is for a page, which stores nothing.
    """
    is_read_only, span = span is not None, span or load_span(group)
    first, last = span.first, span.last
    counts = Counts(group, span.version, Tally(), {}, [])
    if first is None or last is None or (period.end and period.end < first):
        return counts
    days = Days(max(period.start or first, month_of(first)), min(period.end or last, last_day_of(month_of(last))))
    if not period.start:
        days = replace(days, first=month_of(first))
    if not period.end:
        days = replace(days, last=last_day_of(month_of(last)))
    tallies = BlockTallies(group, days, focus, is_read_only=is_read_only) if days.first <= days.last else None
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
        counts.has_pairs = not tallies.has_stored
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
