"""What no template may contain, and what every template needs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.apps import apps
from django.conf import settings
from django.template import engines

from heraldry import svg as heraldry_svg

ROOT = Path(settings.BASE_DIR)
FOLDERS = [
    ROOT / "templates",
    *(
        Path(app.path) / "templates"
        for app in apps.get_app_configs()
        if str(ROOT) in app.path and ".venv" not in app.path
    ),
]
TEMPLATES = sorted(path for folder in FOLDERS for path in folder.rglob("*") if path.suffix in (".html", ".svg", ".txt"))
SCRIPTS = sorted((ROOT / "static" / "js").rglob("*.js"))
LINE_LENGTH = 140
MARKUP = [pytest.param(path, id=str(path.relative_to(ROOT))) for path in TEMPLATES]


def test_templates_are_found():
    assert len(TEMPLATES) > 20


@pytest.mark.parametrize("path", MARKUP)
def test_no_inline_style_script_or_handler(path):
    """The content security policy forbids them; this says so before a browser does."""
    text = re.sub(r"\{#.*?#\}", "", path.read_text())
    assert not re.search(r"\sstyle\s*=", text)
    assert "<style" not in text
    assert not re.search(r"\son[a-z]+\s*=\s*[\"']", text)
    assert "javascript:" not in text
    assert "hx-on" not in text
    for attributes, body in re.findall(r"<script([^>]*)>(.*?)</script>", text, flags=re.DOTALL):
        assert "src=" in attributes
        assert not body.strip()


@pytest.mark.parametrize("path", MARKUP)
def test_every_template_compiles(path):
    if path.suffix == ".html":
        engines["django" if "for_django" in path.parts else "jinja2"].from_string(path.read_text())


@pytest.mark.parametrize("path", MARKUP)
def test_no_line_is_longer_than_140_characters(path):
    if path.suffix != ".svg":  # the sprite holds drawings, one symbol a line
        long = [number for number, line in enumerate(path.read_text().splitlines(), 1) if len(line) > LINE_LENGTH]
        assert not long


@pytest.mark.parametrize("path", MARKUP)
def test_every_post_form_begins_with_post_fields(path):
    """The tag writes the CSRF token and the idempotency key; nobody writes them by hand."""
    text = path.read_text()
    assert "csrf_token" not in text
    assert 'name="key"' not in text
    for form in re.findall(r"<form\b.*?</form>", text, flags=re.DOTALL):
        included = [(ROOT / "templates" / name).read_text() for name in re.findall(r'\{% include "([^"]+)"', form)]
        has_fields = any("{{ post_fields(" in part for part in (form, *included))
        assert has_fields == ('method="post"' in form), form


@pytest.mark.parametrize("path", MARKUP)
def test_every_icon_in_templates_is_in_the_sprite(path):
    text = path.read_text()
    asked = set(re.findall(r"\bicon\([\"']([^\"']+)[\"']", text))
    asked |= set(re.findall(r"\bsymbol=[\"']([^\"']+)[\"']", text))
    asked |= set(re.findall(r"href=\"#(c-[^\"{]+)\"", text))
    assert {name if name.startswith("c-") else f"c-{name}" for name in asked} <= set(heraldry_svg.read_symbols())


def test_every_icon_in_code_is_in_the_sprite():
    values = {}
    for path in ROOT.glob("*/**/*.py"):
        if ".venv" in path.parts or "tests" in path.parts:
            continue
        for name in re.findall(r"[\"'](c-[a-z_-]+)[\"']", path.read_text()):
            values.setdefault(name, path)
    missing = {name: str(path) for name, path in values.items() if name not in heraldry_svg.read_symbols()}
    assert not missing


def test_sprite_ids_are_all_different():
    ids = re.findall(r"\sid=\"([^\"]+)\"", heraldry_svg.read_sprite())
    assert len(ids) == len(set(ids))
    used = set(re.findall(r"href=\"#([^\"]+)\"", heraldry_svg.read_sprite()))
    assert used <= set(ids)


def test_no_text_speaks_in_the_wrong_voice():
    """No exclamation marks, no Oops, no please: in what people read."""
    for path in TEMPLATES:
        text = re.sub(
            r"\{[%#].*?[%#]\}|<!doctype html>|<!--.*?-->|<[^>]+>", "", path.read_text(), flags=re.DOTALL | re.IGNORECASE
        )
        assert "!" not in text, path
        assert not re.search(r"\b(oops|please)\b", text, flags=re.IGNORECASE), path


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_scripts_write_no_style_attributes_and_evaluate_nothing(path):
    text = path.read_text()
    assert 'setAttribute("style"' not in text
    assert not re.search(r"\beval\(|new Function\(|\.innerHTML\s*=", text)


def test_the_cookie_the_script_reads_is_the_cookie_django_sets():
    text = (ROOT / "static" / "js" / "csrf.js").read_text()
    assert f'COOKIE = "{settings.CSRF_COOKIE_NAME}"' in text


# Drawings of our own, in which names are escaped: nothing else is put into a page unescaped.
UNESCAPED = {
    "cardgames/template_functions.py",
    "pages/cached_parts.py",  # what a template drew
    "pages/template_functions.py",
    "templates/battles/tracker/_board.html",
    "templates/people/accounts/reset_mail.txt",  # plain text, not a page
}


def test_only_our_own_drawings_are_not_escaped():
    code = [path for folder in ROOT.iterdir() if folder.name[0] not in "._" for path in folder.rglob("*.py")]
    word = re.compile(r"mark_safe|SafeString\(|\|\s*safe\b|autoescape false")
    match = {
        str(path.relative_to(ROOT))
        for path in {*TEMPLATES, *code}
        if "tests" not in path.parts and "var" not in path.parts and word.search(path.read_text())
    }
    assert match == UNESCAPED
