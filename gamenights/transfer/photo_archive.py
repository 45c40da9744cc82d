"""All plays of a group in one ZIP file with their photos."""

from __future__ import annotations

import tempfile
import zipfile
from collections import Counter
from typing import IO

from gamenights.plays.models import Play
from gamenights.transfer.core import write_bg_stats
from gamenights.transfer.core.field_parsing import read_key
from gamenights.transfer.selectors import load_as_file
from groups.models import Group
from photos.models import Photo

MAX_PHOTOS = 500


def write_archive(group: Group) -> IO[bytes]:
    """``plays.json`` for BG Stats, and the newest photos, named by the uuid of their play; none that was reported."""
    found = tempfile.TemporaryFile()  # noqa: SIM115  (the answer to the request closes it)
    plays = dict(Play.objects.filter(group=group).standing().values_list("pk", "uuid"))
    photos = Photo.objects.filter(kind="play", target__in=list(plays)).shown().order_by("-pk")[:MAX_PHOTOS]
    numbers: Counter[int] = Counter()
    with zipfile.ZipFile(found, "w") as archive:
        archive.writestr(
            "plays.json", write_bg_stats(load_as_file(group), group.tzinfo), compress_type=zipfile.ZIP_DEFLATED
        )
        for photo in sorted(photos, key=lambda row: row.pk):
            numbers[photo.target] += 1
            if photo.path.exists():
                name = f"photos/{read_key('play', plays[photo.target])}-{numbers[photo.target]}.jpg"
                archive.write(photo.path, name)
    found.seek(0)
    return found
