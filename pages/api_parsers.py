"""The parsers of the API: what passes them can be stored in every database."""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO, Any

from django.http import QueryDict
from rest_framework.parsers import BaseParser, FormParser, JSONParser

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
