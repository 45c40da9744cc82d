"""Bodies of the API, of which what passes can be stored in every database; and its answers: plain JSON, and files."""

from collections.abc import Mapping
from typing import IO, Any

from django.http import QueryDict
from rest_framework.parsers import BaseParser, FormParser, JSONParser
from rest_framework.renderers import BaseRenderer, JSONRenderer

import json_input


class CleanJSONParser(JSONParser):
    """``limits`` are those of the view, if it has its own."""

    def parse(
        self, stream: IO[bytes], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        view = (parser_context or {}).get("view")
        return json_input.read_json(stream.read(), getattr(view, "json_limits", json_input.BODY))


class CleanFormParser(FormParser):
    def parse(
        self, stream: IO[bytes], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> QueryDict:
        fields: QueryDict = super().parse(stream, media_type, parser_context)
        json_input.check_fields(fields.lists())
        return fields


class FileParser(BaseParser):
    """The body is a file, whatever its type; the view's own reader checks it. The view sets ``max_body``."""

    media_type = "*/*"

    def parse(
        self, stream: IO[bytes], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> bytes:
        return stream.read()


# ── Answers ──────────────────────────────────────────────────────────────────────────────────────────────


# Pages set names apart from the sentence around them with these two (U+2068, U+2069). A program does that itself.
_ISOLATES = ("\u2068".encode(), "\u2069".encode())


class PlainNamesRenderer(JSONRenderer):
    """JSON without the marks for the direction of writing. In an answer that is a file (``is_file`` of the view) what
    people typed stays to the letter."""

    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Mapping[str, Any] | None = None
    ) -> bytes:
        drawn: bytes = super().render(data, accepted_media_type, renderer_context)
        if not getattr((renderer_context or {}).get("view"), "is_file", False):
            for mark in _ISOLATES:
                drawn = drawn.replace(mark, b"")
        return drawn


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
        return PlainNamesRenderer().render(data, accepted_media_type, renderer_context)


class CsvRenderer(FileRenderer):
    media_type = "text/csv"
    format = "csv"
