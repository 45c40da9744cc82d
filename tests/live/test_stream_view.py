"""The view that lets a viewer into a stream, and is asked again while the stream is open."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from django.http import Http404
from django.test import RequestFactory

from live import views
from live.streams import StreamRequest
from log import log_kinds
from log.models import Log

pytestmark = pytest.mark.django_db


@pytest.fixture
def logs(monkeypatch) -> tuple[int, ...]:
    """Two logs, of which the viewer may watch those in ``allowed``."""
    monkeypatch.setitem(log_kinds._visible, "shown", lambda who, log_id: log_id in who.allowed)
    return tuple(Log.objects.create(kind="shown", version=7).pk for _ in range(2))


def ask(logs: tuple[int, ...], allowed: tuple[int, ...], ticket: StreamRequest):
    request = RequestFactory().get("/live/")
    request.who = SimpleNamespace(allowed=allowed)
    request.scope = {"live.ticket": ticket}
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
