"""Icons and charges come from one file that browsers keep; only a page that stands alone carries them."""

from __future__ import annotations

import re

import pytest
from django.contrib.staticfiles import finders
from django.http import HttpResponse, StreamingHttpResponse
from django.template.loader import render_to_string
from django.test import RequestFactory

from heraldry import svg as heraldry_svg
from pages.answer_middleware import SymbolFileMiddleware


def answer(response: HttpResponse) -> HttpResponse:
    return SymbolFileMiddleware(lambda _: response)(RequestFactory().get("/"))


@pytest.mark.urls("tests.pages.style_guide.urls")
@pytest.mark.django_db
def test_a_page_points_at_symbols_in_the_file_and_carries_none(client):
    page = client.get("/guide/").content.decode()
    used = set(re.findall(r'href="/static/img/symbols\.svg#([^"]+)"', page))
    assert len(used) > 50
    assert used <= set(heraldry_svg.read_symbols())
    assert "<symbol" not in page
    assert 'href="#c-' not in page
    assert '<pattern id="h-gules"' in page  # patterns take their colours from the page
    with open(finders.find("img/symbols.svg")) as file:
        assert set(re.findall(r'<symbol id="([^"]+)"', file.read())) == set(heraldry_svg.read_symbols())


def test_a_part_of_a_page_points_at_the_file_too():
    assert answer(HttpResponse('<use href="#c-map"/>')).content == b'<use href="/static/img/symbols.svg#c-map"/>'


@pytest.mark.django_db
def test_the_length_is_that_of_what_is_sent(client):
    """For whoever does not ask for compressed answers, which have a length of their own."""
    page = client.get("/how-it-goes/")
    assert int(page.headers["Content-Length"]) == len(page.content)


@pytest.mark.parametrize("kind", ["application/json", "image/svg+xml"])
def test_what_is_not_a_page_stays_as_it_is(kind):
    assert answer(HttpResponse('<use href="#c-map"/>', content_type=kind)).content == b'<use href="#c-map"/>'
    assert answer(StreamingHttpResponse(['<use href="#c-map"/>'])).streaming


def test_text_that_somebody_wrote_is_not_touched():
    """What people write is escaped, so it can never look like one of our icons."""
    body = "&lt;use href=&quot;#c-map&quot;/&gt;"
    assert answer(HttpResponse(body)).content.decode() == body


def test_the_error_page_stands_alone():
    page = render_to_string("errors/500.html", {"request": None, "request_id": ""})
    assert answer(HttpResponse(page)).content.decode() == page
    assert set(re.findall(r'href="#(c-[^"]+)"', page)) <= set(re.findall(r'<symbol id="([^"]+)"', page))
