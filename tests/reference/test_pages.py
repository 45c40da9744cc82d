"""The rulebook to read: every chapter, every row with its anchor, search without scripts, no query."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from pages.template_functions import inches
from reference.chapters import chapters
from reference.search import MAX_QUERY, highlight, query_words, search
from rulebook.data.house_rules import OPTIONS
from rulebook.data.scenarios import SCENARIOS
from rulebook.data.units import UNITS
from tests.rulebook.ledger_ids import IDS

PAGES = [
    "/rules/",
    "/rules/?q=cheese",
    "/rules/?q=nothing-of-the-kind",
    "/rules/odds/",
    *(chapter.url for chapter in chapters()),
    *(f"/rules/scenarios/{scenario.key}/" for scenario in SCENARIOS),
]


@pytest.mark.parametrize("address", PAGES)
def test_every_rules_page_opens_for_a_stranger_without_a_query(address: str, django_assert_num_queries, db) -> None:
    with django_assert_num_queries(0):
        response = Client().get(address)
    assert response.status_code == 200


@pytest.mark.parametrize("chapter", chapters(), ids=lambda chapter: chapter.key)
def test_every_row_of_a_chapter_has_an_anchor_of_its_own(chapter, db) -> None:
    page = Client().get(chapter.url).content.decode()
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    for entry in chapter.entries:
        assert f'id="{entry.anchor}"' in page
    for link in re.findall(r'href="#([^"]+)"', page):
        assert link in ids


def test_every_rule_and_ruling_appears_on_a_page() -> None:
    on_a_page = {rule for chapter in chapters() for entry in chapter.entries for rule in entry.rules}
    assert not set(IDS) - on_a_page


def test_the_units_page_shows_the_printed_figures(db) -> None:
    page = Client().get("/rules/units/").content.decode()
    for unit in UNITS:
        assert unit.text.replace("'", "&#39;") in page
    row = re.search(r'<a href="#hoppers">Hoppers</a></th>(.*?)</tr>', page, re.DOTALL)
    assert row is not None
    assert re.findall(r'<td class="n">(.*?)</td>', row[1]) == ["−1", "+0", "6", "3", "1", "4″", "never"]


def test_every_house_rule_appears_once_with_its_choices(db) -> None:
    page = Client().get("/rules/options/").content.decode()
    for row in OPTIONS:
        assert page.count(f'<li class="entry bare" id="{row.key}">') == 1
    assert page.count("(by the book)") == len(OPTIONS)


def test_unknown_chapters_and_scenarios_are_not_found(db) -> None:
    assert Client().get("/rules/feasting/").status_code == 404
    assert Client().get("/rules/scenarios/picnic/").status_code == 404


# ── Search ───────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("battle cat", "battle_cat"),
        ("BATTLE-CAT", "battle_cat"),
        ("cat non", "cat_non"),
        ("wizard", "wizard"),
        ("cheese sauce", "rule-sauce"),
        ("loyalty", "loyalty"),
        ("R-13", "marks-worth"),
    ],
)
def test_a_search_finds_the_row_of_that_name_first(query: str, first: str) -> None:
    result = search(query)
    assert first in [hit.entry.anchor for hit in result[:3]]


def test_all_words_must_occur() -> None:
    for hit in search("charge spear"):
        text = " ".join((hit.entry.title, hit.entry.text, *hit.entry.points)).lower()
        assert "charge" in text or "charging" in text
        assert "spear" in text


@pytest.mark.parametrize("query", ["", "   ", "!!!", "’"])
def test_a_search_for_nothing_finds_nothing(query: str, db) -> None:
    assert search(query) == ()
    assert Client().get("/rules/", {"q": query}).status_code == 200


def test_a_search_for_a_control_character_is_refused(db) -> None:
    assert search("\x00") == ()
    assert Client().get("/rules/", {"q": "\x00"}).status_code == 422


def test_results_link_to_the_row_and_mark_the_words(db) -> None:
    page = Client().get("/rules/", {"q": "flanked"}).content.decode()
    assert "/rules/modifiers/#melee_flanked" in page
    assert "<mark>flanked</mark>" in page


def test_query_is_escaped(db) -> None:
    page = Client().get("/rules/", {"q": '"><script>alert(1)</script>'}).content.decode()
    assert "<script>alert" not in page
    assert "&lt;script&gt;" in page


def test_long_query_is_truncated(db) -> None:
    assert query_words("cheese " * 10 + "sauce " * 500)[:2] == ("cheese", "sauce")
    assert query_words("x" * 500) == ("x" * MAX_QUERY,)
    assert Client().get("/rules/", {"q": "x" * 5000}).status_code == 200


def test_parts_of_a_highlighted_text_add_up_to_the_whole() -> None:
    parts = highlight("Cheese and more cheese", ("cheese",))
    assert parts == (("Cheese", True), (" and more ", False), ("cheese", True))


def test_inches_are_printed_with_a_double_prime() -> None:
    assert inches('within 8" of "Oak"') == 'within 8″ of "Oak"'
    assert inches('1 1/2" and 3/4" (20 mm)') == "1½″ and ¾″ (20 mm)"


# ── Odds ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_odds_page_opens_from_a_shared_link(db) -> None:
    page = Client().get(
        "/rules/odds/",
        {"kind": "shooting", "attacker": "bow_mice", "target": "field_mice", "inches": "9", "target_at": "barrier"},
    )
    text = page.content.decode()
    assert page.status_code == 200
    assert "Bow-Mice against Field Mice" in text
    assert "Long range" in text
    assert "5+" in text


def test_impossible_attack_is_refused_with_a_sentence(db) -> None:
    page = Client().get(
        "/rules/odds/", {"kind": "shooting", "attacker": "field_mice", "target": "hoppers", "inches": "3"}
    )
    assert page.status_code == 422
    assert "no shooting attack" in page.content.decode()


@pytest.mark.parametrize(
    "field", [{"attacker": "dragon"}, {"attacker_models": "99"}, {"inches": "-4"}, {"kind": "siege"}]
)
def test_invalid_fields_show_an_error(field: dict[str, str], db) -> None:
    asked = {"kind": "melee", "attacker": "hoppers", "target": "hoppers"} | field
    page = Client().get("/rules/odds/", asked)
    assert page.status_code == 422
    assert "errorlist" in page.content.decode() or "error" in page.content.decode()


def test_muster_page_shows_what_loyalty_brings(db) -> None:
    page = Client().get("/rules/muster/").content.decode()
    models = re.search(r"Models</th>(.*?)</tr>", page)
    assert models is not None
    assert re.findall(r"<td>(.*?)</td>", models[1]) == ["2.5", "3.0", "3.3", "3.4", "3.6", "3.5", "3.3", "3.1", "2.9"]
