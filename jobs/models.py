"""Jobs and timers are rows; the message to a worker only names one."""

import datetime as dt
import secrets
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from django_text_choices import TextChoices
from jobs.registry import KIND, JobKind

if TYPE_CHECKING:
    from people.requester import Who


class State(TextChoices):
    QUEUED = "queued", "waiting"
    RUNNING = "running", "running"
    DONE = "done", "done"
    FAILED = "failed", "failed"
    CANCELLED = "cancelled", "called off"


OPEN = (State.QUEUED, State.RUNNING)


class JobQuerySet(models.QuerySet["Job"]):
    def asked_by(self, who: "Who") -> "JobQuerySet":
        return self.filter(owner__in=who.person.all_ids()) if who.person else self.none()

    def visible_to(self, who: "Who") -> "JobQuerySet":
        """Jobs of this person; the owner sees all, but not what they made. Whoever sees a job can cancel it."""
        if who.in_office(who.user is not None and who.user.is_staff):
            return self.all()
        return self.asked_by(who)

    def open(self) -> "JobQuerySet":
        return self.filter(state__in=OPEN)

    def waiting(self, now: dt.datetime | None = None) -> "JobQuerySet":
        """Jobs nobody is running: never started, or started by a worker whose lease ran out."""
        lapsed = Q(state=State.RUNNING, lease_until__lt=now or timezone.now())
        return self.filter(Q(state=State.QUEUED) | lapsed)


def new_token() -> str:
    return secrets.token_urlsafe(16)


class Job(models.Model):
    # Names the job in addresses, because a number can be guessed.
    token = models.CharField(max_length=22, unique=True, default=new_token, editable=False)
    kind = models.CharField(max_length=40)
    args = models.JSONField(default=dict, blank=True)
    owner = models.ForeignKey("people.Person", models.SET_NULL, null=True, blank=True, related_name="jobs")
    # Says what the result is made of: the same content is not made twice.
    key = models.CharField(max_length=64, blank=True)

    state = models.CharField(max_length=10, choices=State, default=State.QUEUED)
    stage = models.CharField(max_length=120, blank=True)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    error = models.TextField(blank=True)

    # Whoever holds the token works on the row, until the lease runs out without being renewed.
    lease_token = models.CharField(max_length=32, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveIntegerField(default=0)

    created_at = models.DateTimeField(default=timezone.now)
    sent_at = models.DateTimeField(null=True, blank=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    result = models.JSONField(default=dict, blank=True)
    # Below MEDIA_ROOT; empty when the work gave no file or the file has been cleared away.
    file = models.CharField(max_length=300, blank=True)
    saved_as = models.CharField(max_length=200, blank=True)

    objects = JobQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        indexes = [
            models.Index(fields=["state", "lease_until"], name="jobs_to_be_done"),
            models.Index(fields=["kind", "key"], name="jobs_of_one_content"),
        ]
        constraints = [
            # Pressing twice, or twice at once, asks once. NULL never equals NULL, hence two of them.
            models.UniqueConstraint(
                fields=["kind", "key", "owner"], condition=Q(state__in=OPEN) & ~Q(key=""), name="one_open_job_per_key"
            ),
            models.UniqueConstraint(
                fields=["kind", "key"],
                condition=Q(state__in=OPEN, owner=None) & ~Q(key=""),
                name="one_open_house_job_per_key",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} job {self.pk}"

    def get_absolute_url(self) -> str:
        return reverse("jobs:job", args=[self.token])

    @property
    def is_open(self) -> bool:
        return self.state in OPEN

    @property
    def its_kind(self) -> JobKind | None:
        """None if no app knows this kind any more."""
        return KIND.get(self.kind)

    @property
    def title(self) -> str:
        return self.its_kind.title_of(self.args) if self.its_kind else self.kind

    @property
    def path(self) -> Path | None:
        """The file it made, while it is kept."""
        if not self.file:
            return None
        path = Path(settings.MEDIA_ROOT) / self.file
        return path if path.is_file() else None


def new_fire_token() -> str:
    return secrets.token_hex(8)


class Due(models.Model):
    """A timer: a bot's move, an expiry, the nightly backup. See timers.py."""

    kind = models.CharField(max_length=40)
    ref = models.CharField(max_length=120, blank=True)
    due_at = models.DateTimeField(db_index=True)
    # New with every setting, so that firing an old timer cannot cancel a newer one.
    turn = models.CharField(max_length=16, default=new_fire_token)
    tries = models.PositiveIntegerField(default=0)
    held_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = "timer"
        constraints = [models.UniqueConstraint(fields=["kind", "ref"], name="one_due_time_per_thing")]

    def __str__(self) -> str:
        return f"{self.kind} {self.ref} at {self.due_at:%Y-%m-%d %H:%M:%S}"

    @property
    def key(self) -> str:
        """The idempotency key its handler writes to a log with."""
        return f"due-{self.pk}-{self.turn}"
