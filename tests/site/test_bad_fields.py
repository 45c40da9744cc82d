"""Every act, step and tap over HTTP with one field wrong: 422 with the field's name, and nothing is written.

The cases come from the registries: a new act or step is tried by itself.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import pytest

import dataclass_json
from battles.models import Battle
from battles.tracker.core import logged_steps as step_codec
from battles.tracker.core.steps.tracker_step import step_kinds
from campaign.chronicle import codec as act_codec
from campaign.chronicle.acts.registry import list_acts
from cardgames.companion import entries as sheet_entries
from cardgames.companion.entries import ChangeTurn, EnterFigures
from log.models import Entry
from refusal import Refusal
from tests.battles.tracker.core import fuzzed_steps
from tests.campaign.chronicle import fuzzed_bodies
from tests.cardgames.companion import test_stored_shapes as sheet_shapes
from tests.groups import test_bad_bodies as group_bodies
from tests.musters import test_bad_bodies as muster_bodies
from tests.musters.sample_war import scene

MUSTER_ADDRESS = {
    "AnswerQuestion": "steps",
    "RerollDie": "again",
    "GiveWord": "word",
    "Nothing": "take",
    "KeepRoll": "keep",
    "UndoAnswer": "back",
    "AcceptChanges": "agree",
}
DEEP = 60
WRONG: dict[str, Any] = {
    "object": {"surprise": 1},
    "array": [True],
    "string": "surprise",
    "boolean": True,
    "integer": 3,
    "number": 1.5,
    "null": None,
}

Case = tuple[str, Any, str]  # how it is wrong, the body, the field


def nested(depth: int = DEEP) -> Any:
    value: Any = "deep"
    for _ in range(depth):
        value = [value]
    return value


def types_of(schema: Mapping[str, Any]) -> set[str]:
    """The JSON types a field takes; nothing where it is open."""
    if parts := schema.get("anyOf") or schema.get("oneOf"):
        return set().union(*(types_of(part) for part in parts))
    if "enum" in schema:
        return {"string"}
    result = schema.get("type", ())
    return {result} if isinstance(result, str) else set(result)


def bad_fields(schema: Mapping[str, Any], good: Mapping[str, Any]) -> Iterator[Case]:
    """The good body with each field missing, of the wrong type, too long, too deep; and with one nobody knows."""
    yield "unknown", {**good, "surprise": 1}, "surprise"
    for name in schema.get("required", ()):
        yield "missing", {key: value for key, value in good.items() if key != name}, name
    for name, field in schema["properties"].items():
        known = types_of(field)
        if "integer" in known:
            known |= {"boolean"}  # refused too, but as a number
        wrong = next((value for kind, value in WRONG.items() if known and kind not in known), None)
        if wrong is not None:
            yield "wrong type", {**good, name: wrong}, name
        if known and "array" not in known:
            yield "too deep", {**good, name: nested()}, name
        if "maxLength" in field:
            yield "too long", {**good, name: "x" * (field["maxLength"] + 1)}, name
        if "maxItems" in field:
            yield "too many", {**good, name: [*(good.get(name) or [None])] * (field["maxItems"] + 1)}, name


Read = Callable[[Any], Any]
# These have no route of their own: forms make them, and the tests of their apps send those.
BY_FORMS = ("entry", "sheet")


def sheet_kind(act: str) -> type:
    return {EnterFigures.key: EnterFigures, **sheet_entries.ACTS}.get(act, ChangeTurn)


def entry_schema(kind: type) -> dict[str, Any]:
    """Without the word of a turn, which is in the act."""
    schema = dataclass_json.schema(kind)
    left = {"turn"} if kind is ChangeTurn else set()
    return {
        "properties": {name: part for name, part in schema["properties"].items() if name not in left},
        "required": [name for name in schema.get("required", ()) if name not in left],
    }


def kinds() -> dict[str, tuple[list[Case], Read]]:
    """Every act, step and tap of a muster: its cases, and what reads its body."""
    values: dict[str, tuple[list[Case], Read]] = {}
    for act in list_acts():
        cases = list(bad_fields(act_codec.act_schema(act), fuzzed_bodies.GOOD[act][0]))
        values[f"act {act}"] = cases, partial(act_codec.read_sent, act)
    for kind in step_kinds():
        cases = list(bad_fields(step_codec.step_schema(kind), fuzzed_steps.GOOD[kind][0]))
        values[f"step {kind}"] = cases, partial(step_codec.read_sent, kind)
    for entry, good in group_bodies.GOOD.items():
        values[f"entry {entry.__name__}"] = (
            list(bad_fields(entry_schema(entry), good)),
            partial(dataclass_json.read, entry),
        )
    for act, good in sheet_shapes.GOOD.items():
        cases = list(bad_fields(entry_schema(sheet_kind(act)), good))
        values[f"sheet {act}"] = cases, partial(sheet_entries.read_act, act)
    for tap, good in muster_bodies.GOOD.items():
        cases = list(bad_fields(dataclass_json.schema(tap), good))
        values[f"tap {tap.__name__}"] = cases, partial(dataclass_json.read, tap)
    return values


def test_every_field_of_every_kind_is_refused_by_its_name():
    ways: set[str] = set()
    faults = []
    for name, (cases, read) in kinds().items():
        assert cases, name
        for how, body, field in cases:
            ways.add(how)
            try:
                read(body)
            except Refusal as refusal:
                if refusal.status == 422 and str(refusal.field).split(".")[0] == field and refusal.sentence:
                    continue
                faults.append(f"{name}, {field} {how}: {refusal.status} {refusal.field}: {refusal.sentence}")
            else:
                faults.append(f"{name}, {field} {how}: accepted")
    assert faults == []
    assert ways == {"unknown", "missing", "wrong type", "too deep", "too long", "too many"}


@pytest.mark.django_db
def test_over_http_a_bad_field_is_422_with_its_name_and_nothing_is_written(make_person):
    """Each kind once, with another way of being wrong from kind to kind."""
    war = scene(make_person, dice="sealed", vp=3)
    muster = war.begin(war.oak, "k1")
    battle = Battle.objects.get(campaign=war.campaign)
    client = war.master.client
    client.raise_request_exception = war.oak.client.raise_request_exception = False
    before = Entry.objects.count()
    over_http = {name: result for name, result in kinds().items() if not name.startswith(BY_FORMS)}
    for number, (name, (cases, _)) in enumerate(over_http.items()):
        how, body, field = cases[number % len(cases)]
        what, key = name.split(" ")
        who, address, sent = {
            "act": (client, f"campaigns/{war.campaign.code}/acts", {"key": f"bad-{key}", "act": key, "body": body}),
            "step": (client, f"battles/{battle.code}/table/steps", {"key": f"bad-{key}", "kind": key, "body": body}),
            "tap": (war.oak.client, f"musters/{muster.code}/{MUSTER_ADDRESS.get(key)}", {"key": f"bad-{key}", **body}),
        }[what]
        answer = who.post(f"/api/v1/{address}/", json.dumps(sent), content_type="application/json")
        said = answer.json()
        assert (answer.status_code, str(said["field"]).removeprefix("body.").split(".")[0]) == (422, field), (name, how)
        assert said["refusal"].endswith(".")
    assert Entry.objects.count() == before
