"""A part is drawn once for equal values, and never for others."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

import pytest
from django.template import engines
from django.test import RequestFactory
from django.utils import timezone
from django.utils.safestring import mark_safe
from jinja2 import ChoiceLoader, DictLoader, UndefinedError

from log.models import Log
from pages import cached_parts
from pages.home_items import HomeItem


@pytest.fixture
def drawings(monkeypatch):
    """How often a part was drawn. ``drawings.sources`` holds further templates."""

    class Drawings(list[str]):
        sources: dict[str, str] = {}

    count = Drawings()
    env = engines["jinja2"].env
    get = env.get_template
    monkeypatch.setattr(env, "loader", ChoiceLoader([DictLoader(count.sources), env.loader]))
    monkeypatch.setattr(env, "get_template", lambda name: count.append(name) or get(name))
    monkeypatch.setattr(env, "cache", None)
    count.sources.clear()
    cached_parts.forget_all()
    yield count
    cached_parts.forget_all()


def draw(item, main=False, name="home/_item.html", **more) -> str:
    source = f'{{{{ drawn_once("{name}", item=item, is_main=main) }}}}'
    return engines["jinja2"].env.from_string(source).render({"item": item, "main": main, **more})


def item(text: str) -> HomeItem:
    return HomeItem("me", "A title", text, "/", "Go")


def test_equal_values_are_drawn_once_and_others_get_their_own(drawings):
    assert draw(item("for Ann")) == draw(item("for Ann"))
    assert len(drawings) == 1
    assert "for Ann" not in draw(item("for Ben"))
    assert "btn-press" in draw(item("for Ann"), main=True)
    assert len(drawings) == 3


def test_plain_text_does_not_get_the_part_of_the_same_text_as_markup(drawings):
    drawings.sources["a.html"] = "{{ item }}"
    assert draw(mark_safe("<b>"), name="a.html") == "<b>"
    assert draw("<b>", name="a.html") == "&lt;b&gt;"


def test_nothing_is_kept_on_a_plain_site(drawings, settings):
    settings.PLAIN = True
    assert draw(item("for Ann")) == draw(item("for Ann"))
    assert len(drawings) == 2


def test_the_part_sees_neither_request_nor_viewer(drawings):
    drawings.sources["a.html"] = "[{{ request }}]"
    with pytest.raises(UndefinedError):
        draw(item("x"), name="a.html", request="secret")


def test_moments_are_drawn_for_each_zone(drawings):
    @dataclass(frozen=True)
    class Shown:
        at: dt.datetime

    drawings.sources["a.html"] = "{{ when(item.at, 'time') }}"
    shown = Shown(dt.datetime(2026, 5, 14, 12, tzinfo=dt.UTC))
    assert "12:00" in draw(shown, name="a.html")
    with timezone.override("Asia/Tokyo"):
        assert "21:00" in draw(shown, name="a.html")


def test_a_form_is_refused(drawings):
    drawings.sources["a.html"] = '<form method="post"></form>'
    with pytest.raises(ValueError, match="form or a term"):
        draw(item("x"), name="a.html")


def test_a_term_is_refused(drawings):
    drawings.sources["a.html"] = '{{ term("AC") }}'
    with pytest.raises(KeyError):  # it needs the page's request to be counted
        draw(item("x"), name="a.html", request=RequestFactory().get("/"))


def test_forms_get_the_key_and_the_token_of_each_viewer(drawings):
    drawings.sources["a.html"] = "<form>{{ post_fields(key, 'go') }}</form>"
    source = engines["jinja2"].env.from_string('{{ drawn_once("a.html", key=key, item=item) }}')
    ann, ben = (
        source.render({"item": item("x"), "key": f"key-of-{name}", "csrf_token": f"token-of-{name}"})
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

    with pytest.raises(ValueError, match="row of the database"):
        draw(Shown((Log(pk=3),)))


def test_what_can_change_is_refused(drawings):
    with pytest.raises(TypeError):
        draw({"a": "dictionary"})


def test_old_parts_make_room(drawings, monkeypatch):
    monkeypatch.setattr(cached_parts, "MAX_CHARACTERS", 2000)
    for number in range(50):
        draw(item(f"number {number}"))
    assert cached_parts._size == sum(len(part.result()) for part in cached_parts._parts.values()) <= 2000
    draw(item("number 49"))
    assert len(drawings) == 50
    draw(item("number 0"))
    assert len(drawings) == 51
