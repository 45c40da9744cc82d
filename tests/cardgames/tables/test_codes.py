"""Table codes are short enough to call across a room, so guessing at them is limited from everywhere together."""

from __future__ import annotations

import dataclasses
import datetime as dt
from types import SimpleNamespace

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from cardgames import models, registry, selectors
from cardgames.models import CODE_LETTERS, Table, code_length, new_code
from live.views import is_member, stream_owner
from people import rate_limits
from people.models import Person
from tests.cardgames.tables.sample_tables import open_sample_table


@pytest.fixture(autouse=True)
def clear_rate_limits():
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def small_budget(monkeypatch):
    """Twelve wrong codes from everywhere, instead of thousands."""
    small = dataclasses.replace(selectors.CODE_LIMIT, site=rate_limits.Rate(12, 10))
    monkeypatch.setattr(selectors, "CODE_LIMIT", small)
    # Guesses are counted by ten minutes of the clock: the next ones must not begin meanwhile.
    monkeypatch.setattr("people.rate_limits.time", SimpleNamespace(time=lambda: 1_800_000_000.0))


def wrong_codes(taken: str):
    return (a + b + "BB" for a in CODE_LETTERS for b in CODE_LETTERS if a + b + "BB" != taken)


WAYS = {
    "open": lambda client, code, **more: client.get(f"/tables/{code}/", **more),
    "join": lambda client, code, **more: client.post("/tables/join/", {"code": code}, **more),
    "type": lambda client, code, **more: client.post("/n/", {"code": code}, **more),
    "night": lambda client, code, **more: client.get(f"/nights/{code}/", **more),
}


@pytest.mark.parametrize("way", WAYS)
def test_codes_have_one_budget_over_all_addresses(master, small_budget, way):
    table = open_sample_table(master)
    guesses = [
        WAYS[way](Client(), code, REMOTE_ADDR=f"198.51.100.{n}")
        for n, code in zip(range(12), wrong_codes(""), strict=False)
    ]
    assert {answer.status_code for answer in guesses} == {404}
    one = "203.0.113.9"
    few = [WAYS[way](Client(), code, REMOTE_ADDR=one).status_code for code in list(wrong_codes(""))[20:26]]
    assert few == [404] * 5 + [429], "an address of its own still has a few tries"
    assert Client().get(f"/tables/{table.code}/", REMOTE_ADDR="203.0.113.10").status_code == 200, "typed right"
    assert master.client.get(f"/tables/{table.code}/", REMOTE_ADDR=one).status_code == 200, "they are sitting at it"


@pytest.mark.parametrize(("in_use", "letters"), [(0, 4), (19, 4), (20, 5), (399, 5), (400, 6), (9000, 6)])
def test_codes_are_longer_where_many_tables_are_open(in_use, letters):
    assert code_length(in_use) == letters


def test_guessing_a_code_takes_hours_at_the_budget_of_the_whole_site():
    """At the edge of each length: tables found in an hour by guessing as fast as the site allows."""
    per_hour = selectors.CODE_LIMIT.site.most
    for most, letters in models.CODE_LENGTHS:
        assert most * per_hour / len(CODE_LETTERS) ** letters < 1


def test_guessing_the_code_of_a_private_night_takes_years():
    """The arithmetic of SECURITY.md: somebody with a thousand accounts and a thousand addresses, twenty nights open."""
    limit = selectors.CODE_LIMIT
    assert (limit.site.minutes, limit.browser.minutes) == (60, 60)
    few = 1000 * rate_limits.TRIES_WHEN_SITE_IS_FULL
    per_year = 2 * (limit.site.most + few) * 24 * 365
    codes = len(CODE_LETTERS) ** models.PRIVATE_CODE
    assert codes / 20 / per_year > 3
    assert codes / per_year > 60, "for one given night"


def test_known_browsers_share_a_budget_of_their_own(master, player, small_budget, monkeypatch):
    """Accounts can be made in any number, so they must not lift the limit of the whole site."""
    Person.objects.update(created_at=timezone.now() - dt.timedelta(days=3))
    codes = list(wrong_codes(""))
    assert {master.client.get(f"/nights/{code}/").status_code for code in codes[:12]} == {404}
    seen = [player.client.get(f"/nights/{code}/").status_code for code in codes[12:18]]
    assert seen == [404] * 5 + [429], "each account still has a few tries"
    assert Client().get(f"/nights/{codes[20]}/").status_code == 404, "strangers have their own"


def test_long_code_opens_its_table_and_nights_count_too(master, monkeypatch):
    monkeypatch.setattr(registry, "count_codes", lambda: 20)
    table = open_sample_table(master)
    assert len(table.code) == 5
    guest = Client()
    typed = guest.post("/tables/join/", {"code": f"{table.code[:2]} {table.code[2:].lower()}"})
    assert typed["Location"] == f"/tables/{table.code}/"
    assert guest.get(typed["Location"]).status_code == 200


def test_codes_grow_when_the_short_ones_are_taken(db, monkeypatch):
    monkeypatch.setattr(registry, "find_by_code", lambda code, _=None: "/taken/" * (len(code) == 4))
    assert len(new_code()) == 5
    assert not Table.objects.exists()


def test_spectators_of_a_table_do_not_share_one_limit_of_streams(master):
    table = open_sample_table(master)
    seen = [Client().get(f"/tables/{table.code}/").wsgi_request for _ in range(2)]
    assert seen[0].who.ref == seen[1].who.ref, "they hold the same pass"
    assert stream_owner(seen[0]) != stream_owner(seen[1])
    assert not is_member(seen[0].who)
    assert is_member(master.client.get(f"/tables/{table.code}/").wsgi_request.who)
