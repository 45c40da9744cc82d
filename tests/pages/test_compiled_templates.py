"""Compiled templates draw what Django's own templates draw, to the letter."""

from __future__ import annotations

import datetime as dt
import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from django.conf import settings
from django.core.exceptions import ObjectDoesNotExist
from django.template import Context, Engine, TemplateSyntaxError, VariableDoesNotExist
from django.template.loader import get_template
from django.test import override_settings
from django.utils.safestring import mark_safe

from pages.compiled_templates.loader import CompiledNodeList
from tests.services import ROOT

# Tags that are used once or twice, and set names in ways that are not worth compiling.
LEFT_TO_DJANGO = {
    "battles/tracker/_ticks.html",
    "battles/tracker/history.html",
    "cardgames/decks/deck.html",
}


@dataclass
class Mouse:
    name: str = "Wren & Co <b>"
    points: int = 12000
    items: tuple[str, ...] = ("sword", "cheese")
    traits: dict[str, str] = field(default_factory=lambda: {"items": "from the dictionary", "brave": "very"})
    calls: int = 0

    def shout(self) -> str:
        self.calls += 1
        return f"<{self.name}>"

    def needs_an_argument(self, one: str) -> str:
        return one

    def delete(self) -> str:
        self.calls += 100
        return "gone"

    delete.alters_data = True  # type: ignore[attr-defined]

    @property
    def lost(self) -> str:
        raise ObjectDoesNotExist

    @property
    def broken(self) -> str:
        raise AttributeError("inside a property")


class Unsized:
    def __iter__(self):
        return iter("ab")


class Kind:
    do_not_call_in_templates = True
    name = "a class"


VALUES = {
    "mouse": Mouse(),
    "mice": [Mouse("Tam"), Mouse("Oak"), Mouse("Fen")],
    "pairs": [("a", 1), ("b", 2)],
    "table": {"rows": [[1, 2], [3, 4]], "empty": []},
    "unsized": Unsized(),
    "safe": mark_safe("<i>safe</i>"),
    "unsafe": "<i>unsafe</i>",
    "nothing": None,
    "yes": True,
    "half": 0.5,
    "moment": dt.datetime(2026, 11, 18, 12, 30, tzinfo=dt.UTC),
    "kind": Kind,
    "include": "row.html",
}

PARTS = {
    "row.html": "[{{ mouse.name }}{% if forloop %}{{ forloop.counter }}{% endif %}]",
    "base.html": "<h1>{% block title %}base{% endblock %}</h1>{% block body %}{% block inner %}in{% endblock %}"
    "{% endblock %}",
    "middle.html": "{% extends 'base.html' %}{% block inner %}middle{% endblock %}",
    "itself.html": "{{ depth }}{% if depth %}{% with depth=nothing %}{% include 'itself.html' %}{% endwith %}"
    "{% endif %}",
    "reads_context.html": "{% csrf_token %}{% firstof word 'none' %}{{ word }}",
}

