"""Any body for any act: it is accepted, or refused with a sentence and the field. Never an exception."""

from __future__ import annotations

import json

import pytest

from campaign.chronicle import codec
from campaign.chronicle.acts.registry import list_acts
from campaign.chronicle.effects import apply_effects
from campaign.chronicle.entries_and_fold import ChronicleEntry
from campaign.chronicle.sentences import Names, describe_entry
from campaign.chronicle.state import State
from refusal import Refusal
from tests.campaign.chronicle.fuzzed_bodies import GOOD, fuzzed_bodies
from tests.campaign.chronicle.sample_wars import War

FEW, MANY = 150, 10_000


@pytest.fixture(scope="module")
def states():
    """Before anything was fought, in mid-war with an open battle and a lost house, and after the war was won."""
    early, late, won = War(3), War(3), War(3)
    late.do("battle_declared", {"attacker": "k1", "target": "k2.border_1"})
    late.do(
        "agreed_change", {"why": "a gift", "vp": {"k1": 9}, "houses": [{"kingdom": "k1", "house": 1, "lost": True}]}
    )
    early.do("season_opened", {"name": "Spring"})
    early.do("ruler_changed", {"kingdom": "k3"})
    won.do("campaign_won", {"kingdom": "k1", "why": "first to ten"})
    return early.state, late.state, won.state


def test_every_act_has_good_bodies_that_are_accepted_somewhere(states):
    assert set(GOOD) == set(list_acts())
    refused = [
        key for key, bodies in GOOD.items() for body in bodies if not any(_accepted(s, key, body) for s in states)
    ]
    assert set(refused) <= {"founded"}


def _accepted(state: State, key: str, body: object) -> bool:
    refused = ""
    try:
        act = codec.read_sent(key, body).numbered(state, 99)
        effects = act.decide(state, state.rules())
    except Refusal as refusal:
        refused = refusal.sentence
    if refused:
        assert refused.endswith(".")
        return False
    written = codec.write_body(act, options=state.options, entry=99)
    assert codec.read_stored(key, json.loads(json.dumps(written))) == act
    after = state.copy()
    apply_effects(after, effects)
    assert describe_entry(ChronicleEntry(99, key, written, effects, "2026-01-01", 1), Names(after))
    after.to_json()
    return True


@pytest.mark.parametrize("key", GOOD)
def test_any_body_is_accepted_or_refused_with_a_sentence(key, states):
    for body in fuzzed_bodies(key, FEW):
        for state in states:
            _accepted(state, key, body)


@pytest.mark.soak
@pytest.mark.parametrize("key", GOOD)
def test_ten_thousand_bodies_are_accepted_or_refused_with_a_sentence(key, states):
    for number, body in enumerate(fuzzed_bodies(key, MANY, seed=2)):
        _accepted(states[number % 3], key, body)


@pytest.mark.parametrize(
    ("key", "body", "field"),
    [
        ("note", {}, "text"),
        ("note", {"text": 3}, "text"),
        ("note", {"text": "a" * 2001}, "text"),
        ("note", {"text": "a", "mood": "cheerful"}, "mood"),
        ("master_shared", {"person": "1"}, "person"),
        ("master_shared", {}, "person"),
        ("map_set", {"holders": ["k1"]}, "holders"),
        ("map_set", {"holders": {"k1.lands": 1}}, "holders.k1.lands"),
        ("house_rules", {"options": [["loyalty_cap", 3]]}, "options"),
        ("house_rules", {"terms": {"dice": ["typed"]}}, "terms.dice"),
        ("result", {"attacker": "k1", "target": "k2.lands", "outcome": "draw", "battle": "1"}, "battle"),
        ("result", {"attacker": "k1", "target": "k2.lands", "outcome": "draw", "battle": [1]}, "battle"),
        ("result", {"attacker": "k1", "target": "k2.lands", "outcome": "won"}, "outcome"),
        ("result", {"attacker": "k1", "target": "k2.lands", "outcome": "draw", "points": {"k1": 100}}, "points.k1"),
        ("roll_off", {"throws": [{"kingdom": "k1", "roll": 3, "magic": 1}]}, "throws.0.magic"),
        ("kingdom_joins", {**GOOD["kingdom_joins"][0], "houses": "four"}, "houses"),
        ("season_opened", {"name": "Spring", "new_war": "yes"}, "new_war"),
        ("agreed_change", {"why": "x", "houses": [{"kingdom": "k1", "house": 5}]}, "houses.0.house"),
    ],
)
def test_refusal_names_the_field(key, body, field):
    with pytest.raises(Refusal) as refused:
        codec.read_sent(key, body)
    assert (refused.value.status, refused.value.field) == (422, field)


def test_nested_too_deep_is_refused_with_the_field():
    deep: object = {}
    for _ in range(2000):
        deep = {"a": deep}
    with pytest.raises(Refusal) as refused:
        codec.read_sent("map_set", {"holders": deep})
    assert refused.value.field == "holders.a"


def test_schema_of_an_act_shows_its_fields():
    schema = codec.act_schema("result")
    assert schema["required"] == ["attacker", "target", "outcome"]
    assert schema["properties"]["outcome"]["enum"] == ["attacker", "defender", "draw"]
    assert schema["properties"]["points"]["additionalProperties"]["maximum"] == 99
    assert schema["additionalProperties"] is False
    assert "line" not in codec.act_schema("battle_declared")["properties"]
