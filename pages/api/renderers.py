"""Answers of the API that are files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework.renderers import BaseRenderer, JSONRenderer


class FileRenderer(BaseRenderer):
    """What the view made goes out as it is; a refusal is JSON as everywhere."""

    charset = None
    render_style = "binary"

    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Mapping[str, Any] | None = None
    ) -> bytes:
        if isinstance(data, bytes):
            return data
        if isinstance(data, str):
            return data.encode()
        drawn: bytes = JSONRenderer().render(data, accepted_media_type, renderer_context)
        return drawn


class CsvRenderer(FileRenderer):
    media_type = "text/csv"
    format = "csv"
