"""Clean counters, browsers without a log-in, and the links people hold."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from django.test import Client

from people import links, passes
from people.who import Who

PASSWORD = "cheese-and-thyme"


@pytest.fixture(autouse=True)
def no_failures_counted_yet():
    cache.clear()


@pytest.fixture
def nobody(db) -> Client:
    """A browser that has never been here."""
    return Client()


@pytest.fixture
def owner(make_person):
    person = make_person("Maud")
    person.account.is_superuser = person.account.is_staff = True
    person.account.save()
    return person


@pytest.fixture
def friend(master):
    """Someone the master has written down, without an account."""
    from people import keeping

    return keeping.add(Who.of(master), "Pip")


@pytest.fixture
def by_link():
    """``by_link(person, by=keeper)``: a browser that came in by a personal link."""

    def come_in(person, *, by) -> Client:
        client = Client()
        open_link(client, links.issue(person, by=Who.of(by)))
        return client

    return come_in


def open_link(client: Client, link) -> None:
    assert client.get(link.get_absolute_url()).status_code == 302
    assert client.post("/p/").status_code == 302


def open_pass(client: Client, row) -> str:
    """Open a pass's link; gives the clean address it leads to."""
    response = client.get(row.get_absolute_url())
    assert response.status_code == 302, response.content
    assert row.token not in response["Location"]
    return response["Location"]


def log_in(client: Client, name: str, password: str = PASSWORD, **headers):
    return client.post("/log-in/", {"name": name, "password": password}, **headers)


def who_is(client: Client) -> str | None:
    """The name under which this browser is known."""
    answer = client.get("/api/v1/me/")
    return answer.json()["name"] if answer.status_code == 200 else None


@pytest.fixture
def seat():
    """A kind of pass that is held: one seat at one table."""
    asked = passes.Ask("Sit down at table 7.", "Sit down")
    passes.register("chair", "Seat", ask=lambda row, who: asked, on_accept=lambda row, request: "/", holds=True)
    yield "chair"
    passes._kinds.pop("chair")


@pytest.fixture
def join():
    """A kind of pass that wants a Person: those who joined are listed."""
    joined: list[str] = []

    def accept(row, request) -> str:
        joined.append(request.who.person.name)
        return "/"

    asked = passes.Ask("You are invited to the War of the Cheese.", "Join")
    passes.register("join", "Invitation", ask=lambda row, who: asked, on_accept=accept, needs_person=True, invites=True)
    yield joined
    passes._kinds.pop("join")


@pytest.fixture
def time_passes(monkeypatch):
    """``time_passes(minutes=6)``: every clock the site reads goes on by that much."""
    import datetime as dt
    import time

    from django.utils import timezone

    now, clock = timezone.now, time.time
    gone = dt.timedelta()
    monkeypatch.setattr(timezone, "now", lambda: now() + gone)
    monkeypatch.setattr(time, "time", lambda: clock() + gone.total_seconds())

    def let(**by) -> None:
        nonlocal gone
        gone += dt.timedelta(**by)

    return let
