"""Serve a file from the site's own folder. The caller has checked who asks."""

from __future__ import annotations

from pathlib import Path

from django.http import FileResponse


def file_response(path: Path, saved_as: str) -> FileResponse:
    """The file as a download, never inline: what a job made is not a page of this site."""
    response = FileResponse(path.open("rb"), as_attachment=True, filename=saved_as)
    response["Cache-Control"] = "private, no-store"
    return response
