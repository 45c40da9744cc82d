"""How the API reads a body: as REST framework does, with a sentence for what no reader gets to the bottom of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO, Any

from rest_framework.parsers import JSONParser

from refusal import Refusal


class Json(JSONParser):
    def parse(self, stream: IO, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None) -> Any:
        try:
            return super().parse(stream, media_type, parser_context)
        except RecursionError as error:
            raise Refusal("This is nested deeper than anything here can be.", status=400) from error
