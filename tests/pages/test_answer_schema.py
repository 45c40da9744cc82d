"""The schema of an answer comes from the type that makes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NamedTuple, NotRequired, TypedDict

import pytest

import dataclass_json
from dataclass_json import Shape


@dataclass(frozen=True)
class Mouse:
    name: str
    age: int | None = None


class Line(NamedTuple):
    label: str
    points: float


class House(TypedDict):
    mice: list[Mouse]
    motto: NotRequired[str]


MOUSE = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "age": {"type": ["integer", "null"]}},
    "required": ["name", "age"],
    "additionalProperties": False,
}


def answer_schema(hint):
    return dataclass_json.schema(hint, answer=True)


@pytest.mark.parametrize(
    ("hint", "schema"),
    [
        (Mouse, MOUSE),
        (Mouse | None, {**MOUSE, "type": ["object", "null"]}),
        (tuple[int, ...], {"type": "array", "items": {"type": "integer"}}),
        (
            tuple[str, int],
            {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "minItems": 2, "maxItems": 2},
        ),
        (Mapping[str, bool], {"type": "object", "additionalProperties": {"type": "boolean"}}),
        (Literal["A", "B"], {"type": "string", "enum": ["A", "B"]}),
        (Annotated[Mapping[str, Any], Shape(Mouse)], MOUSE),
        (Any, {}),
    ],
)
def test_schema_of_a_type(hint, schema):
    assert answer_schema(hint) == schema


def test_typed_dict_requires_what_is_always_there():
    assert answer_schema(House)["required"] == ["mice"]
    assert answer_schema(Line)["required"] == ["label", "points"]


def test_type_that_is_written_in_a_way_of_its_own():
    def refer(kind):
        return {"type": "string"} if kind is Mouse else None

    assert dataclass_json.schema(tuple[Mouse, ...], answer=True, refer=refer)["items"] == {"type": "string"}


def test_other_classes_are_refused():
    with pytest.raises(TypeError):
        answer_schema(object.__class__)
