"""The templates' environment: Jinja with our functions, filters and components.

A name that is missing is an error (``StrictUndefined``). What may be missing has a default at the top of its template.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.template import engines
from jinja2 import Environment

from pages import template_functions
from pages.drawn_parts import drawn_once

COMPONENTS = "components.html"

_functions: dict[str, Callable[..., Any]] = {"drawn_once": drawn_once, **template_functions.FUNCTIONS}
_filters: dict[str, Callable[..., Any]] = {**template_functions.FILTERS}


def add_functions(functions: Mapping[str, Callable[..., Any]]) -> None:
    """For apps above, when they are ready; the environment is made after that."""
    _functions.update(functions)


def add_filters(filters: Mapping[str, Callable[..., Any]]) -> None:
    _filters.update(filters)


def environment(**options: Any) -> Environment:
    """What settings.TEMPLATES names."""
    # Django's backend turns escaping on.
    made = Environment(**options)  # nosec B701
    made.globals.update(_functions)
    made.filters.update(_filters)
    components = made.get_template(COMPONENTS).module
    made.globals.update({name: macro for name, macro in vars(components).items() if not name.startswith("_")})
    return made


def load_templates() -> None:
    """Before a server forks its workers, so that they share them and no first page has to wait."""
    env = engines["jinja2"].env
    for name in env.list_templates(filter_func=lambda name: not name.startswith("for_django/")):
        env.get_template(name)
