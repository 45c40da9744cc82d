"""Orders to count standings in the background: a page gives them, so that the next visitor need not wait."""

import datetime as dt
from dataclasses import dataclass
from hashlib import sha256

from django.utils import timezone

from gamenights.plays.models import Play
from gamenights.standings.core.tally import Slot
from gamenights.standings.counts import Period
from groups.models import Group
from jobs import services as jobs_services, timers
from jobs.models import Due

COUNT_TIMER = COUNT_JOB = "count-standings"
# Fewer plays are counted sooner than a job begins.
FEWEST_PLAYS = 50


@dataclass(frozen=True, slots=True)
class CountOrder:
    group: Group
    period: Period
    slot: Slot | None
    person: str


def order_summary(group: Group, period: Period, slot: Slot | None, plays: int) -> None:
    what = f"{slot.game}/{_digest(slot.variant)}" if slot else ""
    _order(group, period, f"{'page' if period.is_kept else 'months'}/{what}", plays)


def order_person(group: Group, period: Period, person: str, plays: int) -> None:
    _order(group, period, f"person/{person}", plays)


def _order(group: Group, period: Period, what: str, plays: int) -> None:
    if plays >= FEWEST_PLAYS:
        timers.set_timer(COUNT_TIMER, f"{group.pk}/{period.key}/{what}", timezone.now())


def _digest(variant: str) -> str:
    """A variant can be longer than a timer's reference."""
    return sha256(variant.encode()).hexdigest()[:16]


def start_job(due: Due) -> None:
    jobs_services.request_job(COUNT_JOB, {"what": due.ref}, None)


def read_order(what: str) -> CountOrder | None:
    """What a page ordered, unless the group is gone."""
    number, start, end, kind, *rest = what.split("/")
    group = Group.objects.filter(pk=number).first()
    if group is None:
        return None
    slot = _find_slot(group, *rest) if kind != "person" and len(rest) > 1 else None
    period = Period(_day(start), _day(end), is_kept=kind != "months")
    return CountOrder(group, period, slot, rest[0] if kind == "person" else "")


def _day(text: str) -> dt.date | None:
    return dt.date.fromisoformat(text) if text else None


def _find_slot(group: Group, game: str, digest: str) -> Slot | None:
    played = Play.objects.filter(group=group, game=game).order_by().values_list("variant", flat=True).distinct()
    return next((Slot(game, variant) for variant in played if _digest(variant) == digest), None)
