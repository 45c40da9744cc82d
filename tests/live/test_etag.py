"""An unchanged page is not rendered again, and a page that many share is rendered once."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
from django.http import HttpResponse
from django.test import RequestFactory

from live import etag
from live.etag import add_etag, not_modified_response, render_once


@pytest.fixture(autouse=True)
def no_drawings():
    etag._drawings.clear()


def ask(path: str = "/ledger/", who: str = "person:1", *, tag: str = "", zone: str = ""):
    request = RequestFactory().get(path, headers={"If-None-Match": tag} if tag else {})
    request.who = SimpleNamespace(ref=who)
    if zone:
        request.COOKIES["zone"] = zone
    return request


def tag_of(request, *tag) -> str:
    assert not_modified_response(request, *tag) is None
    return add_etag(request, HttpResponse("drawn"))["ETag"]


def test_same_version_for_the_same_viewer_is_not_rendered_again():
    first = tag_of(ask(), 7)
    again = not_modified_response(ask(tag=first), 7)
    assert again.status_code == 304
    assert again["ETag"] == first
    assert again["Cache-Control"] == "private, no-cache"
    assert "Cookie" in again["Vary"]


@pytest.mark.parametrize(
    ("other", "version"),
    [
        (ask(), 8),
        (ask(who="person:2"), 7),
        (ask("/ledger/?before=3"), 7),
        (ask(zone="Europe/Berlin"), 7),
    ],
    ids=["newer", "someone else", "another address", "another time zone"],
)
def test_any_difference_is_rendered(other, version):
    other.META["HTTP_IF_NONE_MATCH"] = tag_of(ask(), 7)
    assert not_modified_response(other, version) is None


def test_new_release_renders_again(monkeypatch):
    first = tag_of(ask(), 7)
    monkeypatch.setattr(etag, "release_tag", lambda: "another")
    assert not_modified_response(ask(tag=first), 7) is None


def test_fifty_viewers_of_the_same_news_cost_one_rendering():
    drawn = []

    def draw():
        drawn.append(threading.get_ident())
        time.sleep(0.05)
        return HttpResponse("the ledger")

    with ThreadPoolExecutor(50) as crowd:
        answers = list(crowd.map(lambda n: render_once(ask(who=f"person:{n}"), draw, 7), range(50)))
    assert {answer.content for answer in answers} == {b"the ledger"}
    assert len(drawn) == 1
    assert render_once(ask(tag=answers[0]["ETag"], who="person:99"), draw, 7).status_code == 304
    assert render_once(ask(), draw, 8).status_code == 200
    assert len(drawn) == 2


def test_failed_rendering_is_retried():
    def broken():
        raise RuntimeError("no ink")

    with pytest.raises(RuntimeError):
        render_once(ask(), broken, 7)
    assert render_once(ask(), lambda: HttpResponse("ink"), 7).content == b"ink"


def test_old_renderings_are_dropped():
    for version in range(etag.KEPT_DRAWINGS * 2):
        render_once(ask(), lambda: HttpResponse("x"), version)
    assert len(etag._drawings) == etag.KEPT_DRAWINGS
