"""Templates are compiled once for all starts, and again when they have changed."""

from __future__ import annotations

import pytest
from jinja2 import DictLoader

from pages import jinja


@pytest.fixture
def start(settings, tmp_path):
    """A site's environment as it is after a start, with this source; it counts what it compiles."""
    settings.VAR = tmp_path

    def start(source: str):
        env = jinja.Environment(loader=DictLoader({"page.html": source}))
        env.bytecode_cache = jinja._CompiledTemplates()
        compiled: list[str] = []
        compile_source = env.compile
        env.compile = lambda source, *rest: compiled.append(source) or compile_source(source, *rest)
        return env.get_template("page.html").render(name="Mouse"), compiled

    return start


def test_a_second_start_compiles_nothing(start):
    assert start("Hello {{ name }}") == ("Hello Mouse", ["Hello {{ name }}"])
    assert start("Hello {{ name }}") == ("Hello Mouse", [])


def test_a_changed_template_is_compiled_again(start):
    start("Hello {{ name }}")
    assert start("Goodbye {{ name }}")[0] == "Goodbye Mouse"


def test_pages_are_drawn_without_room_for_them(start, tmp_path):
    (tmp_path / "compiled_templates").write_text("not a folder")
    assert start("Hello {{ name }}")[0] == "Hello Mouse"


def test_only_the_site_may_write_them(start, tmp_path):
    start("Hello {{ name }}")
    assert (tmp_path / "compiled_templates").stat().st_mode & 0o077 == 0
