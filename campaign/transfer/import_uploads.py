"""A campaign's file between its sending and its taking in: laid down, looked through by a job, shown, put away."""

from __future__ import annotations

import datetime as dt
import gzip
from hashlib import sha256

from django.db import transaction
from django.utils import timezone

from campaign import carrying
from campaign.annals import parcel
from campaign.annals.acts import RULES_VERSION
from campaign.annals.scrutiny import Difference
from campaign.models import Parcel
from jobs import clock, desk
from jobs.kinds import Errand, Outcome
from jobs.models import Job, State
from people.models import Person
from refusal import Refusal

LOOK = "campaign-file"  # the kind of job that looks a file through
WAITING = "campaign-file"  # the clock's name for a file nobody has taken in
KEPT_FOR = dt.timedelta(days=1)
SHOWN = 50


def lay_down(person: Person, name: str, raw: bytes) -> Job:
    """Keep a file until its sender has seen what it holds; after a day it goes. What a glance shows is refused at once."""
    parcel.opened(raw)
    now = timezone.now()
    values = {"name": name[:200], "packed": gzip.compress(raw, 6), "at": now}
    with transaction.atomic():
        clock.wake(WAITING, person.pk, now + KEPT_FOR + dt.timedelta(seconds=1))
        Parcel.objects.update_or_create(person=person, defaults=values)
        return desk.ask(LOOK, {"person": person.pk}, person, key=_key(raw))


def _key(raw: bytes) -> str:
    """The findings are those of this content under these rules."""
    return f"{sha256(raw).hexdigest()[:40]}-{RULES_VERSION}"


def look_through(errand: Errand) -> Outcome:
    """The job: every entry judged by the rulebook. Its findings name kingdoms and entries, but no person."""
    row = Parcel.objects.filter(person=errand.args["person"]).first()
    if row is None:
        raise Refusal("The file is gone. Send it again.")
    errand.progress("Opening the file")
    held = carrying.looked_through(gzip.decompress(bytes(row.packed)), errand.progress)
    rows = [[one.number, one.tale, one.sentence] for one in held.differences[:SHOWN]]
    return Outcome({"entries": len(held.lines), "differences": rows, "more": max(0, len(held.differences) - SHOWN)})


class Waiting:
    """A file that waits for its sender: its row, the job that looks it through, and what it holds once that is done."""

    def __init__(self, row: Parcel) -> None:
        self.row = row
        self.raw = gzip.decompress(bytes(row.packed))
        self.job = Job.objects.filter(kind=LOOK, owner=row.person_id, key=_key(self.raw)).order_by("-pk").first()

    @property
    def is_looked_through(self) -> bool:
        return self.job is not None and self.job.state == State.DONE

    @property
    def more(self) -> int:
        return self.job.result["more"] if self.job else 0

    def arrival(self) -> carrying.Arrival:
        if self.job is None or not self.is_looked_through:
            raise Refusal("The file has not been looked through yet.", status=409)
        return carrying.unpacked(self.raw, tuple(Difference(*row) for row in self.job.result["differences"]))


def waiting(person: Person) -> Waiting | None:
    row = Parcel.objects.filter(person=person, at__gte=timezone.now() - KEPT_FOR).first()
    return Waiting(row) if row else None


def put_away(person: Person) -> None:
    Parcel.objects.filter(person=person).delete()
    clock.let_be(WAITING, person.pk)


def put_away_old() -> None:
    Parcel.objects.filter(at__lt=timezone.now() - KEPT_FOR).delete()