SOURCES = [
    "{{ mouse.name }} {{ mouse.points }} {{ half }} {{ yes }} {{ nothing }} {{ moment }} {{ safe }} {{ unsafe }}",
    "{{ mouse.items.1 }} {{ mouse.traits.items }} {{ mouse.traits.brave }} {{ mouse.missing }} {{ missing.more }}",
    "{{ mouse.shout }} {{ mouse.needs_an_argument }} {{ mouse.delete }} {{ mouse.lost }} {{ mouse.lost.more }}",
    "{{ unsafe|upper }} {{ safe|upper }} {{ safe|lower }} {{ unsafe|safe }} {{ missing|default:'<none>' }}",
    "{{ nothing|default_if_none:mouse.name }} {{ mice|length }} {{ pairs|first }} {{ unsafe|linebreaksbr }}",
    "{{ moment|date:'j F Y' }} {{ mouse.items|join:', ' }} {{ safe|truncatechars:4 }} {{ 'text'|capfirst }} {{ 3.5 }}",
    "{{ True }} {{ False }} {{ None }} {{ kind.name }} {{ mouse.points|add:'1' }} {{ unsafe|urlencode }}",
    "{% if mouse.name and not nothing %}a{% elif missing %}b{% else %}c{% endif %}",
    "{% if nothing > 3 %}a{% else %}b{% endif %}{% if missing == None %}c{% endif %}"
    "{% if missing is None %}d{% endif %}",
    "{% if mouse.broken or yes %}a{% else %}b{% endif %}{% if 'sword' in mouse.items %}c{% endif %}",
    "{% if mouse.points|add:missing %}a{% else %}b{% endif %}{% if 2 < mouse.points %}c{% endif %}",
    "{% if mouse.lost %}a{% else %}b{% endif %}{% if 'x' not in unsized %}c{% endif %}"
    "{% if unsafe != safe %}d{% endif %}",
    "{% for one in mice %}{{ forloop.counter }}/{{ forloop.revcounter }} {{ one.name }}"
    "{% if not forloop.last %}, {% endif %}{% endfor %}",
    "{% for one in mice reversed %}{{ forloop.first }}{{ forloop.counter0 }}{{ one.name }}{% empty %}none{% endfor %}",
    "{% for one in missing %}x{% empty %}none{% endfor %}{% for one in nothing %}x{% empty %}none{% endfor %}",
    "{% for a, b in pairs %}{{ a }}={{ b }};{% endfor %}{% for key, value in table.items %}{{ key }}{% endfor %}",
    "{% for row in table.rows %}{% for cell in row %}{{ forloop.parentloop.counter }}.{{ cell }}"
    "{% endfor %}{% endfor %}",
    "{% for one in unsized %}{{ one }}{{ forloop.last }}{% endfor %}{% for one in table.empty %}x"
    "{% empty %}-{% endfor %}",
    "{% with word=mouse.name mouse=mice.0 %}{{ word }} {{ mouse.name }}{% endwith %}{{ mouse.name }}{{ word }}",
    "{% include 'row.html' %}{% include 'row.html' with mouse=mice.1 %}{% include 'row.html' with mouse=mice.2 only %}",
    "{% for mouse in mice %}{% include 'row.html' %}{% endfor %}{% include include %}",
    "{% with word='w' %}{% include 'reads_context.html' %}{% endwith %}"
    "{% include 'reads_context.html' with word=1 only %}",
    "{% for word in mouse.items %}{% include 'reads_context.html' with more=1 %}{% endfor %}",
    "{% with depth=1 %}{% include 'itself.html' %}{% endwith %}",
    "text first {% extends 'middle.html' %}{% block title %}{{ mouse.name }}{% endblock %}",
    "{% extends 'middle.html' %}{% block body %}{% with a=1 %}{{ a }}{% endwith %}{{ a }}{% endblock %}",
    "{% comment %}{{ mouse.broken }}{% endcomment %}{% firstof missing mouse.name %}",
    "{% if yes %}{% url 'home:home' as here %}{% endif %}{{ here }}{% url 'nowhere' as there %}[{{ there }}]",
    "{% if nothing %}{% url 'home:home' as here %}{% else %}{{ here }}-{% endif %}{{ here }}{% url 'home:home' %}",
    "{% with here='before' %}{% if yes %}{% if nothing %}{% url 'home:home' as here %}"
    "{% endif %}{{ here }}{% endif %}{% endwith %}",
    "{% filled 'p' 'lead' %} {{ nothing|default_if_none:'' }} {% endfilled %}"
    "{% masthead %}<h1>{{ mouse.name }}</h1>{% endmasthead %}",
    "{% for one in mice %}{% icon 'c-crown' label=one.name %}"
    "{% post_fields one.name stamp=forloop.counter %}{% endfor %}",
]


# What is named in one round of a loop is known in the next.
NAMED_IN_LOOPS = [
    "{% for one in mice %}{% if forloop.first %}{% url 'home:home' as here %}{% endif %}[{{ here }}]{% endfor %}",
    "{% url 'home:home' as here %}{% for one in mice %}{{ here }}{% url 'nowhere' as here %}{% endfor %}{{ here }}",
]


def make_engine(loader: str) -> Engine:
    parts = PARTS | {f"{number}.html": source for number, source in enumerate([*SOURCES, *NAMED_IN_LOOPS])}
    options = settings.TEMPLATES[0]["OPTIONS"]
    return Engine(loaders=[(loader, [("django.template.loaders.locmem.Loader", parts)])], builtins=options["builtins"])


@pytest.fixture(scope="module")
def by_django() -> Engine:
    return make_engine("django.template.loaders.cached.Loader")


@pytest.fixture(scope="module")
def compiled() -> Engine:
    return make_engine("pages.compiled_templates.loader.CompiledLoader")


def draw(engine: Engine, name: str, values: dict) -> str:
    return engine.get_template(name).render(Context({**values, "csrf_token": "token"}))


def draw_or_fail(engine: Engine, name: str) -> str:
    """Without any values, as a page with a mistake would be."""
    try:
        return draw(engine, name, {})
    except Exception as error:
        return type(error).__name__


@pytest.mark.parametrize("number", range(len(SOURCES)), ids=SOURCES)
def test_a_template_is_drawn_as_django_draws_it(by_django, compiled, number):
    name = f"{number}.html"
    assert compiled.get_template(name).nodelist.compiled is not None
    assert draw(compiled, name, VALUES) == draw(by_django, name, VALUES)
    assert draw_or_fail(compiled, name) == draw_or_fail(by_django, name)


