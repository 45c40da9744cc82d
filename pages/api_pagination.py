"""Lists of the API by cursor: a page of rows, and the address of the next one in the Link header.

A cursor names the last row of a page by the values it is ordered by, so rows that come or go meanwhile neither repeat
nor hide others.
"""

import base64
import json
from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from django.core.exceptions import ValidationError
from django.db.models import Q, QuerySet
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from pages.number_parsing import parse_int
from refusal import Refusal

Row = TypeVar("Row")
T = TypeVar("T")
USUAL_ROWS, MAX_ROWS = 50, 500
# For the schema of a list.
PAGE_PARAMETERS = (
    OpenApiParameter("cursor", str, description="from the Link header of the page before"),
    OpenApiParameter(
        "limit", {"type": "integer", "minimum": 1, "maximum": MAX_ROWS}, description="the most rows on one page"
    ),
)
BAD_CURSOR = "This cursor is not valid. Start without one."


class Page(Generic[T], Response):
    """Some rows of a list, and in its header where the list goes on."""


class NumberedPage(Page[T]):
    """The same where the address says itself after which row it goes on."""


def paginate(
    request: Request,
    rows: QuerySet[Any],
    order: Sequence[str],
    draw: Callable[[list[Any]], Any],
    most: int = USUAL_ROWS,
) -> Page[Any]:
    """The rows after ``?cursor=``, at most ``?limit=`` of them.

    ``order`` names the fields, with "-" for backwards; the last is unique.
    """
    limit = _limit(request, most)
    try:
        if cursor := request.query_params.get("cursor", ""):
            rows = rows.filter(_after(_read(cursor, len(order)), order))
        page = list(rows.order_by(*order)[: limit + 1])
    except (ValidationError, ValueError, TypeError, OverflowError):
        raise Refusal(BAD_CURSOR, field="cursor", code="bad-cursor") from None
    return _page(request, page, limit, order, draw)


def first_page(
    request: Request,
    fetch: Callable[[int], list[Any]],
    order: Sequence[str],
    draw: Callable[[list[Any]], Any],
    most: int = USUAL_ROWS,
) -> Page[Any]:
    """The same without a cursor, where a prepared query gives the first so many rows."""
    limit = _limit(request, most)
    return _page(request, fetch(limit + 1), limit, order, draw)


def _page(
    request: Request, rows: list[Any], limit: int, order: Sequence[str], draw: Callable[[list[Any]], Any]
) -> Page[Any]:
    """One row more than ``limit`` was looked for: then there is another page."""
    response: Page[Any] = Page(draw(rows[:limit]))
    if len(rows) > limit:
        values = [getattr(rows[limit - 1], name) for name in _names(order)]
        link_next(request, response, cursor=_write(values))
    return response


def paginate_rows(
    request: Request,
    rows: Sequence[Row],
    name: Callable[[Row], str | int],
    draw: Callable[[Sequence[Row]], Any],
    most: int = USUAL_ROWS,
) -> Page[Any]:
    """The same for rows that are already there. ``name`` tells one from all others.

    The cursor is the last row and its place: if the row is gone, the list goes on from there.
    """
    limit = _limit(request, most)
    start = 0
    if cursor := request.query_params.get("cursor", ""):
        try:
            place, last = _read(cursor, 2)
            start = next((at for at, row in enumerate(rows, 1) if name(row) == last), max(0, int(place)))
        except (ValueError, TypeError):
            raise Refusal(BAD_CURSOR, field="cursor", code="bad-cursor") from None
    response: Page[Any] = Page(draw(rows[start : start + limit]))
    if len(rows) > start + limit:
        link_next(request, response, cursor=_write([start + limit - 1, name(rows[start + limit - 1])]))
    return response


def _limit(request: Request, most: int) -> int:
    if not (text := request.query_params.get("limit", "")):
        return most
    asked = parse_int(text)
    if asked is None or not 1 <= asked <= MAX_ROWS:
        raise Refusal(f"“limit” must be a whole number from 1 to {MAX_ROWS}.", field="limit")
    return asked


def link_next(request: Request, response: Response, **where: str) -> None:
    query = request.query_params.copy()
    for name, text in where.items():
        query[name] = text
    address = request.build_absolute_uri(f"{request.path}?{query.urlencode()}")
    response["Link"] = f'<{address}>; rel="next"'


def _names(order: Sequence[str]) -> list[str]:
    return [name.removeprefix("-") for name in order]


def _write(values: Sequence[Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(values, default=str).encode()).decode().rstrip("=")


def _read(cursor: str, count: int) -> list[Any]:
    values = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    if not isinstance(values, list) or len(values) != count or not all(isinstance(v, str | int) for v in values):
        raise ValueError
    return values


def _after(values: Sequence[Any], order: Sequence[str]) -> Q:
    """Rows that come later: the first field that differs decides."""
    later, same = Q(pk__in=()), Q()
    for name, field, value in zip(order, _names(order), values, strict=True):
        later |= same & Q(**{f"{field}__{'lt' if name.startswith('-') else 'gt'}": value})
        same &= Q(**{field: value})
    return later
