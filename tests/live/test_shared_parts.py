"""A page that many share is rendered once."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.http import HttpResponse

from live.shared_parts import render_once
from pages import cached_parts
from tests.live.fake_requests import ask


@pytest.fixture(autouse=True)
def no_drawings():
    cached_parts.forget_all()


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