@pytest.mark.parametrize("source", NAMED_IN_LOOPS)
def test_a_loop_that_names_an_address_is_left_to_django(by_django, compiled, source):
    name = f"{len(SOURCES) + NAMED_IN_LOOPS.index(source)}.html"
    assert draw(compiled, name, VALUES) == draw(by_django, name, VALUES)


def test_a_method_is_called_and_one_that_alters_data_is_not(compiled):
    mouse = Mouse()
    draw(compiled, "2.html", {"mouse": mouse})
    assert mouse.calls == 1


def test_a_name_that_can_be_called_is_called_only_where_it_is_read(by_django, compiled):
    called = []
    values = {"mouse": lambda: called.append(1) or Mouse("lazy"), "nothing": None, "yes": True}
    name = f"{SOURCES.index(next(source for source in SOURCES if 'elif missing' in source))}.html"
    assert draw(compiled, name, values) == draw(by_django, name, values)
    assert len(called) == 2


@pytest.mark.parametrize(
    ("source", "error"),
    [
        ("{{ mouse.broken }}", AttributeError),
        ("{% if mouse.broken %}x{% endif %}", AttributeError),
        ("{{ mouse.name|default:missing }}", VariableDoesNotExist),
        ("{% for a, b in mice %}{% endfor %}", (ValueError, TypeError)),
    ],
)
def test_what_fails_in_django_fails_here(source, error):
    for loader in ("django.template.loaders.cached.Loader", "pages.compiled_templates.loader.CompiledLoader"):
        engine = Engine(loaders=[(loader, [("django.template.loaders.locmem.Loader", {"it.html": source})])])
        with pytest.raises(error):
            draw(engine, "it.html", VALUES)


def test_a_template_that_django_draws_can_extend_a_compiled_one(by_django, compiled):
    source = "{% extends 'middle.html' %}{% block title %}{% cycle 'a' 'b' as turn %}{{ turn }}{% endblock %}"
    engines = [by_django, compiled]
    for engine in engines:
        engine.template_loaders[0].loaders[0].templates_dict["cycle.html"] = source
    assert compiled.get_template("cycle.html").nodelist.compiled is None
    assert draw(compiled, "cycle.html", {}) == draw(by_django, "cycle.html", {}) == "<h1>aa</h1>middle"


def test_the_address_of_a_file_follows_its_storage():
    engine = make_engine_with("{% load static %}{% static 'css/base.css' %}")
    engine.libraries["static"] = "django.templatetags.static"
    engine.template_libraries = engine.get_template_libraries(engine.libraries)
    assert draw(engine, "it.html", {}) == "/static/css/base.css"
    elsewhere = {"BACKEND": "django.core.files.storage.FileSystemStorage", "OPTIONS": {"base_url": "/a&b/"}}
    with override_settings(STORAGES={**settings.STORAGES, "staticfiles": elsewhere}):
        assert draw(engine, "it.html", {}) == "/a&amp;b/css/base.css"
    assert draw(engine, "it.html", {}) == "/static/css/base.css"


def test_text_that_is_not_html_is_left_to_django(compiled):
    template = compiled.get_template("0.html")
    assert "<i>unsafe</i>" in template.render(Context(VALUES, autoescape=False))


def test_a_traceback_shows_the_line_of_the_compiled_template(compiled):
    with pytest.raises(TemplateSyntaxError) as raised:
        draw(make_engine_with("{% icon name %}"), "it.html", {"name": "no-such-symbol"})
    frame = next(entry for entry in raised.traceback if "compiled template" in str(entry.path))
    assert "k0(" in str(frame.statement)


def make_engine_with(source: str) -> Engine:
    loaders = [
        (
            "pages.compiled_templates.loader.CompiledLoader",
            [("django.template.loaders.locmem.Loader", {"it.html": source})],
        )
    ]
    return Engine(loaders=loaders, builtins=settings.TEMPLATES[0]["OPTIONS"]["builtins"])


def test_pages_that_are_often_drawn_are_compiled_before_a_server_forks(tmp_path):
    code = (
        "import config.wsgi\n"
        "from django.template.loader import get_template\n"
        "for name in ('cardgames/tables/seats/_seat.html', 'campaign/home/page.html', 'base.html'):\n"
        "    print(get_template(name).template.nodelist._is_known)\n"
    )
    env = {**os.environ, "VAR": str(tmp_path), "DEMO": "0"}
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=env, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "True", "False"]


def test_all_our_templates_are_compiled():
    folder = Path(settings.BASE_DIR) / "templates"
    left = set()
    for path in folder.rglob("*.html"):
        nodes = get_template(path.relative_to(folder).as_posix()).template.nodelist
        assert isinstance(nodes, CompiledNodeList)
        if nodes.compiled is None:
            left.add(path.relative_to(folder).as_posix())
    assert left == LEFT_TO_DJANGO
