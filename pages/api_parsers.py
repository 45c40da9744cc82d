"""The JSON parser of the API, which refuses bodies that are nested too deeply."""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO, Any

from rest_framework.parsers import JSONParser

from refusal import Refusal


class SafeJSONParser(JSONParser):
    def parse(self, stream: IO, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None) -> Any:
        try:
            return super().parse(stream, media_type, parser_context)
        except RecursionError as error:
            raise Refusal("This JSON is nested too deeply.", status=400) from error
