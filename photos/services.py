"""Every write: add a photo, draw it, remove it, report it, keep it, and delete what is left over.

``add_photo(subject, who, key=…, file=…)`` is all an app above needs, after ``registry.register_subject``.
"""

import datetime as dt
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import BinaryIO

from django.db import IntegrityError, transaction
from django.db.models import Model
from django.utils import timezone

from jobs import services as jobs_services
from jobs.models import Job
from jobs.registry import JobContext, Outcome
from log.services import check_key
from pages.site_address_for_guests import guest_url
from people import privacy
from people.requester import Who
from photos.models import Photo, all_kinds, kind_of, photos_folder
from photos.permissions import can_decide, can_remove
from photos.pictures import MAX_BYTES, check_photo, redraw_photo
from refusal import Refusal

DRAW_JOB = "photo"
MAX_PER_SUBJECT = 8
MAX_PER_DAY = 60
# A picture is written before its row; a younger file without a row may get one.
STRAY_AFTER = dt.timedelta(hours=1)
# For so long whoever added a photo can read why it was not drawn.
KEEP_FAILED = dt.timedelta(days=1)


def add_photo(subject: Model, who: Who, *, key: str, file: BinaryIO) -> Photo:
    """Attach a photo, once per key. A job draws it anew; until then only its sender sees that it is there."""
    kind = kind_of(subject)
    person = who.require_person()
    if not kind.can_add(subject, who):
        raise Refusal("You cannot add photos here.", status=403)
    check_key(key)
    own_key = f"{who.ref}/{key}"
    before = Photo.objects.filter(key=own_key).first()
    if before is not None:
        return before
    _check_room(subject, who)
    checked = check_photo(file.read(MAX_BYTES + 1))
    undrawn = {"width": 0, "height": 0, "small_width": 0, "small_height": 0}
    photo = Photo(kind=kind.key, target=subject.pk, person=person, key=own_key, **undrawn)
    _write(photo.waiting_path, checked.data)
    try:
        with transaction.atomic():
            _check_room(subject, who)
            photo.job = jobs_services.request_job(DRAW_JOB, {"photo": photo.code}, person)
            photo.save()
    except IntegrityError:  # the same tap arrived twice at the same moment
        _delete_files([photo])
        return Photo.objects.get(key=own_key)
    except Refusal:
        _delete_files([photo])
        raise
    return photo


def _check_room(subject: Model, who: Who) -> None:
    if Photo.objects.of(subject).taking_room().count() >= MAX_PER_SUBJECT:
        raise Refusal(
            f"There are already {MAX_PER_SUBJECT} photos. Remove one to add another.", field="photo", status=409
        )
    # Jobs, not photos: what was removed or could not be read was work too.
    since = timezone.now() - dt.timedelta(days=1)
    mine = Job.objects.filter(kind=DRAW_JOB, owner__in=who.require_person().all_ids(), created_at__gte=since)
    if mine.count() >= MAX_PER_DAY:
        raise Refusal(f"You added {MAX_PER_DAY} photos today. Add more tomorrow.", field="photo", status=429)


def draw_photo(job: JobContext) -> Outcome:
    """The job: draw the photo anew in two sizes, in a process of its own."""
    photo = _photo_of(job.args)
    if photo is None:
        raise Refusal("The photo was deleted.")
    # A backup can hold a row that is not drawn yet beside the files that are.
    source = next((path for path in (photo.waiting_path, photo.path) if path.is_file()), None)
    if source is None:
        raise Refusal("The file is no longer there. Send the photo again.")
    try:
        pictures = redraw_photo(source.read_bytes())
    except Refusal:
        photo.waiting_path.unlink(missing_ok=True)
        raise
    _write(photo.path, pictures.large.data)
    _write(photo.small_path, pictures.small.data)
    return Outcome(
        {
            "width": pictures.large.width,
            "height": pictures.large.height,
            "small_width": pictures.small.width,
            "small_height": pictures.small.height,
        }
    )


def show_drawn_photo(job: Job) -> None:
    """The job is done: everybody sees the photo, and the file that was sent is deleted."""
    photo = _photo_of(job.args)
    if photo is None:  # removed meanwhile
        _delete_files([Photo(code=job.args["photo"])])
        return
    Photo.objects.filter(pk=photo.pk).update(**job.result)
    transaction.on_commit(lambda: photo.waiting_path.unlink(missing_ok=True))


def _photo_of(args: Mapping[str, str]) -> Photo | None:
    return Photo.objects.filter(code=args["photo"]).first()


def remove_photo(photo: Photo, who: Who) -> None:
    """Delete it, pixels and all. Whoever added it can, and whoever manages what it belongs to."""
    if not can_remove(photo, who):
        raise Refusal("Only the hosts and the person who added this photo can remove it.", status=403)
    delete_photos([photo])


def report_photo(photo: Photo, who: Who, *, reason: str = "") -> None:
    """Hide a photo until a host decides. A photo that a host kept is not hidden again."""
    person = who.require_person()
    if photo.kept_at is not None:
        raise Refusal("A host looked at this photo and kept it. Talk to them if you disagree.", status=409)
    Photo.objects.filter(pk=photo.pk, reported_at=None, kept_at=None).update(
        reported_at=timezone.now(), reported_by=person, reason=reason.strip()[:200]
    )


def keep_photo(photo: Photo, who: Who) -> None:
    """Show a reported photo again."""
    if not can_decide(photo, who):
        raise Refusal("Only the hosts decide about a reported photo.", status=403)
    Photo.objects.filter(pk=photo.pk).update(reported_at=None, reported_by=None, reason="", kept_at=timezone.now())


def delete_photos(photos: Iterable[Photo]) -> None:
    """Rows now, files once the rows are surely gone."""
    gone = list(photos)
    Photo.objects.filter(pk__in=[photo.pk for photo in gone]).delete()
    transaction.on_commit(lambda: _delete_files(gone))


def delete_stray_photos(now: dt.datetime) -> int:
    """Photos of what no longer exists, photos that could not be read, and files without a photo."""
    rows = list(Photo.objects.select_related("job"))
    gone: list[Photo] = [row for row in rows if row.kind not in {kind.key for kind in all_kinds()}]
    gone += [row for row in rows if row.error and row.added_at < now - KEEP_FAILED and row not in gone]
    for kind in all_kinds():
        mine = [row for row in rows if row.kind == kind.key]
        there = set(kind.model._base_manager.filter(pk__in={row.target for row in mine}).values_list("pk", flat=True))
        gone += [row for row in mine if row.target not in there and row not in gone]
    delete_photos(gone)
    named = {path for row in rows for path in (row.path, row.small_path)}
    named |= {row.waiting_path for row in rows if not row.is_drawn}
    before = (now - STRAY_AFTER).timestamp()
    strays = [path for path in photos_folder().glob("*") if path not in named and path.stat().st_mtime < before]
    for path in strays:
        path.unlink(missing_ok=True)
    return len(gone) + len(strays)


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.touch(mode=0o600)
    part.write_bytes(data)
    part.replace(path)


def _delete_files(photos: Iterable[Photo]) -> None:
    for photo in photos:
        for path in (photo.waiting_path, photo.path, photo.small_path):
            path.unlink(missing_ok=True)


# ── A person's photos: in their data file, and forgotten with them ─────────────────────────────────────


def register_personal_data() -> None:
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
