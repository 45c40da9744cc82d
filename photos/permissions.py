"""Who sees, removes, reports and decides about a photo."""

from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404

from people.requester import Who
from photos.models import Photo, SubjectKind, kind_named


def subject_of(photo: Photo) -> tuple[SubjectKind[Any] | None, Any]:
    """What kind of thing the photo belongs to, and the thing; looked up once for each photo that is fetched."""
    subject: tuple[SubjectKind[Any] | None, Any] | None = photo.__dict__.get("_subject")
    if subject is None:
        kind = kind_named(photo.kind)
        subject = photo.__dict__["_subject"] = (kind, kind.find(photo.target) if kind else None)
    return subject


def can_see(photo: Photo, who: Who) -> bool:
    """Whoever sees what it belongs to. A reported one: its adder and those who decide; an undrawn one: its adder."""
    kind, subject = subject_of(photo)
    if kind is None or subject is None or not kind.can_see(subject, who):
        return False
    if is_own(photo, who):
        return True
    return photo.is_drawn and (photo.reported_at is None or kind.can_manage(subject, who))


def get_visible_photo(who: Who, code: str) -> Photo:
    photo = get_object_or_404(Photo.objects.select_related("job"), code=code)
    if not can_see(photo, who):
        raise Http404
    return photo


def is_own(photo: Photo, who: Who) -> bool:
    return who.person is not None and photo.person_id in who.person.all_ids()


def can_remove(photo: Photo, who: Who) -> bool:
    return is_own(photo, who) or can_decide(photo, who)


def can_decide(photo: Photo, who: Who) -> bool:
    kind, subject = subject_of(photo)
    return kind is not None and subject is not None and kind.can_manage(subject, who)
