"""The acts of a chronicle as JSON and back: the only place that knows what an entry's body looks like.

A body is the fields of its act, and beside them what we add when it is written: the house rules in force, the number
of the entry, and who confirmed it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, replace
from typing import Any, TypeVar, get_args

import dataclass_json
from campaign.chronicle.acts.registry import RULES_VERSION, Act, get_act
from campaign.chronicle.acts.war import ReportOfSides
from campaign.chronicle.effects import (
    AttackRolled,
    Effect,
    HouseRuleChanged,
    KingdomJoined,
    LooksChanged,
    MasterChanged,
    NumberReserved,
    RegentChanged,
    RulerChanged,
)
from campaign.chronicle.fields import PERSON
from dataclass_json import STORED, Reading, Schema, json_keys, written_fields
from refusal import Refusal
from rulebook.data.house_rules import OPTION, Options

Body = dict[str, Any]
A = TypeVar("A", bound=Act)

# Added when an entry is written. Whoever sends them back with an amended body has them ignored.
OURS = ("in_force", "line", "confirmed")


def read_sent(key: str, body: object) -> Act:
    """The act that somebody sent, or a refusal: a field is missing, unknown, too long or of the wrong kind."""
    return dataclass_json.read(get_act(key), _without_ours(body))


def read_sent_as(kind: type[A], body: object) -> A:
    """The same for an act whose kind is known."""
    return dataclass_json.read(kind, _without_ours(body))


def check_limits(act: Act) -> Act:
    """The same act, or a refusal: whoever made it need not know how long its texts and lists may be."""
    checked = dataclass_json.read(type(act), dataclass_json.write(act))
    return act if checked == act else checked  # what the act has worked out stays with it


def read_stored(key: str, body: Mapping[str, Any]) -> Act:
    """The act of an entry. Keys of other releases are ignored, and today's limits do not apply."""
    return dataclass_json.read(get_act(key), body, STORED)


def read_stored_as(kind: type[A], body: Mapping[str, Any]) -> A:
    """The act of an entry whose kind is known."""
    return dataclass_json.read(kind, body, STORED)


def read_imported(key: str, body: Mapping[str, Any], unknown: Callable[[str], object]) -> Act:
    """The act of an entry in a file: today's limits apply, unknown keys are ignored and listed."""
    return dataclass_json.read(get_act(key), _without_ours(body), Reading(unknown=unknown))


def without_paths(body: Mapping[str, Any], paths: Sequence[str]) -> Body:
    """The body without these keys: what is unknown in a file is not imported."""
    return {
        name: _without_inner(value, [path.partition(".")[2] for path in paths if path.startswith(f"{name}.")])
        for name, value in body.items()
        if name not in paths
    }


def _without_inner(value: Any, paths: Sequence[str]) -> Any:
    if not paths:
        return value
    if isinstance(value, Mapping):
        return without_paths(value, paths)
    return [
        _without_inner(inner, [path.partition(".")[2] for path in paths if path.startswith(f"{number}.")])
        for number, inner in enumerate(value)
    ]


def write_sent(act: Act) -> Body:
    """The fields of an act alone."""
    body: Body = dataclass_json.write(act)
    return {name: value for name, value in body.items() if name not in OURS}


def replace_act(before: Mapping[str, Any], act: Act) -> Body:
    """An entry's body with another act: what we added when it was written stays."""
    fields = {key for key in json_keys(type(act)).values() if key not in OURS}
    return {name: value for name, value in before.items() if name not in fields} | write_sent(act)


def write_body(
    act: Act, *, options: Mapping[str, Any], entry: int, confirmed: Sequence[Mapping[str, Any]] = ()
) -> Body:
    """The body of the entry with this number."""
    body = write_sent(act) | {"in_force": {"options": dict(options), "rules": RULES_VERSION}, "line": entry}
    return body | ({"confirmed": list(confirmed)} if confirmed else {})


def amend_body(key: str, before: Mapping[str, Any], sent: Mapping[str, Any]) -> tuple[Act, Body]:
    """An entry's act and body with what was sent instead, judged by the house rules of its own time.

    The body stays as it was sent: approvals that wait compare the digest of their preview.
    """
    act, was = read_sent(key, sent), read_stored(key, before)
    given = {name: getattr(was, name) for name in act.given_numbers if not getattr(act, name)}
    act = replace(act, **given)
    body = {name: before.get(name, value) if name in OURS else value for name, value in sent.items()}
    return act, {**body, **given, "in_force": before.get("in_force", {})}


