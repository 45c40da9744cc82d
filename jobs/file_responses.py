"""Handing out a file from the site's own folder, after somebody has checked who asks."""

from __future__ import annotations

from pathlib import Path

from django.http import FileResponse


def hand_over(path: Path, saved_as: str) -> FileResponse:
    """The file as a download. Never shown in place: what a job made is not a page of this site."""
    response = FileResponse(path.open("rb"), as_attachment=True, filename=saved_as)
    response["Cache-Control"] = "private, no-store"
    return response
