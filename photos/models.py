"""A photo of something. The pictures are files below MEDIA_ROOT/photos, named after the photo's code."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from django.conf import settings
from django.db import models
from django.db.models import Model, Q
from django.urls import reverse
from django.utils import timezone

from jobs.models import OPEN, Job
from people.models import Person, new_code
from people.requester import Who


class PhotoQuerySet(models.QuerySet["Photo"]):
    def of(self, subject: Model) -> "PhotoQuerySet":
        return self.filter(kind=kind_of(subject).key, target=subject.pk)

    def shown(self) -> "PhotoQuerySet":
        """Without those that were reported and await a decision, or are not drawn yet."""
        return self.filter(reported_at=None, width__gt=0)

    def taking_room(self) -> "PhotoQuerySet":
        """Without those that could not be read."""
        return self.filter(Q(width__gt=0) | Q(job__state__in=OPEN))


class Photo(models.Model):
    code = models.CharField(max_length=16, unique=True, default=new_code, editable=False)
    kind = models.CharField(max_length=20)
    target = models.BigIntegerField()
    person = models.ForeignKey(Person, models.PROTECT, related_name="photos")
    added_at = models.DateTimeField(default=timezone.now)
    key = models.CharField(max_length=170, unique=True)
    # All 0 until a job has drawn it.
    width = models.PositiveIntegerField()
    height = models.PositiveIntegerField()
    small_width = models.PositiveIntegerField()
    small_height = models.PositiveIntegerField()
    job = models.ForeignKey(Job, models.SET_NULL, null=True, blank=True, related_name="+")
    # Hidden from others until someone who manages the subject removes or keeps it.
    reported_at = models.DateTimeField(null=True, blank=True)
    reported_by = models.ForeignKey(Person, models.PROTECT, null=True, blank=True, related_name="+")
    reason = models.CharField(max_length=200, blank=True)
    # Someone looked at a report and kept the photo: it is not hidden again.
    kept_at = models.DateTimeField(null=True, blank=True)

    objects = PhotoQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["kind", "target"], name="photos_of_a_subject")]

    def __str__(self) -> str:
        return f"photo {self.code}"

    @property
    def is_drawn(self) -> bool:
        return self.width > 0

    @property
    def error(self) -> str:
        """Why it will not be drawn; empty while it may be."""
        if self.is_drawn or (self.job is not None and self.job.is_open):
            return ""
        return (self.job.error if self.job else "") or "It was cancelled."

    @property
    def waiting_path(self) -> Path:
        """The file as it was sent, until it is drawn. It knows the place and the time, so nothing ever serves it."""
        return photos_folder() / f"{self.code}.waiting"

    @property
    def path(self) -> Path:
        return photos_folder() / f"{self.code}.jpg"

    @property
    def small_path(self) -> Path:
        return photos_folder() / f"{self.code}-small.jpg"

    @property
    def url(self) -> str:
        return reverse("photos:photo", args=[self.code])

    @property
    def small_url(self) -> str:
        return reverse("photos:small_photo", args=[self.code])


def photos_folder() -> Path:
    return Path(settings.MEDIA_ROOT) / "photos"


# ── What can have photos ───────────────────────────────────────────────────────────────────────────────
# An app above registers a model, and says who sees and who decides.


Subject = TypeVar("Subject", bound=Model)


@dataclass(frozen=True, slots=True)
class SubjectKind(Generic[Subject]):
    """One kind of thing with photos. The key is stored, so it never changes."""

    key: str
    model: type[Subject]
    # With what the functions below need. None if it is gone.
    find: Callable[[int], Subject | None]
    can_see: Callable[[Subject, Who], bool]
    can_add: Callable[[Subject, Who], bool]
    # Those who remove any photo, and decide about one that was reported.
    can_manage: Callable[[Subject, Who], bool]
    # The numbers of all that they manage, of those given.
    managed: Callable[[Iterable[int], Who], Iterable[int]]
    describe: Callable[[Subject], str]
    url: Callable[[Subject], str]


_kinds: dict[str, SubjectKind[Any]] = {}


def register_subject(kind: SubjectKind[Any]) -> None:
    _kinds[kind.key] = kind


def all_kinds() -> list[SubjectKind[Any]]:
    return list(_kinds.values())


def kind_of(subject: Model) -> SubjectKind[Any]:
    return next(kind for kind in _kinds.values() if isinstance(subject, kind.model))


def kind_named(key: str) -> SubjectKind[Any] | None:
    return _kinds.get(key)
