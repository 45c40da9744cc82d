"""What a program sends to a muster is accepted, or refused with a sentence and the field; then nothing is written."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

import dataclass_json
from log.models import Entry, Receipt
from log.services import new_key
from musters import services as musters_services
from musters.entries import AcceptChanges, AnswerQuestion, GiveWord, KeepRoll, RerollDie, UndoAnswer
from pages.api.operations import Nothing
from refusal import Refusal
from tests.campaign.chronicle.fuzzed_bodies import JUNK
from tests.musters.sample_war import now, scene

FEW, MANY = 200, 10_000
GOOD: dict[type, dict[str, Any]] = {
    AnswerQuestion: {"question": "1-king-hero_chance.0", "answer": 7},
    RerollDie: {"question": "1-king-hero_chance.1", "roll": 4},
    GiveWord: {"word": "moss", "absent": False},
    Nothing: {},
    KeepRoll: {"question": "1-king-hero_chance.1", "roll": 4},
    UndoAnswer: {"question": "1-king-hero_chance.1"},
    AcceptChanges: {"anew": True},
}


def spoiled(kind: type, count: int, seed: int = 1) -> Iterator[Any]:
    dice = random.Random(f"{kind.__name__}/{seed}")
    fields = [*GOOD[kind], "unknown", ""]
    for number in range(count):
        if number % 50 == 49:
            yield dice.choice(JUNK)
            continue
        body = dict(GOOD[kind])
        for _ in range(dice.choice((1, 1, 2))):
            if dice.randrange(5) == 0 and body:
                del body[dice.choice(list(body))]
            else:
                body[dice.choice(fields)] = dice.choice(JUNK)
        yield body


def _read(kind: type, body: Any) -> None:
    refused = None
    try:
        assert isinstance(dataclass_json.read(kind, body), kind)
    except Refusal as refusal:
        refused = refusal
    if refused:
        assert refused.sentence.endswith(".")
        assert refused.status == 422
        assert refused.field or not isinstance(body, dict) or "" in body


@pytest.mark.parametrize("kind", GOOD)
def test_any_body_is_read_or_refused_with_a_sentence(kind):
    for body in spoiled(kind, FEW):
        _read(kind, body)


@pytest.mark.soak
@pytest.mark.parametrize("kind", GOOD)
def test_ten_thousand_bodies_are_read_or_refused_with_a_sentence(kind):
    for body in spoiled(kind, MANY, seed=2):
        _read(kind, body)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("path", "wrong", "field"),
    [
        ("steps", {"question": None}, "question"),
        ("steps", {"question": 3}, "question"),
        ("steps", {"question": "q" * 81}, "question"),
        ("steps", {"answer": [7]}, "answer"),
        ("steps", {"answer": {"kept": 7, "thrown": [7]}}, "answer"),
        ("steps", {"answer": True}, "answer"),
        ("steps", {"answer": 11}, "hero chance roll"),
        ("steps", {"answer": 7, "mood": "cheerful"}, "mood"),
        ("steps", {"key": None}, "key"),
        ("again", {"roll": "9"}, "roll"),
        ("again", {"roll": 9, "for": "free"}, "for"),
        ("take", {"key": ["a"]}, "key"),
        ("take", {"army": {}}, "army"),
    ],
)
def test_bad_body_is_refused_with_the_field_and_nothing_is_written(make_person, path, wrong, field):
    war = scene(make_person, dice="typed", vp=3)
    muster = war.begin(war.oak, "k1")
    body = {"key": new_key(), "question": musters_services.question_token(now(muster))}
    if path == "take":
        del body["question"]
    before = Entry.objects.count(), Receipt.objects.count()
    answer = war.oak.client.post(
        f"/api/v1/musters/{muster.code}/{path}/", body | wrong, content_type="application/json"
    )
    assert answer.status_code == 422
    assert answer.json()["refusal"].endswith(".")
    assert answer.json()["field"] == field
    assert (Entry.objects.count(), Receipt.objects.count()) == before
