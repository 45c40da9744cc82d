"""The photos of something, ready to draw."""

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Literal, TypeVar

from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.urls import reverse

from dataclass_json import PageOnly
from pages import home_items as pages_home_items
from pages.fields.columns_and_rows import take
from pages.home_items import HomeItem
from people.name_validation import inline_name
from people.requester import Who
from photos.models import Photo, all_kinds, kind_of
from photos.permissions import is_own
from photos.services import MAX_PER_SUBJECT
from prepared_queries import prepared_query

Key = TypeVar("Key")


@dataclass(frozen=True, slots=True)
class PhotoRow:
    api_name = "Photo"

    code: str
    url: PageOnly[str]
    small_url: PageOnly[str]
    width: Annotated[int, "0 until it is ready"]
    height: int
    small_width: PageOnly[int]
    small_height: PageOnly[int]
    by: str
    at: dt.datetime
    state: Annotated[
        Literal["preparing", "ready", "failed"], "only whoever added a photo sees it before it is ready"
    ] = "ready"
    error: Annotated[str, "why it could not be read"] = ""
    status_url: PageOnly[str] = ""
    is_reported: bool = False
    reason: PageOnly[str] = ""
    can_remove: bool = False
    can_report: bool = False
    can_keep: bool = False


@dataclass(frozen=True, slots=True)
class PhotosDisplay:
    rows: tuple[PhotoRow, ...]
    can_add: bool
    most: int = MAX_PER_SUBJECT


@prepared_query
def _photos_of(kind: str, target: int) -> QuerySet[Photo]:
    return Photo.objects.filter(kind=kind, target=target).select_related("person__merged_into", "job")


@prepared_query
def _shown_photos(kind: str, targets: tuple[int, ...]) -> QuerySet[Photo]:
    return Photo.objects.filter(kind=kind, target__in=targets).shown().select_related("person__merged_into")


def build_photos(subject: Model, who: Who) -> PhotosDisplay:
    """What ``who`` sees of a subject they can see. Two queries, and what the permissions of the subject need."""
    kind = kind_of(subject)
    manages = kind.can_manage(subject, who)
    rows = []
    taken = 0
    for photo in _photos_of(kind.key, subject.pk):
        own = is_own(photo, who)
        taken += not photo.error
        if not own and not (photo.is_drawn and (manages or photo.reported_at is None)):
            continue
        rows.append(_row(photo, who, own=own, manages=manages))
    return PhotosDisplay(tuple(rows), kind.can_add(subject, who) and taken < MAX_PER_SUBJECT)


def _row(photo: Photo, who: Who, *, own: bool, manages: bool) -> PhotoRow:
    reported = photo.reported_at is not None
    error = "" if photo.is_drawn else photo.error
    return take(
        PhotoRow,
        photo,
        by=inline_name(photo.person.root.name),
        at=photo.added_at,
        state="ready" if photo.is_drawn else "failed" if error else "preparing",
        error=error,
        status_url="" if photo.is_drawn else reverse("photos:photo_status", args=[photo.code]),
        is_reported=reported,
        can_remove=own or manages,
        can_report=who.is_known and not (own or manages or reported or photo.kept_at),
        can_keep=manages and reported,
    )


def shown_photos(subjects: Iterable[Model]) -> list[PhotoRow]:
    """The photos of several things of one kind, for a recap: without those that were reported. Two queries."""
    wanted = list(subjects)
    if not wanted:
        return []
    photos = _shown_photos(kind_of(wanted[0]).key, tuple(subject.pk for subject in wanted))
    nobody = Who()
    return [_row(photo, nobody, own=False, manages=False) for photo in photos]


def shown_photos_of(kind: str, subjects: Mapping[int, Key]) -> dict[Key, tuple[PhotoRow, ...]]:
    """The same for subjects known by their number alone, each under the key given with it. One query."""
    by_subject: dict[Key, tuple[PhotoRow, ...]] = {}
    nobody = Who()
    if not subjects:
        return by_subject
    for photo in _shown_photos(kind, tuple(subjects)):
        key = subjects[photo.target]
        by_subject[key] = (*by_subject.get(key, ()), _row(photo, nobody, own=False, manages=False))
    return by_subject


# ── Reported photos on the home page of those who decide ───────────────────────────────────────────────


MAX_ITEMS = 3


def register_home_items() -> None:
    pages_home_items.register_source(reported_photos, rows=_any_reported_photo)


def _any_reported_photo(who: Who, since: dt.datetime) -> QuerySet[Photo]:
    return Photo.objects.exclude(reported_at=None)


@prepared_query
def _reported_photos() -> QuerySet[Photo]:
    return Photo.objects.exclude(reported_at=None).order_by("reported_at").values_list("kind", "target")


def reported_photos(request: HttpRequest) -> Iterator[HomeItem]:
    if not request.who.is_known:
        return
    reported = _reported_photos()
    for kind in all_kinds():
        targets = {target for key, target in reported if key == kind.key}
        if not targets:
            continue
        for target in list(kind.managed(targets, request.who))[:MAX_ITEMS]:
            subject = kind.find(target)
            if subject is not None:
                text = f"Someone reported a photo of {kind.describe(subject)}. It is hidden until you decide."
                yield HomeItem(
                    "me", "A reported photo", text, f"{kind.url(subject)}#photos", "Review the photo", "c-eye"
                )
