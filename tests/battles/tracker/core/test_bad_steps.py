"""Any body for any step: it is accepted, or refused with a sentence and the field. Never an exception."""

from __future__ import annotations

import json
import random

import pytest

from battles.tracker.core import logged_steps
from battles.tracker.core.fight_progress import meanings_of
from battles.tracker.core.logged_steps import apply_writes, judge_step
from battles.tracker.core.state import BattleTerms, TrackerState
from battles.tracker.core.steps.tracker_step import step_kinds
from refusal import Refusal
from rulebook.data.house_rules import Options
from tests.battles.tracker.core.fuzzed_steps import GOOD, fuzzed_steps, sample_states

FEW, MANY = 200, 10_000
STATES = sample_states()
RULES = (Options(), Options.from_differences({"random_events": True, "initiative": "each_round"}))


def take(kind: str, body: object, scenario: str, cells: dict, options: Options) -> bool:
    """Whether the step is accepted; what it leaves can be read."""
    terms = BattleTerms(scenario, options)
    refused = ""
    try:
        step = logged_steps.read_sent(kind, body)
        done = judge_step(cells, terms, step)
    except Refusal as refusal:
        refused = refusal.sentence
    if refused:
        assert refused.endswith("."), refused
        return False
    written, effects = json.loads(json.dumps(logged_steps.write_entry(done)))
    logged = logged_steps.read_entry(1, kind, written, effects)
    assert logged.sentences or logged.dice or kind in ("dice",)
    assert logged_steps.read_sent(kind, json.loads(json.dumps(logged_steps.write_sent(step)))) == step
    after = dict(cells)
    apply_writes(after, logged.writes)
    tracker = TrackerState(after)
    tracker.units()
    for fight in tracker.fights().values():
        meanings_of(tracker, terms, fight)
    if tracker.has_castle:
        tracker.castle()
    return True


@pytest.mark.parametrize("kind", step_kinds())
def test_any_body_is_accepted_or_refused_with_a_sentence(kind):
    dice = random.Random(kind)
    for body in fuzzed_steps(kind, FEW):
        take(kind, body, *dice.choice(STATES), dice.choice(RULES))


@pytest.mark.soak
@pytest.mark.parametrize("kind", step_kinds())
def test_ten_thousand_bodies_are_accepted_or_refused_with_a_sentence(kind):
    dice = random.Random(f"{kind} many")
    for body in fuzzed_steps(kind, MANY, seed=2):
        take(kind, body, *dice.choice(STATES), dice.choice(RULES))


@pytest.mark.parametrize(
    ("kind", "body", "field"),
    [
        ("token", {}, "unit"),
        ("token", {"unit": 3, "token": "acted"}, "unit"),
        ("token", {"unit": "A1", "token": "tired"}, "token"),
        ("token", {"unit": "A1", "token": "acted", "on": 1}, "on"),
        ("token", {"unit": "x" * 41, "token": "acted"}, "unit"),
        ("token", {"unit": "A1", "token": "acted", "mood": "grim"}, "mood"),
        ("dice", {"fight": "A1", "faces": "3 4"}, "faces"),
        ("dice", {"fight": "A1", "faces": ["3"]}, "faces.0"),
        ("dice", {"fight": "A1", "faces": [1] * 61}, "faces"),
        ("fight", {"unit": "A1", "how": "bite"}, "how"),
        ("fight", {"unit": "A1", "how": "shoot", "ticks": {"inches": "far"}}, "ticks.inches"),
        ("fight", {"unit": "A1", "how": "shoot", "ticks": {"fog": True}}, "ticks.fog"),
        ("set", {"units": {"A1": {"models": "2"}}}, "units.A1.models"),
        ("laid", {"sides": [{"side": "A", "units": [{"unit": "king", "origin": "moon"}]}]}, "sides.0.units.0.origin"),
        ("begin", {"rolls": {"A": "8"}}, "rolls.A"),
        ("solo", {"roll": 3, "seen": {"B1": {"inches": -1}}}, "seen.B1.inches"),
        ("stands_at", {"unit": "A1", "to": ["mound"]}, "to"),
        ("poured", {"unit": "A1", "roll": 3}, "piece"),
    ],
)
def test_refusal_names_the_field(kind, body, field):
    with pytest.raises(Refusal) as refused:
        logged_steps.read_sent(kind, body)
    assert (refused.value.status, refused.value.field) == (422, field)


def test_nested_too_deep_is_refused_with_the_field():
    deep: object = {}
    for _ in range(2000):
        deep = {"a": deep}
    with pytest.raises(Refusal) as refused:
        logged_steps.read_sent("set", {"units": {"A1": deep}})
    assert refused.value.field == "units.A1.a"


def test_schema_of_a_step_shows_its_fields():
    schema = logged_steps.step_schema("fight")
    assert schema["required"] == ["unit", "how"]
    assert "bombard" in schema["properties"]["how"]["enum"]
    assert schema["properties"]["ticks"]["properties"]["inches"]["type"] == ["number", "null"]
    assert schema["additionalProperties"] is False


def test_every_kind_has_good_bodies():
    assert all(GOOD[kind] for kind in step_kinds())
