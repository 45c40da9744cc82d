"""Lists by cursor: every row once, also if rows come and go meanwhile."""

from __future__ import annotations

import pytest
from rest_framework.request import Request
from rest_framework.test import APIRequestFactory

from pages.api_pagination import BAD_CURSOR, paginate_rows
from refusal import Refusal


def page(rows: list[str], address: str = "/api/v1/things/?limit=2") -> tuple[list[str], str]:
    """The rows of one page, and the address of the next."""
    request = Request(APIRequestFactory().get(address))
    answer = paginate_rows(request, rows, lambda row: row, list)
    return answer.data, answer.headers.get("Link", "").partition("<")[2].partition(">")[0]


def test_pages_give_each_row_once():
    rows, result, address = list("abcde"), [], "/api/v1/things/?limit=2"
    while address:
        shown, address = page(rows, address)
        result += shown
    assert result == rows


def test_new_row_before_the_cursor_repeats_nothing():
    _, address = page(list("bcde"))
    assert page(list("abcde"), address)[0] == ["d", "e"]


def test_list_goes_on_where_its_last_row_was():
    _, address = page(list("abcde"))
    assert page(list("acde"), address)[0] == ["c", "d"]


@pytest.mark.parametrize("limit", ["0", "-1", "501", "ten", "1.5", "²"])
def test_bad_limit_is_refused_and_names_its_field(limit):
    with pytest.raises(Refusal, match="“limit” must be a whole number from 1 to 500") as refused:
        page(list("abc"), f"/api/v1/things/?limit={limit}")
    assert (refused.value.status, refused.value.field) == (422, "limit")


def test_empty_limit_is_the_usual_one():
    assert page(list("abc"), "/api/v1/things/?limit=")[0] == ["a", "b", "c"]


@pytest.mark.parametrize("cursor", ["x", "W10", "WzFd", "eyJhIjogMX0", "WyJhIiwgImIiXQ"])
def test_bad_cursor_is_refused(cursor):
    with pytest.raises(Refusal, match=BAD_CURSOR):
        page(list("abc"), f"/api/v1/things/?cursor={cursor}")
