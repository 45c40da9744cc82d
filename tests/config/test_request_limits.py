"""What strangers can make the servers hold: bodies, before Django reads them and when it does."""

from __future__ import annotations

import asyncio

import pytest
from django.conf import settings
from django.http import HttpResponse
from django.test import RequestFactory

from config import request_limits
from config.request_limits import DISCARDED, BodyLimits, is_known, max_body_from
from pages.request_middleware import MAX_BODY, SMALL_BODY, RequestCleaningMiddleware
from tests.api_client import Api
from tests.live.run_async import run_alone

DECKS = "/api/v1/tables/decks/take-in/"
MEGABYTE = 1024 * 1024


def scope_of(path: str, *, method: str = "POST", promised: int | None = None, **head: str) -> dict:
    headers = [(b"transfer-encoding", b"chunked") if promised is None else (b"content-length", b"%d" % promised)]
    headers += [(name.encode(), value.encode()) for name, value in head.items()]
    return {"type": "http", "method": method, "path": path, "headers": headers}


# ── uvicorn: bodies before Django ────────────────────────────────────────────────────────────────────────


async def send_asgi(path: str, pieces: list[bytes], *, silent: bool = False, promised: int | None = None):
    """What an application behind the limits read, what was answered, and how much of the body was taken."""
    left, read, answers = list(pieces), [], []

    async def receive():
        if not left:
            await asyncio.Event().wait() if silent else None
            return {"type": "http.disconnect"}
        return {"type": "http.request", "body": left.pop(0), "more_body": bool(left) or silent}

    async def app(scope, receive, send):
        while (message := await receive())["type"] == "http.request":
            read.append(message["body"])
            if not message["more_body"]:
                answers.append(dict(scope["headers"]))
                break

    async def send(message):
        answers.append(message.get("status", message.get("body")))

    await BodyLimits(app)(scope_of(path, promised=promised), receive, send)
    return b"".join(read), answers, len(pieces) - len(left)


@pytest.mark.parametrize("promised", [None, 2000])
def test_body_within_the_limit_arrives_whole_and_with_its_length(promised):
    read, answers, _ = run_alone(send_asgi("/log-in/", [b"a" * 1000, b"b" * 1000], promised=promised))
    assert (read, answers) == (b"a" * 1000 + b"b" * 1000, [{b"content-length": b"2000"}])


def test_body_for_nothing_is_not_kept():
    read, answers, taken = run_alone(send_asgi("/nothing/here/", [b"a" * SMALL_BODY] * 100))
    assert len(read) == SMALL_BODY
    assert answers == [{b"content-length": b"%d" % (100 * SMALL_BODY)}], "read to its end, for the browser's sake"
    assert taken == 100


def test_endless_body_is_cut_off():
    _, answers, taken = run_alone(send_asgi("/nothing/here/", [b"a" * MEGABYTE] * 200))
    assert int(answers[0][b"content-length"]) > SMALL_BODY + DISCARDED
    assert taken < 40


def test_slow_body_is_answered_and_ended(monkeypatch):
    monkeypatch.setattr(request_limits, "PATIENCE", 0.1)
    monkeypatch.setattr(request_limits, "SLOWEST", 2**40)
    read, answers, _ = run_alone(send_asgi("/log-in/", [b"name="], silent=True))
    assert answers == [408, request_limits.TOO_SLOW]
    assert read == b"", "half a body reached Django"


def test_whoever_leaves_is_not_answered():
    assert run_alone(send_asgi("/log-in/", [b"name="], promised=1000))[1] != []
    assert run_alone(send_asgi("/log-in/", [], promised=1000)) == (b"", [], 0)


def test_small_body_is_taken_without_looking_for_its_view(monkeypatch):
    monkeypatch.setattr(request_limits, "max_body_from", lambda scope: pytest.fail("looked for the view"))
    read, _, _ = run_alone(send_asgi("/log-in/", [b"a" * SMALL_BODY], promised=SMALL_BODY))
    assert len(read) == SMALL_BODY


def test_large_body_of_somebody_known_arrives_whole(monkeypatch):
    pieces = [b"a" * SMALL_BODY] * 3
    assert len(run_alone(send_asgi("/log-in/", pieces))[0]) == SMALL_BODY
    monkeypatch.setattr(request_limits, "is_known", lambda scope: True)
    assert run_alone(send_asgi("/log-in/", pieces))[0] == b"".join(pieces)


@pytest.mark.parametrize(
    ("method", "path", "most"),
    [
        ("GET", "/log-in/", SMALL_BODY),
        ("POST", "/log-in/", MAX_BODY),
        ("POST", "/nothing/here/", SMALL_BODY),
        ("POST", "/api/v1/people/", MAX_BODY),
    ],
)
def test_body_is_limited_by_what_is_at_the_address(monkeypatch, method, path, most):
    monkeypatch.setattr(request_limits, "is_known", lambda scope: True)
    assert max_body_from(scope_of(path, method=method)) == most


def test_strangers_are_not_known_by_what_they_make_up(db):
    cookie = settings.SESSION_COOKIE_NAME
    heads = ({}, {"cookie": f"{cookie}=made-up-and-long-enough"}, {"cookie": f"{cookie}=a\x00b"})
    for head in (*heads, {"authorization": "Bearer made-up"}, {"authorization": f"Bearer {'a' * 22}"}):
        assert not is_known(scope_of(DECKS, **head))
        assert max_body_from(scope_of(DECKS, **head)) == SMALL_BODY


def test_people_are_known_by_their_log_in_or_token(player):
    cookies = player.client.cookies.output(header="", sep=";", attrs=[]).strip()
    assert is_known(scope_of(DECKS, cookie=cookies))
    token = Api.log_in(name="Tam", password="cheese-and-thyme").token
    assert is_known(scope_of(DECKS, authorization=f"Bearer {token}"))


# ── Django: what it reads of a body ──────────────────────────────────────────────────────────────────────


class Unreadable:
    """A body that must not be read before its request is refused."""

    def read(self, *size):
        pytest.fail("read before it was allowed")

    readline = read


@pytest.mark.parametrize(("size", "status"), [(SMALL_BODY + 1, 403), (MAX_BODY + 1, 413)])
def test_large_body_of_a_stranger_is_refused_with_what_to_do(client, db, size, status):
    answer = client.post("/log-in/", "a" * size, content_type="application/x-www-form-urlencoded")
    assert answer.status_code == status
    assert ("Log in first" if status == 403 else "The limit is") in answer.content.decode()


def test_people_send_large_bodies(player):
    sent = player.client.post(DECKS, b"a" * (SMALL_BODY + 1), content_type="application/octet-stream")
    assert sent.status_code not in (403, 411, 413)


@pytest.mark.parametrize(
    ("head", "status"),
    [({"CONTENT_LENGTH": str(MAX_BODY + 1)}, 413), ({"HTTP_TRANSFER_ENCODING": "chunked", "CONTENT_LENGTH": ""}, 411)],
)
def test_refused_body_is_not_read_first(head, status):
    request = RequestFactory().post("/log-in/", **head, **{"wsgi.input": Unreadable()})
    answer = RequestCleaningMiddleware(lambda _: HttpResponse()).process_view(request, lambda _: None, (), {})
    assert answer.status_code == status


def test_rest_of_a_refused_body_is_taken_from_the_proxy():
    request = RequestFactory().post("/nothing/", b"a" * 3 * SMALL_BODY, content_type="text/plain")
    RequestCleaningMiddleware(lambda _: HttpResponse(status=404))(request)
    assert request.read() == b""
