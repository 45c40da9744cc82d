"""Pages name their stylesheets in a header; fragments and files do not."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.django_db


def test_pages_preload_the_stylesheets_they_link(client):
    answer = client.get("/how-it-goes/")
    named = [link.split(">")[0].removeprefix("<") for link in answer.headers["Link"].split(", ")]
    assert len(named) == 2
    assert all(f'rel="stylesheet" href="{name}"' in answer.content.decode() for name in named)


def test_answers_that_are_no_page_preload_nothing(client):
    assert "Link" not in client.get("/api/v1/reference/").headers
    assert "Link" not in client.get("/healthz").headers
