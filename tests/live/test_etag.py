"""An unchanged page is not rendered again."""

from __future__ import annotations

import pytest
from django.http import HttpResponse

from live import shared_parts
from live.shared_parts import add_etag, not_modified_response
from tests.live.fake_requests import ask


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
    monkeypatch.setattr(shared_parts, "release_tag", lambda: "another")
    assert not_modified_response(ask(tag=first), 7) is None
