"""``{% url %}`` by ``cached_reverse`` (a builtin library: it replaces Django's own tag)."""

from __future__ import annotations

from typing import Any

from django import template
from django.template import defaulttags
from django.utils.html import conditional_escape

from cached_reverse import cached_reverse

register = template.Library()


class CachedURLNode(defaulttags.URLNode):
    def render(self, context: template.Context) -> str:
        if self.kwargs or self.asvar or not context.autoescape:
            return str(super().render(context))
        args: list[Any] = [arg.resolve(context) for arg in self.args]
        if not all(type(arg) in (str, int) for arg in args):
            return str(super().render(context))
        return str(conditional_escape(cached_reverse(str(self.view_name.resolve(context)), *args)))


@register.tag
def url(parser: template.base.Parser, token: template.base.Token) -> CachedURLNode:
    node = defaulttags.url(parser, token)
    return CachedURLNode(node.view_name, node.args, node.kwargs, node.asvar)
