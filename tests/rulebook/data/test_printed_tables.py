"""Every printed table: rows in order, faces covered once, a text of our own and a rule number on each."""

from __future__ import annotations

import itertools

import pytest

from refusal import Refusal
from rulebook.campaign.vp_spending import PRICES, VP_RULES
from rulebook.data.battlefield import EVENT_RULES, EVENTS, MORALE_TABLE, TERRAIN_RULES, TERRAINS, outcome_for_total
from rulebook.data.heroes import HERO_RULES, HEROES, MUSICIAN, SPELLS
from rulebook.data.house_rules import OPTIONS
from rulebook.data.muster_table import MUSTER_RULES, MUSTER_TABLE
from rulebook.data.rule_texts import GLOSSARY, term_of
from rulebook.data.scenarios import SCENARIO_RULES, SCENARIOS
from rulebook.data.units import UNIT_RULES, UNITS
from tests.rulebook.ledger_ids import IDS

TABLES = {
    "units": UNITS,
    "unit rules": UNIT_RULES,
    "heroes": (*HEROES, MUSICIAN),
    "spells": SPELLS,
    "hero rules": HERO_RULES,
    "muster": MUSTER_TABLE,
    "muster rules": MUSTER_RULES,
    "terrain": TERRAINS,
    "terrain rules": TERRAIN_RULES,
    "morale": MORALE_TABLE,
    "prices": PRICES,
    "vp rules": VP_RULES,
    "events": EVENTS,
    "event rules": EVENT_RULES,
    "scenarios": SCENARIOS,
    "scenario rules": SCENARIO_RULES,
    "options": OPTIONS,
    "glossary": GLOSSARY,
}

ROWS = [pytest.param(row, id=f"{name}, {row.key}") for name, rows in TABLES.items() for row in rows]


@pytest.mark.parametrize("row", ROWS)
def test_every_row_carries_a_text_and_the_numbers_of_its_rules(row) -> None:
    assert row.text.endswith(".")
    assert "!" not in row.text
    assert "please" not in row.text.lower()
    assert set(row.rules) <= set(IDS)


@pytest.mark.parametrize("name", TABLES)
def test_no_table_has_a_key_twice(name: str) -> None:
    keys = [row.key for row in TABLES[name]]
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize("rows", [HEROES, SCENARIOS[:10]], ids=["heroes", "scenarios"])
def test_tables_by_one_face_cover_one_to_ten_once(rows) -> None:
    assert [row.roll for row in rows] == list(range(1, 11))


@pytest.mark.parametrize("rows", [SPELLS, EVENTS], ids=["spells", "events"])
def test_tables_by_spans_cover_one_to_ten_once(rows) -> None:
    assert [face for row in rows for face in range(row.low, row.high + 1)] == list(range(1, 11))


@pytest.mark.parametrize("rows", [MUSTER_TABLE, MORALE_TABLE], ids=["muster", "morale"])
def test_tables_by_totals_cover_every_number_once(rows) -> None:
    assert rows[0].low is None
    assert rows[-1].high is None
    for lower, higher in itertools.pairwise(rows):
        assert higher.low == lower.high + 1
    assert [outcome_for_total(total) for total in (-3, 5, 6, 8, 9, 20)] == ["scatter"] * 2 + ["flee"] * 2 + [
        "stand"
    ] * 2


def test_glossary_explains_each_word_in_one_sentence() -> None:
    for word in GLOSSARY:
        assert word.text.count(". ") == 0, word.key
        assert len(word.text) < 140
    for key in (
        "q",
        "sq",
        "ac",
        "advantage",
        "disadvantage",
        "str",
        "loyalty",
        "fealty",
        "muster",
        "borderlands",
        "lands",
    ):
        assert term_of(key).key == key
    assert term_of("[A]") is term_of("Advantage") is term_of("advantage")
    with pytest.raises(Refusal, match="There is no word “quest”"):
        term_of("quest")
