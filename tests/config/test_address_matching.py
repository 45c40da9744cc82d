"""The view of an address is looked up once, whoever asks."""

from __future__ import annotations

import pytest
from django.core.handlers.base import BaseHandler
from django.test import RequestFactory
from django.urls import Resolver404

from config.servers.address_matching import MatchesAddressesOnce, find_match


class Handler(MatchesAddressesOnce, BaseHandler):
    pass


@pytest.fixture(autouse=True)
def _nothing_is_kept():
    find_match.cache_clear()


def resolve(path: str):
    request = RequestFactory().get(path)
    match = Handler().resolve_request(request)
    assert request.resolver_match is match
    return match


def test_each_address_has_its_own_view_and_arguments():
    first, second = resolve("/tables/BHFF/seats/0/"), resolve("/tables/BHFF/seats/1/")
    assert (first.view_name, first.kwargs) == ("cardgames:seat", {"code": "BHFF", "number": 0})
    assert second.kwargs["number"] == 1
    assert resolve("/").view_name == "home:home"


def test_second_request_finds_what_the_first_found():
    resolve("/tables/BHFF/seats/0/")
    resolve("/tables/BHFF/seats/0/?more=1")
    assert find_match.cache_info()[:2] == (1, 1)


def test_address_with_nothing_at_it_is_not_kept():
    for _ in range(2):
        with pytest.raises(Resolver404):
            resolve("/nowhere/")
    assert find_match.cache_info().currsize == 0
