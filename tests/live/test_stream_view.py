"""The view that lets a viewer into a stream, and is asked again while the stream is open."""

from __future__ import annotations

import contextlib
import datetime as dt
from types import SimpleNamespace

import pytest
from django.http import Http404
from django.test import RequestFactory
from django.utils import timezone

from live import views
from live.hub import MAX_OF_STRANGERS, MAX_STREAMS, Hub, HubFull
from live.streams import StreamRequest
from log import registry
from log.models import Log
from people.models import LogIn, Pass, Person, PersonalLink
from people.requester import Who
from tests.live.run_async import alone

pytestmark = pytest.mark.django_db


@pytest.fixture
def logs(monkeypatch) -> tuple[int, ...]:
    """Two logs, of which the viewer may watch those in ``allowed``."""
    monkeypatch.setitem(registry._visible, "shown", lambda who, log_id: log_id in who.allowed)
    return tuple(Log.objects.create(kind="shown", version=7).pk for _ in range(2))


def ask(logs: tuple[int, ...], allowed: tuple[int, ...], ticket: StreamRequest):
    request = RequestFactory().get("/live/")
    request.who = SimpleNamespace(allowed=allowed)
    request.META["asgi.scope"] = {"live.ticket": ticket}
    return views.stream(request, logs)


def test_open_stream_asks_only_whether_its_viewer_may_watch(logs, django_assert_num_queries):
    ticket = StreamRequest(hub=None, loop=None, is_open=True)
    ask(logs, logs, ticket)  # and the query is prepared
    with django_assert_num_queries(1):
        assert ask(logs, logs, ticket).status_code == 204
    assert ticket.logs == logs
    assert ticket.subscriber is None


def test_open_stream_learns_what_its_viewer_has_lost(logs):
    ticket = StreamRequest(hub=None, loop=None, is_open=True)
    ask(logs, logs[:1], ticket)
    assert ticket.logs == logs[:1]
    ticket = StreamRequest(hub=None, loop=None, is_open=True)
    with pytest.raises(Http404):
        ask(logs, (), ticket)
    assert ticket.logs == ()


def who_gave_a_name(name: str, *, days_ago: float = 0, link: PersonalLink | None = None) -> Who:
    person = Person.objects.create(name=name, created_at=timezone.now() - dt.timedelta(days=days_ago))
    return Who(lambda: (person, None, LogIn(person=person, link=link)))


def test_made_up_guests_are_strangers_until_they_are_a_day_old(master):
    assert not views.is_member(who_gave_a_name("Mouse 1"))
    assert views.is_member(who_gave_a_name("Mouse 2", days_ago=2))
    assert views.is_member(who_gave_a_name("Mouse 3", link=PersonalLink(pk=1))), "somebody gave them their link"
    assert views.is_member(Who(lambda: (master, master.account, LogIn(person=master))))
    assert not views.is_member(Who())


def test_link_that_a_made_up_guest_made_makes_nobody_a_member(master):
    made_up = Person.objects.create(name="Mouse 1")
    assert not views.is_member(Who.of(None, (Pass(kind="table", made_by=made_up),)))
    assert views.is_member(Who.of(None, (Pass(kind="table", made_by=master),)))


@alone
async def test_seventy_made_up_guests_leave_room_for_members():
    """Each opens twelve streams. They come from many addresses, and some of them waited for a day."""
    hub = Hub(look=lambda ids: {})
    for number in range(70):
        for _ in range(12):
            with contextlib.suppress(HubFull):
                hub.subscribe([1], owner=f"person:{number}", stranger_at=f"198.51.100.{number}")
    assert hub.streams == MAX_OF_STRANGERS
    for number in range(70):
        for _ in range(12):
            with contextlib.suppress(HubFull):
                hub.subscribe([1], owner=f"person:{number + 100}")
    assert hub.streams == MAX_STREAMS
    members = [hub.subscribe([1], owner=f"person:{number + 1000}") for number in range(200)]
    assert not any(member.over for member in members)
    assert hub.streams == MAX_STREAMS
    hub.shutdown()
