"""Photos in a person's data file; they are deleted when the person is forgotten."""

from __future__ import annotations

from pages.site_address_for_guests import guest_url
from people import privacy
from photos.models import Photo
from photos.services import delete_photos


def register() -> None:
    privacy.register_part("photos", photos_of)
    privacy.register_hook(forget_photos)


def photos_of(ids: tuple[int, ...]) -> list[dict[str, object]]:
    rows = Photo.objects.filter(person__in=ids)
    return [
        {
            "of": photo.kind,
            "added_at": photo.added_at,
            "address": guest_url(photo.url).url,
            "width": photo.width,
            "height": photo.height,
            "reported": photo.reported_at is not None,
        }
        for photo in rows
    ]


def forget_photos(ids: tuple[int, ...]) -> None:
    """Their photos go, and so does their name on reports."""
    delete_photos(Photo.objects.filter(person__in=ids))
    Photo.objects.filter(reported_by__in=ids).update(reported_by=None)
