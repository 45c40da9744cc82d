"""A part is drawn once for equal values, and never for others."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

import pytest
from django.template import Context, Template, TemplateSyntaxError, engines
from django.utils import timezone

from log.models import Log
from pages.drawn_once import kept_parts
from pages.home_items import HomeItem
from pages.templatetags import drawn_once as tag

SOURCE = '{% drawn_once "home/_item.html" item=item is_main=main %}'


@pytest.fixture
def drawings(monkeypatch):
    """How often a template was drawn."""
    count = []
    get = tag.get_template
    monkeypatch.setattr(tag, "get_template", lambda name: count.append(name) or get(name))
    kept_parts.forget_all()
    return count


def draw(item, main=False, **more) -> str:
    return engines["django"].from_string(SOURCE).template.render(Context({"item": item, "main": main, **more}))


def item(text: str) -> HomeItem:
    return HomeItem("me", "A title", text, "/", "Go")


def test_equal_values_are_drawn_once_and_others_get_their_own(drawings):
    assert draw(item("for Ann")) == draw(item("for Ann"))
    assert len(drawings) == 1
    assert "for Ann" not in draw(item("for Ben"))
    assert "btn-press" in draw(item("for Ann"), main=True)
    assert len(drawings) == 3


def test_the_part_sees_neither_request_nor_viewer(drawings, monkeypatch):
    source = Template("[{{ request }}{{ who }}]")
    monkeypatch.setattr(tag, "get_template", lambda name: type("", (), {"template": source}))
    assert draw(item("x"), request="secret", who="Ann") == "[]"


def test_moments_are_drawn_for_each_zone(drawings):
    @dataclass(frozen=True)
    class Shown:
        at: dt.datetime

    source = "{% when item.at 'time' %}"
    tag_get, tag.get_template = tag.get_template, lambda name: type("", (), {"template": Template(source)})
    try:
        shown = Shown(dt.datetime(2026, 5, 14, 12, tzinfo=dt.UTC))
        assert "12:00" in draw(shown)
        with timezone.override("Asia/Tokyo"):
            assert "21:00" in draw(shown)
    finally:
        tag.get_template = tag_get


@pytest.mark.parametrize("source", ['<form method="post"></form>', "{% term 'AC' %}"])
def test_forms_and_terms_are_refused(drawings, monkeypatch, source):
    monkeypatch.setattr(tag, "get_template", lambda name: type("", (), {"template": Template(source)}))
    with pytest.raises(TemplateSyntaxError):
        draw(item("x"))


def test_forms_get_the_key_and_the_token_of_each_viewer(drawings, monkeypatch):
    form = Template("<form>{% post_fields key 'go' %}</form>")
    monkeypatch.setattr(tag, "get_template", lambda name: drawings.append(name) or type("", (), {"template": form}))
    source = Template('{% drawn_once "a.html" key=key item=item %}')
    ann, ben = (
        source.render(Context({"item": item("x"), "key": f"key-of-{name}", "csrf_token": f"token-of-{name}"}))
        for name in ("ann", "ben")
    )
    assert len(drawings) == 1
    assert 'value="key-of-ann-go"' in ann
    assert 'value="token-of-ann"' in ann
    assert ann.replace("ann", "ben") == ben


def test_rows_of_the_database_are_refused_however_deep(drawings):
    @dataclass(frozen=True)
    class Shown:
        rows: tuple[Log, ...]

    with pytest.raises(TemplateSyntaxError, match="row of the database"):
        draw(Shown((Log(pk=3),)))


def test_what_can_change_is_refused(drawings):
    with pytest.raises(TypeError):
        draw({"a": "dictionary"})


def test_old_parts_make_room(drawings, monkeypatch):
    monkeypatch.setattr(kept_parts, "MOST_CHARACTERS", 2000)
    for number in range(50):
        draw(item(f"number {number}"))
    assert kept_parts._size == sum(len(part.text) for part in kept_parts._parts.values()) <= 2000
    draw(item("number 49"))
    assert len(drawings) == 50
    draw(item("number 0"))
    assert len(drawings) == 51
