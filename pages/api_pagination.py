"""Lists of the API by cursor: a page of rows, and the address of the next one in the Link header.

A cursor names the last row of a page by the values it is ordered by, so rows that come or go meanwhile neither repeat
nor hide others.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Sequence
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import Q, QuerySet
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from pages.number_parsing import parse_int
from refusal import Refusal

USUAL, MOST = 50, 500
# For the schema of a list.
PAGE_PARAMETERS = (
    OpenApiParameter("cursor", str, description="from the Link header of the page before"),
    OpenApiParameter("limit", int, description=f"rows per page, at most {MOST}"),
)
BAD_CURSOR = "This cursor is not valid. Start without one."


def paginate(
    request: Request, rows: QuerySet[Any], order: Sequence[str], draw: Callable[[list[Any]], Any], most: int = USUAL
) -> Response:
    """The rows after ``?cursor=``, at most ``?limit=`` of them.

    ``order`` names the fields, with "-" for backwards; the last is unique.
    """
    asked = parse_int(request.query_params.get("limit", ""))
    limit = max(1, min(asked or most, MOST))
    try:
        if cursor := request.query_params.get("cursor", ""):
            rows = rows.filter(_after(_read(cursor, order), order))
        found = list(rows.order_by(*order)[: limit + 1])
    except (ValidationError, ValueError, TypeError, OverflowError):
        raise Refusal(BAD_CURSOR, field="cursor") from None
    response = Response(draw(found[:limit]))
    if len(found) > limit:
        query = request.query_params.copy()
        query["cursor"] = _write(found[limit - 1], order)
        address = request.build_absolute_uri(f"{request.path}?{query.urlencode()}")
        response["Link"] = f'<{address}>; rel="next"'
    return response


def _names(order: Sequence[str]) -> list[str]:
    return [name.removeprefix("-") for name in order]


def _write(row: Any, order: Sequence[str]) -> str:
    values = [getattr(row, name) for name in _names(order)]
    return base64.urlsafe_b64encode(json.dumps(values, default=str).encode()).decode().rstrip("=")


def _read(cursor: str, order: Sequence[str]) -> list[Any]:
    values = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    if not isinstance(values, list) or len(values) != len(order) or not all(isinstance(v, str | int) for v in values):
        raise ValueError
    return values


def _after(values: Sequence[Any], order: Sequence[str]) -> Q:
    """Rows that come later: the first field that differs decides."""
    found, same = Q(pk__in=()), Q()
    for name, field, value in zip(order, _names(order), values, strict=True):
        found |= same & Q(**{f"{field}__{'lt' if name.startswith('-') else 'gt'}": value})
        same &= Q(**{field: value})
    return found
