"""Loads templates once, and draws them by their compiled functions."""

from __future__ import annotations

from typing import Any

from django.template import Context
from django.template.base import NodeList, Template
from django.template.loader import get_template
from django.template.loader_tags import BLOCK_CONTEXT_KEY
from django.template.loaders import cached
from django.utils.safestring import SafeString

from pages.compiled_templates.compiler import CompiledTemplate, compile_template
from pages.compiled_templates.expressions import CannotCompile
from pages.compiled_templates.runtime import MISSING


class CompiledNodeList(NodeList):
    """The nodes of a whole template. They are compiled when they are first drawn."""

    def __init__(self, template: Template) -> None:
        super().__init__(template.nodelist)
        self._template = template
        self._is_known = False
        self._compiled: CompiledTemplate | None = None

    def render(self, context: Context) -> SafeString:
        compiled = self.compiled
        # Text that is not HTML is not escaped, and developers may want to see what is missing: that is Django's work.
        if compiled is None or not context.autoescape or self._template.engine.string_if_invalid:
            return self.render_by_django(context)
        if BLOCK_CONTEXT_KEY in context.render_context:  # a template that Django draws extends this one
            return self.render_by_django(context)
        values = [_find(context, name) for name in compiled.free]
        if any(callable(value) and not getattr(value, "do_not_call_in_templates", False) for value in values):
            return self.render_by_django(context)  # called each time that it is read, and only then
        parts: list[str] = []
        compiled.draw(context, parts.append, *values)
        return SafeString("".join(parts))

    def render_by_django(self, context: Context) -> SafeString:
        return SafeString(super().render(context))

    @property
    def compiled(self) -> CompiledTemplate | None:
        """None if Django has to draw it, and while it is being compiled: a template can include itself."""
        if not self._is_known:
            self._is_known = True
            try:
                self._compiled = compile_template(self._template, find_compiled)
            except CannotCompile:
                self._compiled = None
        return self._compiled


class CompiledLoader(cached.Loader):
    def get_template(self, template_name: str, skip: Any = None) -> Template:
        template = super().get_template(template_name, skip)
        if not isinstance(template.nodelist, CompiledNodeList):
            template.nodelist = CompiledNodeList(template)
        return template


# Pages that most requests show, and what they include by a name that is only known when they are drawn.
OFTEN_DRAWN = (
    "home/home.html",
    "campaign/home/page.html",
    "battles/page.html",
    "battles/tracker/tracker.html",
    "cardgames/tables/seats/seat.html",
    "cardgames/tables/board/_board.html",
    "musters/army.html",
)


def compile_often_drawn() -> None:
    """Before the processes of a server are forked: each would do it anew while its first visitors wait."""
    for name in OFTEN_DRAWN:
        find_compiled(get_template(name).template)


def find_compiled(template: Template) -> CompiledTemplate | None:
    return template.nodelist.compiled if isinstance(template.nodelist, CompiledNodeList) else None


def _find(context: Context, name: str) -> Any:
    for names in reversed(context.dicts):
        if name in names:
            return names[name]
    return MISSING
