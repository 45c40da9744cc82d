"""People in the API of campaigns: named by their codes, where entries and states hold numbers of the database."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import dataclass_json
from campaign.chronicle import codec
from campaign.chronicle.acts.registry import list_acts
from campaign.chronicle.corrections import StateChange
from campaign.chronicle.fields import PERSON
from campaign.chronicle.state import Json
from dataclass_json import Schema
from json_input import MAX_NUMBER
from people.models import Person
from people.requester import Who
from refusal import Refusal

_CHANGES_OF_PEOPLE = ("ruler", "regent", "masters")
_OF_KINGDOM = ("ruler", "regent")


def numbers_for_codes(who: Who, key: str, body: codec.Body) -> codec.Body:
    """The body of an act with the number of each person whose code was sent. A number must be somebody's."""
    fields = codec.person_keys(key) if key in list_acts() else ()
    named = {field: body[field] for field in fields if type(body.get(field)) in (str, int)}
    if not named:
        return body
    codes = [value for value in named.values() if isinstance(value, str)]
    numbers: dict[object, int] = dict(Person.objects.visible_to(who).filter(code__in=codes).values_list("code", "pk"))
    known = [value for value in named.values() if isinstance(value, int) and abs(value) <= MAX_NUMBER]
    numbers |= {pk: pk for pk in Person.objects.filter(pk__in=known).values_list("pk", flat=True)} if known else {}
    for field, value in named.items():
        if value not in numbers:
            raise Refusal(f"“{field}”: you know nobody with this code.", field=field)
    return body | {field: numbers[value] for field, value in named.items()}


def name_by_codes(changes: Iterable[StateChange]) -> tuple[StateChange, ...]:
    """The changes with the codes of rulers, regents and masters."""
    rows = [asdict(change) for change in changes]
    _with_codes([(row, ("was", "now") if row["what"] in _CHANGES_OF_PEOPLE else ()) for row in rows])
    return tuple(StateChange(**row) for row in rows)


def act_row(key: str, body: codec.Body) -> Json:
    """The act of an entry as it could be sent: without what was added when the entry was written."""
    fields = codec.person_keys(key) if key in list_acts() else ()
    return _with_codes([({name: value for name, value in body.items() if name not in codec.OURS}, fields)])[0]


def effect_rows(effects: Iterable[Mapping[str, Any]]) -> list[Json]:
    """Effects as they are stored."""
    return _with_codes([(dict(row), _keys_of_effect(row["do"])) for row in effects])


def state_row(state: Json) -> Json:
    """What ``State.to_json`` answers."""
    kingdoms: list[Json] = [dict(kingdom) for kingdom in state["kingdoms"]]
    row = {**state, "kingdoms": kingdoms}
    _with_codes([(row, ("masters",)), *((kingdom, _OF_KINGDOM) for kingdom in kingdoms)])
    return row


def act_schema(key: str) -> Schema:
    return _schema_with_codes(codec.act_schema(key), codec.person_keys(key))


def effect_schema() -> Schema:
    kinds = codec.effect_schema()["oneOf"]
    return {"oneOf": [_schema_with_codes(kind, _keys_of_effect(kind["title"])) for kind in kinds]}


def _keys_of_effect(key: str) -> tuple[str, ...]:
    return dataclass_json.marked_keys(codec.EFFECTS[key], PERSON)


def _schema_with_codes(schema: Schema, fields: Iterable[str]) -> Schema:
    for field in set(fields) & set(schema["properties"]):
        kind = ["string", "null"] if "null" in schema["properties"][field]["type"] else "string"
        schema["properties"][field] = {"type": kind, "maxLength": 20, "description": "code of the person"}
    return schema


def _with_codes(rows: Sequence[tuple[Json, Sequence[str]]]) -> list[Json]:
    """The rows, with codes in those of their fields that hold a person's number or a list of them."""
    numbers = {number for row, fields in rows for field in fields for number in _listed(row.get(field))}
    people = Person.objects.filter(pk__in=numbers).select_related("merged_into") if numbers else ()
    codes = {person.pk: person.root.code for person in people}
    for row, fields in rows:
        for field in fields:
            value = row.get(field)
            if isinstance(value, list):
                row[field] = [codes[number] for number in value]
            elif value is not None:
                row[field] = codes[value]
    return [row for row, _ in rows]


def _listed(value: int | list[int] | None) -> list[int]:
    return value if isinstance(value, list) else [] if value is None else [value]
