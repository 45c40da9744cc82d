"""The hidden inputs of every POST form (a builtin library, no load needed)."""

from __future__ import annotations

from django import template
from django.template.defaulttags import CsrfTokenNode
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag(takes_context=True)
def post_fields(context: template.Context, *key_parts: object, **values: object) -> SafeString:
    """The CSRF token, the idempotency key and further hidden values of a POST form.

    <form method="post" action="{{ step_url }}">
      {% post_fields key "token" row.id kind="token" unit=row.id %}

    Positional arguments are the parts of the key, joined with "-"; without any there is no key. Keyword arguments
    become hidden inputs; one that is None is left out.
    """
    hidden = [(name, value) for name, value in values.items() if value is not None]
    if key_parts:
        hidden.insert(0, ("key", "-".join(str(part) for part in key_parts)))
    inputs = format_html_join("", '<input type="hidden" name="{}" value="{}">', hidden)
    return format_html("{}{}", CsrfTokenNode().render(context), inputs)


post_fields.reads_of_context = ("csrf_token",)
