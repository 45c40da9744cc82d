"""JSON of the API: names without the marks that pages put around them."""

from __future__ import annotations

from types import SimpleNamespace

from pages.api.parsers_and_renderers import CsvRenderer, PlainNamesRenderer
from people.name_validation import inline_name

ANSWER = {"detail": f"{inline_name('מלך')} is here."}
PLAIN = '{"detail":"מלך is here."}'


def test_names_are_plain_text():
    assert PlainNamesRenderer().render(ANSWER).decode() == PLAIN
    assert CsvRenderer().render(ANSWER).decode() == PLAIN


def test_file_keeps_what_people_typed():
    drawn = PlainNamesRenderer().render(ANSWER, renderer_context={"view": SimpleNamespace(is_file=True)})
    assert drawn.decode() == '{"detail":"\u2068מלך\u2069 is here."}'
