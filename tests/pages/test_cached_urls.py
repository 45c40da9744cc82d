"""An address is worked out once, and is the one Django would give."""

from __future__ import annotations

import pytest
from django.template import engines
from django.urls import NoReverseMatch, reverse, set_script_prefix

from cached_reverse import cached_reverse


def draw(source: str, **values: object) -> str:
    return engines["jinja2"].from_string(source).render(values)


def test_function_gives_what_reverse_gives():
    assert draw('{{ url("battles:page", code) }}', code="abc") == reverse("battles:page", args=["abc"])
    assert draw('{{ url("battles:page", code=code) }}', code="abc") == reverse("battles:page", args=["abc"])
    assert draw('{{ url("campaign:add_kingdoms", "x", 2) }}') == reverse("campaign:add_kingdoms", args=["x", 2])


def test_unknown_names_and_values_are_refused_each_time():
    for _ in range(2):
        with pytest.raises(NoReverseMatch):
            draw('{{ url("no:such") }}')
        with pytest.raises(NoReverseMatch):
            draw('{{ url("battles:page", code) }}', code="")


def test_a_site_below_a_prefix_has_addresses_of_its_own():
    assert cached_reverse("battles:page", "abc") == "/battles/abc/"
    set_script_prefix("/mice/")
    try:
        assert cached_reverse("battles:page", "abc") == "/mice/battles/abc/"
    finally:
        set_script_prefix("/")
