"""The templates' environment: Jinja with our functions, filters and components.

A name that is missing is an error (``StrictUndefined``). What may be missing has a default at the top of its template.
"""

import contextlib
from collections.abc import Callable, Mapping
from typing import Any

import jinja2
from django.conf import settings
from django.template import engines
from jinja2 import Environment, FileSystemBytecodeCache
from jinja2.bccache import Bucket

from pages import template_functions
from pages.cached_parts import drawn_once

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
    made.bytecode_cache = _CompiledTemplates()
    components = made.get_template(COMPONENTS).module
    made.globals.update({name: macro for name, macro in vars(components).items() if not name.startswith("_")})
    return made


class _CompiledTemplates(FileSystemBytecodeCache):
    """Templates are compiled once, not at every start: 4 seconds of a processor. One that has changed is compiled anew.

    Without room or a folder for them the site compiles them each time.
    """

    def __init__(self) -> None:
        folder = settings.VAR / "compiled_templates"
        with contextlib.suppress(OSError):
            folder.mkdir(mode=0o700, exist_ok=True)
        super().__init__(str(folder), f"jinja-{jinja2.__version__}-%s")

    def load_bytecode(self, bucket: Bucket) -> None:
        with contextlib.suppress(OSError):
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        with contextlib.suppress(OSError):
            super().dump_bytecode(bucket)


def load_templates() -> None:
    """Before a server forks its workers, so that they share them and no first page has to wait."""
    env = engines["jinja2"].env
    for name in env.list_templates(filter_func=lambda name: not name.startswith("for_django/")):
        env.get_template(name)
