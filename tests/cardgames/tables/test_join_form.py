"""The field for a code that pages draw without a form is the one the form would draw."""

from __future__ import annotations

import re

from django.template import engines
from django.template.loader import render_to_string

from cardgames.tables.forms import JoinForm
from people.requester import Who


def words(html: str) -> list[str]:
    """Tags and attributes, in any order of the attributes."""
    return sorted(re.findall(r'[\w-]+="[^"]*"|<\w+|</\w+|>[^<>\s][^<>]*<', html))


def test_code_field_is_the_one_of_the_form(master):
    source = engines["jinja2"].from_string("{{ form_field(field) }}")
    drawn = source.render({"field": JoinForm(who=Who.of(master))["code"]})
    assert words(drawn) == words(render_to_string("cardgames/tables/_code_field.html"))