EFFECTS: dict[str, type[Effect]] = {kind.do: kind for kind in get_args(Effect)}

# Those with other dataclasses inside are rare; the others are made without looking at each value.
_NESTED = (AttackRolled, KingdomJoined, LooksChanged)
_FLAT: dict[str, tuple[Callable[..., Effect], tuple[tuple[str, Any], ...]]] = {
    kind.do: (kind, tuple((key, None if default is MISSING else default) for _, key, default in written_fields(kind)))
    for kind in get_args(Effect)
    if kind not in _NESTED
}


def load_effects(rows: Iterable[Mapping[str, Any]]) -> list[Effect]:
    """The effects of a stored entry, which were checked when it was written."""
    effects: list[Effect] = []
    for row in rows:
        if flat := _FLAT.get(row["do"]):
            kind, keys = flat
            get = row.get
            effects.append(kind(*[get(key, default) for key, default in keys]))
        else:
            effects.append(dataclass_json.read(EFFECTS[row["do"]], row, STORED))
    return effects


def read_effects(rows: object, unknown: Callable[[str], object]) -> list[Effect]:
    """The effects in a file, checked field by field."""
    if not isinstance(rows, list):
        raise Refusal("“effects” must be a list.", field="effects")
    effects: list[Effect] = []
    for number, row in enumerate(rows):
        path = f"effects.{number}"
        key = row.get("do") if isinstance(row, Mapping) else None
        if not isinstance(key, str) or key not in EFFECTS or key == NumberReserved.do:
            raise Refusal(f"There is no effect called {key!r}.", field=path)
        rest = {name: value for name, value in row.items() if name != "do"}
        effect = dataclass_json.read(EFFECTS[key], rest, Reading(unknown=unknown), path)
        if isinstance(effect, HouseRuleChanged):
            rule = OPTION[effect.key]
            if (rule.read(effect.value), rule.default) != (effect.value, effect.book):
                raise Refusal(f"{effect.value!r} is not a setting of {effect.key}.", field=path)
        effects.append(effect)
    return effects


def write_effects(effects: Iterable[Effect]) -> list[Body]:
    return [{"do": effect.do, **dataclass_json.write(effect)} for effect in effects]


def replace_person(effect: Effect, to: Callable[[int], int]) -> Effect:
    """The same effect with other ids in the places of people."""
    match effect:
        case MasterChanged():
            return replace(effect, person=to(effect.person))
        case RulerChanged() | RegentChanged():
            return replace(effect, person=to(effect.person)) if effect.person is not None else effect
        case KingdomJoined():
            return replace(effect, ruler=to(effect.ruler)) if effect.ruler is not None else effect
    return effect


def house_rules_in_force(body: Mapping[str, Any]) -> Options:
    """The house rules in force when the entry was written."""
    return Options.from_differences(body.get("in_force", {}).get("options", {}))


def read_report(report: Mapping[str, Any]) -> ReportOfSides:
    """The rulebook's report out of the body of a result."""
    return dataclass_json.read(ReportOfSides, report, STORED, "report")


def person_keys(key: str) -> tuple[str, ...]:
    """The keys of this act's body that hold a person's id."""
    return dataclass_json.marked_keys(get_act(key), PERSON)


def person_ids(act: Act) -> set[int]:
    body = dataclass_json.write(act)
    return {body[key] for key in person_keys(act.key) if body.get(key) is not None}


def act_schema(key: str) -> Schema:
    """The JSON Schema of an act's body."""
    schema = dataclass_json.schema(get_act(key))
    return {**schema, "properties": {name: kind for name, kind in schema["properties"].items() if name not in OURS}}


def effect_schema() -> Schema:
    """The JSON Schema of a stored effect: one of a closed union, named by ``do``."""
    kinds = []
    for key, kind in EFFECTS.items():
        schema = dataclass_json.schema(kind)
        named = {"do": {"type": "string", "enum": [key]}, **schema["properties"]}
        kinds.append({**schema, "title": key, "properties": named, "required": ["do"]})
    return {"oneOf": kinds}


def _without_ours(body: object) -> dict[str, object]:
    if not isinstance(body, Mapping):
        raise Refusal("The body of an act must be an object.", field="body")
    return {name: value for name, value in body.items() if name not in OURS}
