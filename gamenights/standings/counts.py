"""All plays of a time counted and rated. Whole months come from store; only what is missing there is read from plays.

spring = Period(dt.date(2026, 3, 1), dt.date(2026, 5, 31))
counts = load_counts(load_span(group), spring, ALL_GAMES)
counts.tally        # who won what in spring
counts.pool         # everyone's rating at its end, from all plays before
counts.store()      # for the next time, unless the group's log has grown meanwhile
"""

import datetime as dt
from collections import defaultdict
from collections.abc import Callable, Iterable, Set as AbstractSet
from dataclasses import dataclass, field
from functools import reduce
from operator import or_

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, Q, Subquery
from django.shortcuts import get_object_or_404

from gamenights.plays.models import Play, PlayPlayer
from gamenights.plays.selectors import load_facts, plays_of_group
from gamenights.plays.values import Scoring, Variant
from gamenights.standings.core.ratings import Pool
from gamenights.standings.core.tally import PairCounts, Placed, Slot, Tally, count_pairs
from gamenights.standings.core.tally_blocks import last_day_of, month_of
from gamenights.standings.stored_months import NOTHING, BlockTallies, Days, Focus, MonthlyRatings
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


@dataclass(frozen=True, slots=True)
class PlaySpan:
    """What is known of a group's plays before they are read: the log's version, and the first and last day played."""

    group: Group
    version: int
    first: dt.date | None
    last: dt.date | None


def _first_and_last_day(group: int | OuterRef) -> tuple[Subquery, Subquery]:
    plays = Play.objects.filter(group=group).standing()
    first, last = (Subquery(plays.order_by(order).values("day")[:1]) for order in ("day", "-day"))
    return first, last


def load_span(group: Group) -> PlaySpan:
    first, last = _first_and_last_day(group.pk)
    return PlaySpan(group, *Log.objects.values_list("version", first, last).get(pk=group.log_id))


def get_span_if_visible(who: Who, code: str) -> tuple[PlaySpan, bool]:
    """The span of a group they can see, and whether they host it; in one query."""
    ids = who.person.all_ids() if who.person else ()
    hosts = Member.objects.filter(group=OuterRef("pk"), role=Member.Role.HOST, person__in=ids)
    first, last = _first_and_last_day(OuterRef("pk"))
    visible = Group.objects.visible_to(who).select_related("log")
    group = get_object_or_404(visible.annotate(first_play=first, last_play=last, is_hosted=Exists(hosts)), code=code)
    return PlaySpan(group, group.log.version, group.first_play, group.last_play), group.is_hosted


@dataclass(slots=True)
class Counts:
    """The tally of a time and the ratings of one pool at its end; with what to store for the next time."""

    span: PlaySpan
    tally: Tally = field(default_factory=Tally)
    pool: Pool = field(default_factory=dict)
    to_store: list[Callable[[], object]] = field(default_factory=list)
    has_pairs: bool = False  # nothing came from store, so the tally has everyone's meetings

    def store(self) -> None:
        """Unless the group's log has grown meanwhile: then it may already be wrong."""
        if not self.to_store:
            return
        try:
            with transaction.atomic():
                log = Log.objects.select_for_update().filter(pk=self.span.group.log_id)
                if log.values_list("version", flat=True).get() == self.span.version:
                    for store in self.to_store:
                        store()
        except IntegrityError:
            pass  # another visitor has just stored the same


def load_counts(
    span: PlaySpan, period: Period, slot: Slot | None, focus: Focus | None = None, *, is_for_page: bool = False
) -> Counts:
    """Ratings of the pool ``slot``, if it is given. A page reads less, and what it counted is not to be stored."""
    counts, group = Counts(span), span.group
    if span.first is None or span.last is None or (period.end and period.end < span.first):
        return counts
    start, end = month_of(span.first), last_day_of(month_of(span.last))
    days = Days(max(period.start or start, start), min(period.end or end, end))
    tallies = BlockTallies(group, days, focus, is_read_only=is_for_page) if days.first <= days.last else None
    played = Days(span.first, span.last)
    ratings = MonthlyRatings(group, slot, played, period.end or span.last) if slot else None
    parts = [part for part in (tallies, ratings) if part is not None]
    plays = []
    if not all(part.is_complete for part in parts):
        wanted = reduce(or_, (part.missing_days() for part in parts), NOTHING)
        plays = load_facts(plays_of_group(group).filter(wanted), names={})
    if tallies:
        counts.tally = tallies.add_up(plays)
        counts.has_pairs = not tallies.has_stored
    if ratings:
        counts.pool = ratings.rate(plays)
    counts.to_store = [part.store for part in parts if part.has_news]
    return counts


def load_tally(group: Group, period: Period = ALL_TIME) -> Tally:
    counts = load_counts(load_span(group), period, None)
    counts.store()
    return counts.tally


def load_pool(group: Group, slot: Slot, until: dt.date | None = None) -> Pool:
    """The ratings of one game and variant, or over all games, at the end of a day."""
    counts = load_counts(load_span(group), Period(None, until), slot, Focus())
    counts.store()
    return counts.pool


def load_meetings(group: Group, period: Period, slot: Slot | None, people: AbstractSet[str]) -> PairCounts:
    """Who of these few people finished ahead of whom, from the plays they had together."""
    plays = plays_of_group(group, period.start, period.end).filter(counted=True).exclude(scoring=Scoring.COOPERATIVE)
    if slot:
        plays = plays.filter(game=slot.game, variant=slot.variant)
    rows = PlayPlayer.objects.filter(is_any_of(map(int, people)), play__in=plays.order_by(), bot=False)
    placed: dict[int, list[Placed]] = defaultdict(list)
    fields = ("play", "play__variant", "person", "person__merged_into", "place", "team")
    for play, variant, person, root, place, team in rows.order_by().values_list(*fields):
        if place and not Variant.from_key(variant).solo:
            placed[play].append(Placed(str(root or person), place, team))
    pairs: PairCounts = {}
    for together in placed.values():
        count_pairs(pairs, together)
    return pairs


def is_any_of(people: Iterable[int]) -> Q:
    """Rows of these people, also under the names they were merged from."""
    ids = list(people)
    return Q(person__in=ids) | Q(person__merged_into__in=ids)
