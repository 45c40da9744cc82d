"""The rulebook as JSON: rows of every table as the schema says, search, exact odds, refusals."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction

import pytest
from django.test import Client
from hypothesis import given, settings, strategies as st

import dataclass_json
from reference.chapters import TABLES
from refusal import Refusal
from rulebook.battle.attack_situations import read_situation
from rulebook.odds.melee import fight_odds
from rulebook.odds.odds_display import to_json

ATTACK = "/api/v1/rules/odds/attack/"


def get(address: str, **query: str):
    return Client().get(address, query)


def post(body: object):
    return Client().post(ATTACK, body, content_type="application/json")


def test_the_tables_are_listed_with_their_addresses(django_assert_num_queries, db) -> None:
    with django_assert_num_queries(0):
        tables = get("/api/v1/rules/").json()
    assert [table["key"] for table in tables] == [table.key for table in TABLES]
    for table in tables:
        assert len(get(table["url"]).json()) == table["rows"]


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.key)
def test_every_row_has_the_fields_of_its_schema(table, django_assert_num_queries, db) -> None:
    declared = dataclass_json.answered_keys(table.row_class)
    with django_assert_num_queries(0):
        rows = get(f"/api/v1/rules/{table.key}/").json()
    assert [row["key"] for row in rows if "key" in row] == [row.key for row in table.rows if "key" in to_json(row)]
    for row in rows:
        assert set(row) == set(declared)


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.key)
def test_every_row_can_be_fetched_by_its_key(table, db) -> None:
    for row in table.rows:
        assert get(f"/api/v1/rules/{table.key}/{row.key}/").json() == to_json(row)
    missing = get(f"/api/v1/rules/{table.key}/nothing-of-the-kind/")
    assert missing.status_code == 404
    assert "there is no row" in missing.json()["refusal"]


def test_a_unit_row_is_the_printed_row(db) -> None:
    cat = get("/api/v1/rules/units/battle_cat/").json()
    assert (cat["q"], cat["sq"], cat["ac"], cat["models"], cat["wounds"], cat["move"]) == (2, 2, 9, 1, [4], 8)
    assert cat["text"].endswith(".")


def test_search_returns_rows_with_their_addresses(db) -> None:
    result = get("/api/v1/rules/search/", q="wizard").json()
    assert result[0]["title"] == "Wizard"
    assert result[0]["url"] == "/rules/heroes/#wizard"
    assert get("/api/v1/rules/search/").json() == []


# ── Odds ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_attack_odds_are_exact_by_get_and_by_post(db) -> None:
    body = {
        "kind": "melee",
        "attacker": {"key": "mice_at_arms", "hero": "champion"},
        "target": {"key": "rat_riders"},
        "charged": True,
    }
    by_post = post(body)
    by_get = get(
        ATTACK, kind="melee", attacker="mice_at_arms", attacker_hero="champion", target="rat_riders", charged="true"
    )
    assert by_post.status_code == by_get.status_code == 200
    assert by_post.json() == by_get.json()
    exact = fight_odds(read_situation(body))  # type: ignore[arg-type]
    assert Fraction(by_post.json()["fought_out"]["attacker_wins"]["exact"]) == exact.attacker_wins
    hits = by_post.json()["attack"]["hits"]["chances"]
    assert sum(Fraction(chance["exact"]) for chance in hits) == 1
    assert [mark["name"] for mark in by_post.json()["attack"]["dice"][0]["why"]["marks"]] == [
        "Charged",
        "Champion's charge",
    ]


def test_house_rules_change_the_odds(db) -> None:
    body = {"kind": "melee", "attacker": {"key": "hoppers"}, "target": {"key": "hoppers"}, "charged": True}
    plain_odds = post(body).json()["attack"]["dice"][0]["why"]["step"]
    literal = post(body | {"options": {"double_rule": "literal"}}).json()["attack"]["dice"][0]["why"]["step"]
    assert (plain_odds, literal) == (1, 2)


def test_shooting_has_no_battle_back(db) -> None:
    answer = get(ATTACK, kind="shooting", attacker="bow_mice", target="hoppers", inches="8.1").json()
    assert answer["exchange"] is None
    assert answer["fought_out"] is None
    assert "Long range" in [mark["name"] for mark in answer["attack"]["dice"][0]["why"]["marks"]]


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        (
            {"kind": "ambush", "attacker": "king", "target": "king"},
            "The kind is “ambush”. Choose one of shooting and melee.",
        ),
        ({"kind": "melee"}, "“attacker” is missing."),
        ({"kind": "melee", "attacker": "dragon", "target": "king"}, "There is no unit “dragon”"),
        ({"kind": "melee", "attacker": {"key": "king", "crown": 1}, "target": "king"}, "The attacker has no “crown”"),
        ({"kind": "melee", "attacker": {"key": "king", "hero": [1]}, "target": "king"}, "give the key of a hero"),
        ({"kind": "melee", "attacker": {"key": "king", "models": 4}, "target": "king"}, "number of models is 4"),
        ({"kind": "melee", "attacker": "king", "target": "king", "inches": 3}, "has no “inches”"),
        ({"kind": "shooting", "attacker": "bow_mice", "target": "king"}, "needs inches"),
        ({"kind": "shooting", "attacker": "bow_mice", "target": "king", "inches": "far"}, "a distance in inches"),
        ({"kind": "shooting", "attacker": "cat_non", "target": "king", "inches": 3}, "at castle pieces"),
        (
            {
                "kind": "melee",
                "attacker": "rat_riders",
                "target": "king",
                "at": {"terrain": "fortress", "piece": "tower"},
            },
            "mounted",
        ),
        (
            {"kind": "melee", "attacker": "king", "target": "king", "options": {"cheese": "on"}},
            "There is no house rule",
        ),
        ({"kind": "melee", "attacker": "king", "target": "king", "options": 3}, "Give house rules as an object"),
    ],
)
def test_impossible_situations_are_refused_with_a_sentence(body: object, sentence: str, db) -> None:
    response = post(body)
    assert response.status_code == 422
    assert sentence.lower() in response.json()["refusal"].lower()


def test_situation_is_an_object(db) -> None:
    response = post([])
    assert (response.status_code, response.json()["refusal"]) == (400, "The body must be an object.")


values = (
    st.none()
    | st.booleans()
    | st.integers(-3, 12)
    | st.text(max_size=4)
    | st.lists(st.integers(), max_size=2)
    | st.floats(allow_nan=False)
)
units = st.sampled_from(["king", "bow_mice", "battle_cat", "cat_non", "rat_riders"])
told_units = st.fixed_dictionaries(
    {"key": units},
    optional=dict.fromkeys(
        ("models", "hero", "wounds", "hero_wounds", "spear", "shield", "kissed", "fleeing", "blessed"), values
    ),
)
told_places = st.fixed_dictionaries(
    {}, optional=dict.fromkeys(("terrain", "piece", "extra_tall", "flanked", "king", "bearers"), values)
)


@settings(deadline=None)
@given(
    st.fixed_dictionaries(
        {
            "kind": st.sampled_from(["shooting", "melee"]),
            "attacker": told_units,
            "target": told_units,
            "inches": values,
        },
        optional={
            "at": told_places,
            "target_at": told_places,
            "charged": values,
            "moved": values,
            "event": values,
            "adjacent": values,
        },
    )
)
def test_any_data_is_read_or_refused(body: dict) -> None:
    """Whatever is sent gives a situation or a refusal."""
    if body["kind"] == "melee":
        body.pop("inches")
    with suppress(Refusal):
        read_situation(body)


def test_muster_odds_per_loyalty(db) -> None:
    answer = get("/api/v1/rules/odds/muster/", loyalty="3", lost="2").json()
    assert answer["odds"]["house"]["models"] == {"exact": "31/10", "value": 3.1}
    assert answer["odds"]["houses"] == 3
    assert any("fewer models" in line for line in answer["one_more_loyalty"])
    assert get("/api/v1/rules/odds/muster/").json()["odds"]["loyalty"] == 0


@pytest.mark.parametrize(
    "query",
    [
        {"loyalty": "much"},
        {"loyalty": "1000000"},
        {"lost": "a"},
        {"lost": "7"},
        {"lost": "2,2"},
    ],
)
def test_impossible_musters_are_refused(query: dict[str, str], db) -> None:
    response = get("/api/v1/rules/odds/muster/", **query)
    assert response.status_code == 422
    assert response.json()["refusal"]


def test_schema_has_every_table(db) -> None:
    schema = Client().get("/api/schema/", headers={"Accept": "application/json"}).json()
    for table in TABLES:
        assert f"/api/v1/rules/{table.key}/" in schema["paths"]
        assert f"/api/v1/rules/{table.key}/{{key}}/" in schema["paths"]
    unit = schema["components"]["schemas"]["Unit"]["properties"]
    assert unit["wounds"] == {"type": "array", "items": {"type": "integer"}}
    assert unit["sq"]["type"] == ["integer", "null"]
