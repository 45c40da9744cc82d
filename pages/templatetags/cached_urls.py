"""``{% url %}`` by ``cached_reverse`` (a builtin library: it replaces Django's own tag)."""

from __future__ import annotations

from typing import Any

from django import template
from django.template import defaulttags
from django.urls import NoReverseMatch, reverse
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

    # For pages.compiled_templates, which works out the arguments itself.

    @staticmethod
    def find_address(name: object, *args: Any) -> str:
        if all(type(arg) in (str, int) for arg in args):
            return cached_reverse(str(name), *args)
        return str(reverse(str(name), args=args))

    @staticmethod
    def find_address_if_any(name: object, *args: Any) -> str:
        try:
            return CachedURLNode.find_address(name, *args)
        except NoReverseMatch:
            return ""


@register.tag
def url(parser: template.base.Parser, token: template.base.Token) -> CachedURLNode:
    node = defaulttags.url(parser, token)
    return CachedURLNode(node.view_name, node.args, node.kwargs, node.asvar)
