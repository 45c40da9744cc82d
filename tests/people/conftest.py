"""Fixtures for browsers, guests, links and passes."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from django.test import Client

from people.passes import services, services as passes_services
from people.requester import Who

PASSWORD = "cheese-and-thyme"


@pytest.fixture(autouse=True)
def clear_rate_limits():
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
def wrens_guest(master):
    """A guest of the master."""
    from people import guests as guests_services

    return guests_services.add_guest(Who.of(master), "Pip")


@pytest.fixture
def by_link():
    """``by_link(person, by=keeper)``: a browser logged in by a personal link."""

    def come_in(person, *, by) -> Client:
        client = Client()
        open_personal_link(client, services.issue_link(person, by=Who.of(by)))
        return client

    return come_in


def open_personal_link(client: Client, link) -> None:
    assert client.get(link.get_absolute_url()).status_code == 302
    assert client.post("/p/").status_code == 302


def open_pass(client: Client, row) -> str:
    """Open a pass's link and return the address it redirects to."""
    response = client.get(row.get_absolute_url())
    assert response.status_code == 302, response.content
    assert row.token not in response["Location"]
    return response["Location"]


def log_in(client: Client, name: str, password: str = PASSWORD, **headers):
    return client.post("/log-in/", {"name": name, "password": password}, **headers)


def get_known_name(client: Client) -> str | None:
    """The name this browser is logged in as."""
    answer = client.get("/api/v1/me/")
    return answer.json()["name"] if answer.status_code == 200 else None


@pytest.fixture
def seat():
    """A pass kind that the browser keeps."""
    asked = passes_services.PassPrompt("Sit down at table 7.", "Sit down")
    passes_services.register_kind(
        "chair",
        "Seat",
        prompt=lambda row, who: asked,
        on_accept=lambda row, request: "/",
        belongs_to="game",
        holds=True,
    )
    yield "chair"
    passes_services._kinds.pop("chair")


@pytest.fixture
def join():
    """A pass kind that needs a Person; yields the names of those who joined."""
    joined: list[str] = []

    def accept(row, request) -> str:
        joined.append(request.who.person.name)
        return "/"

    asked = passes_services.PassPrompt("You are invited to the War of the Cheese.", "Join")
    passes_services.register_kind(
        "join",
        "Invitation",
        prompt=lambda row, who: asked,
        on_accept=accept,
        belongs_to="maker",
        needs_person=True,
        invites=True,
    )
    yield joined
    passes_services._kinds.pop("join")


@pytest.fixture
def time_passes(monkeypatch):
    """``time_passes(minutes=6)`` moves the site's clocks forward."""
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
