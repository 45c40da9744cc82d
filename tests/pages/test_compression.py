"""Compressed answers: text only, never a stream, and padded against guessing secrets by length."""

from __future__ import annotations

import gzip

import pytest
from django.http import HttpResponse, StreamingHttpResponse
from django.test import RequestFactory

from pages.answer_middleware import CompressionMiddleware

LONG = b"cheese and thyme " * 100


def answer(response, **headers):
    request = RequestFactory().get("/", headers={"Accept-Encoding": "gzip"} | headers)
    return CompressionMiddleware(lambda _: response)(request)


@pytest.mark.parametrize("kind", ["text/html; charset=utf-8", "application/json", "image/svg+xml", "text/csv"])
def test_text_is_compressed(kind):
    sent = answer(HttpResponse(LONG, content_type=kind))
    assert sent.headers["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in sent.headers["Vary"]
    assert gzip.decompress(sent.content) == LONG
    assert len(sent.content) < len(LONG) / 4


@pytest.mark.parametrize("kind", ["application/pdf", "image/png", "application/zip", "text/event-stream"])
def test_files_and_streams_are_not_compressed(kind):
    assert "Content-Encoding" not in answer(HttpResponse(LONG, content_type=kind)).headers


def test_a_streaming_answer_is_left_alone():
    assert "Content-Encoding" not in answer(StreamingHttpResponse([LONG], content_type="text/html")).headers


def test_length_differs_between_equal_answers():
    """BREACH measures lengths; the padding makes them vary."""
    assert len({len(answer(HttpResponse(LONG, content_type="text/html")).content) for _ in range(40)}) > 5


def test_tag_of_a_live_part_still_matches(client, db):
    """A weak tag stays as it is, so that a phone is told that nothing has changed."""
    response = HttpResponse(LONG, content_type="text/html", headers={"ETag": 'W/"abc"'})
    assert answer(response).headers["ETag"] == 'W/"abc"'
