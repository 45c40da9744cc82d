"""Frozen dataclasses to and from JSON: the shape of what was sent is checked once, with a sentence and the field.

A field's type says what is accepted: ``str``, ``int``, ``float``, ``bool``, ``X | None``, ``Literal``, enums,
``tuple[X, ...]``, ``Mapping[str, X]``, other dataclasses, types that are text in JSON (dates, decimals, what
``register_text_form`` adds), and ``Any`` for what somebody else reads. ``Annotated`` adds limits, and a plain text that
describes the field in the schema. An explicit null means that the field was not given. Standard library only, because
the pure packages use it.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass, replace
from decimal import Decimal, InvalidOperation
from enum import Enum
from functools import cache
from typing import Annotated, Any, Literal, NotRequired, TypeVar, Union, get_args, get_origin, get_type_hints

from refusal import Refusal

T = TypeVar("T")
Schema = dict[str, Any]  # JSON Schema
KEY = "key"
# Metadata of a field that is stored also where it holds its default: those that once had none.
ALWAYS = {"always": True}
PLAIN_NAMES = {str: "text", int: "a whole number", bool: "true or false"}
_PLAIN = frozenset({str, int, bool, float, type(None)})
MAX_FLOAT = 1e9  # larger numbers, infinity and "not a number" are refused


@dataclass(frozen=True, slots=True)
class Text:
    """Limits of a text. ``label`` names it in a sentence."""

    label: str
    most: int
    empty: bool = False


@dataclass(frozen=True, slots=True)
class AtMost:
    """A limit that somebody else refuses, in their own words. The schema says it."""

    most: int


@dataclass(frozen=True, slots=True)
class Whole:
    """Limits of a number."""

    label: str
    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Count:
    """Limits of how many rows a tuple or mapping has."""

    label: str
    most: int


@dataclass(frozen=True, slots=True)
class Check:
    """A function that refuses a bad value; the value stays as it is."""

    check: Callable[[Any], object]


@dataclass(frozen=True, slots=True)
class Clean:
    """A function that tidies what was sent, before limits look at it."""

    clean: Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class OneOf:
    """Values with their words, known only when somebody asks; the sentence for everything else."""

    choices: Callable[[], Iterable[tuple[str, str]]]
    sentence: str


@dataclass(frozen=True, slots=True)
class Says:
    """The sentence for whatever the type does not accept."""

    sentence: str


@dataclass(frozen=True, slots=True)
class Ask:
    """How a form asks for it. The API's schema says the hint too."""

    label: str
    hint: str = ""
    lines: int = 1


# A field of a display that pages draw and answers leave out.
PAGE_ONLY = object()
PageOnly = Annotated[T, PAGE_ONLY]


@dataclass(frozen=True, slots=True, eq=False)  # a schema has no hash
class Shape:
    """What is in JSON that stays as it is: a type whose schema it has, or the schema. Somebody else reads it."""

    kind: Any = field(hash=False)


def enum_of(keys: Iterable[str]) -> Shape:
    """A text that is one of these. Somebody else refuses all others, with a better sentence."""
    return Shape({"type": "string", "enum": list(keys)})


@dataclass(frozen=True, slots=True)
class TextForm:
    """How a type is written as text and read again. ``parse`` raises ValueError; ``said`` completes "must be …"."""

    parse: Callable[[str], Any]
    write: Callable[[Any], str]
    said: str
    format: str = ""


def _parse_decimal(text: str) -> Decimal:
    try:
        found = Decimal(text)
    except InvalidOperation:
        raise ValueError(text) from None
    if not found.is_finite():
        raise ValueError(text)
    return found


_TEXT_FORMS: dict[type, TextForm] = {
    dt.date: TextForm(dt.date.fromisoformat, dt.date.isoformat, "a date such as 2026-05-14", "date"),
    dt.datetime: TextForm(
        dt.datetime.fromisoformat, dt.datetime.isoformat, "a moment such as 2026-05-14T19:30:00+02:00", "date-time"
    ),
    Decimal: TextForm(_parse_decimal, str, "a number in quotes"),
}


def register_text_form(kind: type, form: TextForm) -> None:
    """Values of this type are text in JSON."""
    _TEXT_FORMS[kind] = form


def stored_as(key: str) -> dict[str, str]:
    """The metadata of a field that has another name in JSON."""
    return {KEY: key}


@dataclass(frozen=True, slots=True)
class Reading:
    """``limits``: whether limits apply. ``unknown``: who is notified of unknown keys; if nobody, they are refused."""

    limits: bool = True
    unknown: Callable[[str], object] | None = None


# What somebody sends, and what is in the database: limits are of today, and keys may be of another release.
STRICT = Reading()
STORED = Reading(limits=False, unknown=lambda path: None)
Reader = Callable[[Any, str, Reading], Any]


def read(kind: type[T], data: object, reading: Reading = STRICT, path: str = "") -> T:
    """The dataclass in this JSON, or a Refusal that names the field."""
    found: T = _reader(kind)(data, path, reading)  # type: ignore[arg-type]
    return found


def read_onto(now: T, data: object, reading: Reading = STRICT) -> T:
    """The dataclass with what this JSON has; the rest stays as it is."""
    kind: Any = type(now)
    if not isinstance(data, Mapping):
        raise Refusal(f"{_name('')} must be an object.")
    names = {key: name for name, key in json_keys(kind).items()}
    found = {}
    for key, given in data.items():
        if key not in names:
            raise Refusal(f"{_name(key)} is not known here. Leave it out.", field=key)
        if given is not None:
            found[names[key]] = _reader(_hints(kind)[names[key]])(given, key, reading)
    return replace(now, **found)  # type: ignore[type-var]


def check_field(kind: type, name: str, value: Any) -> Any:
    """A value that a form has parsed: tidied and within its limits, or a Refusal."""
    hint: Any = _hints(kind)[name]
    if get_origin(hint) is not Annotated or value is None:
        return value
    return _limited(lambda given, path, reading: given, hint.__metadata__)(value, name, STRICT)


def write(value: Any) -> Any:
    """The JSON of a value. Fields that hold their default are left out, unless the class sets ``writes_defaults``."""
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind in _TEXT_FORMS:
        return _TEXT_FORMS[kind].write(value)
    if is_dataclass(value):
        return {
            key: write(found)
            for name, key, default in written_fields(type(value))  # type: ignore[arg-type]
            if (found := getattr(value, name)) != default or type(found) is not type(default)
        }
    if isinstance(value, Mapping):
        return {key: write(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [write(one) for one in value]
    return value.value if isinstance(value, Enum) else value


def write_all(value: Any) -> Any:
    """The JSON of a dataclass with every field, also those that hold their default."""
    return {key: write(getattr(value, name)) for name, key, _ in written_fields(type(value))}  # type: ignore[arg-type]


def json_keys(kind: type) -> dict[str, str]:
    """The name in JSON of each field."""
    return {one.name: one.metadata.get(KEY, one.name) for one in stored_fields(kind)}


def marked_keys(kind: type, mark: object) -> tuple[str, ...]:
    """The JSON names of the fields whose type is annotated with this mark."""
    keys = json_keys(kind)
    return tuple(keys[name] for name, hint in _hints(kind).items() if name in keys and mark in _marks(hint))


def _marks(hint: Any) -> tuple[Any, ...]:
    if get_origin(hint) is Annotated:
        return (*hint.__metadata__, *_marks(get_args(hint)[0]))
    if get_origin(hint) in (Union, types.UnionType):
        return tuple(mark for one in get_args(hint) for mark in _marks(one))
    return ()


def is_annotated(hint: Any, mark: object) -> bool:
    return get_origin(hint) is Annotated and mark in hint.__metadata__


def find_mark(hint: Any, kind: type[T]) -> T | None:
    """What a field's type is annotated with, of this kind."""
    return next((mark for mark in _marks(hint) if isinstance(mark, kind)), None)


def type_of_field(kind: type, name: str) -> Any:
    """With what it is annotated with."""
    return _hints(kind)[name]


def bare_type(hint: Any) -> tuple[Any, bool]:
    """The type without annotations and None; whether it may be None."""
    if get_origin(hint) is Annotated:
        return bare_type(get_args(hint)[0])
    if _is_optional(hint):
        return bare_type(next(one for one in get_args(hint) if one is not type(None)))[0], True
    return hint, False


Refer = Callable[[Any], Schema | None]


def schema(kind: Any, *, answer: bool = False, refer: Refer = lambda kind: None) -> Schema:
    """The JSON Schema of a type, from the same annotations.

    What is sent may leave out what has a default; an ``answer`` has every field. ``refer`` answers with a reference, or
    the schema of types that are written in a way of their own.
    """

    def of(one: Any) -> Schema:
        return schema(one, answer=answer, refer=refer)

    origin, args = get_origin(kind), get_args(kind)
    if origin is NotRequired:
        return of(args[0])
    if origin is None and (known := refer(kind)) is not None:
        return dict(known)
    if origin is Annotated:
        shape = next((mark.kind for mark in kind.__metadata__ if isinstance(mark, Shape)), None)
        found = of(args[0]) if shape is None else dict(shape) if isinstance(shape, dict) else of(shape)
        for mark in kind.__metadata__:
            if isinstance(mark, Text):
                found |= {"maxLength": mark.most, "description": mark.label}
            elif isinstance(mark, AtMost):
                found |= {"maxLength": mark.most}
            elif isinstance(mark, Whole):
                found |= {"minimum": mark.least, "maximum": mark.most, "description": mark.label}
            elif isinstance(mark, Count):
                found |= {"maxItems" if found["type"] == "array" else "maxProperties": mark.most}
            elif isinstance(mark, OneOf):
                found |= {"enum": [value for value, _ in mark.choices()]}
            elif isinstance(mark, Ask) and mark.hint:
                found |= {"description": mark.hint}
            elif isinstance(mark, str):
                found |= {"description": mark}
        return found
    if origin in (Union, types.UnionType):
        kinds = [of(one) for one in args if one is not type(None)]
        found = kinds[0] if len(kinds) == 1 else _one_of(kinds)
        return _or_null(found) if type(None) in args else found
    if origin is Literal:
        return {"type": "string", "enum": list(args)}
    if origin is tuple and args[-1] is not Ellipsis:
        count = {"minItems": len(args), "maxItems": len(args)}
        return {"type": "array", "prefixItems": [of(one) for one in args], **count}
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": of(args[1])}
    if isinstance(origin, type) and issubclass(origin, Sequence):
        return {"type": "array", "items": of(args[0])}
    if kind in _TEXT_FORMS:
        form = _TEXT_FORMS[kind].format
        return {"type": "string", **({"format": form} if form else {})}
    if _is_enum(kind):
        return {"type": "string", "enum": [one.value for one in kind if answer or one.value != ""]}
    if kind in _PLAIN_SCHEMAS:
        return dict(_PLAIN_SCHEMAS[kind])
    return _object_schema(kind, of, answer=answer)


_PLAIN_SCHEMAS: dict[Any, Schema] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    type(None): {"type": "null"},
    Any: {},
    object: {},
}


def _object_schema(kind: Any, of: Callable[[Any], Schema], *, answer: bool) -> Schema:
    """Of a dataclass, a NamedTuple or a TypedDict."""
    hints = _hints(kind)
    if is_dataclass(kind):
        keys = answered_keys(kind) if answer else json_keys(kind)  # type: ignore[arg-type]
        optional = set() if answer else {one.name for one in stored_fields(kind) if _may_be_left_out(one, hints)}
    elif hasattr(kind, "_fields") or hasattr(kind, "__required_keys__"):
        keys = {name: name for name in hints}
        # Not from ``__required_keys__``, which does not see annotations that are still text.
        optional = {name for name, one in hints.items() if get_origin(one) is NotRequired}
    else:
        raise TypeError(f"{kind} has no schema")
    required = [key for name, key in keys.items() if name not in optional]
    properties = {key: of(hints[name]) for name, key in keys.items()}
    found: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return found | ({"required": required} if required else {})


def _may_be_left_out(one: Field[Any], hints: Mapping[str, object]) -> bool:
    return _default(one) is not MISSING or _is_optional(hints[one.name])


def _one_of(kinds: list[Schema]) -> Schema:
    plain = all(set(kind) == {"type"} for kind in kinds)
    return {"type": [kind["type"] for kind in kinds]} if plain else {"oneOf": kinds}


def _or_null(found: Schema) -> Schema:
    """As JSON Schema and OpenAPI 3.1 say it."""
    if "oneOf" in found:
        return found | {"oneOf": [*found["oneOf"], {"type": "null"}]}
    if "$ref" in found:
        return {"oneOf": [found, {"type": "null"}]}
    if "type" not in found:
        return found
    null = {"type": [*([found["type"]] if isinstance(found["type"], str) else found["type"]), "null"]}
    return found | null | ({"enum": [*found["enum"], None]} if "enum" in found else {})


def without_null(rule: Schema) -> Schema:
    """The same where nothing is sent instead of null."""
    rule = dict(rule)
    if isinstance(kinds := rule.get("type"), list):
        left = [kind for kind in kinds if kind != "null"]
        rule["type"] = left[0] if len(left) == 1 else left
    if None in rule.get("enum", ()):
        rule["enum"] = [value for value in rule["enum"] if value is not None]
    return rule


@cache
def answered_keys(kind: type) -> dict[str, str]:
    """The name in JSON of each field of a display that answers show."""
    hints = _hints(kind)
    return {
        one.name: one.metadata.get(KEY, one.name)
        for one in fields(kind)
        if not is_annotated(hints[one.name], PAGE_ONLY)
    }


# --- readers ---------------------------------------------------------------------------------------------------------


@cache
def _hints(kind: type) -> dict[str, object]:
    return get_type_hints(kind, include_extras=True)


def _is_optional(hint: Any) -> bool:
    return get_origin(hint) in (Union, types.UnionType) and type(None) in get_args(hint)


def _default(one: Field[Any]) -> Any:
    return one.default_factory() if one.default_factory is not MISSING else one.default


def stored_fields(kind: Any) -> tuple[Field[Any], ...]:
    """What a value is made of. A field that is worked out (``init=False``) is not stored."""
    return tuple(one for one in fields(kind) if one.init)


@cache
def written_fields(kind: type) -> tuple[tuple[str, str, Any], ...]:
    """Name, key, and the value that is left out."""
    always = getattr(kind, "writes_defaults", False)
    return tuple(
        (one.name, one.metadata.get(KEY, one.name), MISSING if always or "always" in one.metadata else _default(one))
        for one in stored_fields(kind)
    )


@cache
def _reader(kind: Any) -> Reader:
    origin, args = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _limited(_reader(args[0]), kind.__metadata__)
    if origin in (Union, types.UnionType):
        return _read_union(args)
    if origin is Literal:
        return _read_one_of(args)
    if origin is tuple:
        return _read_rows(_reader(args[0])) if args[-1] is Ellipsis else _read_fixed(args)
    if origin is not None and issubclass(origin, Mapping):
        return _read_mapping(_reader(args[0]), _reader(args[1]))
    if kind is Any:
        return lambda value, path, reading: value
    if kind in _TEXT_FORMS:
        return _read_text_form(_TEXT_FORMS[kind])
    if _is_enum(kind):
        return _read_enum(kind)
    if is_dataclass(kind):
        return _read_dataclass(kind)  # type: ignore[arg-type]
    if kind is float:
        return _read_float
    return _read_plain(kind, PLAIN_NAMES[kind])


def _is_enum(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Enum)


def _read_enum(kind: type[Enum]) -> Reader:
    """The empty one, where there is one, says that nothing was chosen yet: nobody sends it."""
    read_value = _read_one_of(tuple(one.value for one in kind if one.value != ""))
    return lambda value, path, reading: kind(read_value(value, path, reading))


def _read_text_form(form: TextForm) -> Reader:
    def read_text_form(value: Any, path: str, reading: Reading) -> Any:
        if isinstance(value, str):
            with contextlib.suppress(ValueError, OverflowError):
                return form.parse(value)
        raise Refusal(f"{_name(path)} must be {form.said}.", field=path or None)

    return read_text_form


def _read_float(value: Any, path: str, reading: Reading) -> float:
    if type(value) not in (int, float) or not abs(value) < MAX_FLOAT:
        raise Refusal(f"{_name(path)} must be a number.", field=path or None)
    return float(value)


def _read_plain(kind: type, said: str) -> Reader:
    def read_plain(value: Any, path: str, reading: Reading) -> Any:
        if type(value) is not kind:
            raise Refusal(f"{_name(path)} must be {said}.", field=path or None)
        return value

    return read_plain


def _read_union(args: tuple[Any, ...]) -> Reader:
    """``X | None``, or one of several plain types."""
    kinds = [one for one in args if one is not type(None)]
    optional = len(kinds) < len(args)
    inner = _reader(kinds[0]) if len(kinds) == 1 else None
    plain = tuple(kinds)
    said = " or ".join(PLAIN_NAMES[one] for one in plain) if inner is None else ""

    def read_union(value: Any, path: str, reading: Reading) -> Any:
        if value is None and optional:
            return None
        if inner is not None:
            return inner(value, path, reading)
        if type(value) not in plain:
            raise Refusal(f"{_name(path)} must be {said}.", field=path or None)
        return value

    return read_union


def _read_one_of(choices: tuple[Any, ...]) -> Reader:
    said = ", ".join(map(str, choices))

    def read_one_of(value: Any, path: str, reading: Reading) -> Any:
        if not isinstance(value, str) or value not in choices:
            raise Refusal(f"{_name(path)} must be one of {said}.", field=path or None)
        return value

    return read_one_of


def _read_rows(inner: Reader) -> Reader:
    def read_rows(value: Any, path: str, reading: Reading) -> Any:
        if not isinstance(value, (list, tuple)):
            raise Refusal(f"{_name(path)} must be a list.", field=path or None)
        return tuple([inner(one, f"{path}.{number}", reading) for number, one in enumerate(value)])

    return read_rows


def _read_fixed(args: tuple[Any, ...]) -> Reader:
    readers = [_reader(one) for one in args]

    def read_fixed(value: Any, path: str, reading: Reading) -> Any:
        if not isinstance(value, (list, tuple)) or len(value) != len(readers):
            raise Refusal(f"{_name(path)} must be a list of {len(readers)}.", field=path or None)
        return tuple(
            [inner(one, f"{path}.{n}", reading) for n, (inner, one) in enumerate(zip(readers, value, strict=True))]
        )

    return read_fixed


def _read_mapping(key_reader: Reader, inner: Reader) -> Reader:
    def read_mapping(value: Any, path: str, reading: Reading) -> Any:
        if not isinstance(value, Mapping):
            raise Refusal(f"{_name(path)} must be an object.", field=path or None)
        return {key_reader(str(key), path, reading): inner(one, f"{path}.{key}", reading) for key, one in value.items()}

    return read_mapping


def _read_dataclass(kind: type) -> Reader:
    hints = _hints(kind)
    rows = [
        (
            one.name,
            one.metadata.get(KEY, one.name),
            _reader(hints[one.name]),
            _default(one),
            _is_optional(hints[one.name]),
        )
        for one in stored_fields(kind)
    ]
    known = {key for _, key, _, _, _ in rows}

    def read_dataclass(value: Any, path: str, reading: Reading) -> Any:
        if not isinstance(value, Mapping):
            raise Refusal(f"{_name(path)} must be an object.", field=path or None)
        start = f"{path}." if path else ""
        found = {}
        for name, key, inner, default, optional in rows:
            given = value.get(key)
            if given is not None:
                found[name] = inner(given, start + key, reading)
            elif default is MISSING and optional:
                found[name] = None
            elif default is MISSING:
                raise Refusal(f"{_name(start + key)} is missing.", field=start + key)
        for key in value:
            if key not in known:
                if reading.unknown is None:
                    raise Refusal(f"{_name(f'{start}{key}')} is not known here. Leave it out.", field=f"{start}{key}")
                reading.unknown(f"{start}{key}")
        return kind(**found)

    return read_dataclass


def _limited(inner: Reader, limits: tuple[Any, ...]) -> Reader:
    cleaning = [limit.clean for limit in limits if isinstance(limit, Clean)]
    checks = [_LIMITS[type(limit)](limit) for limit in limits if type(limit) in _LIMITS]
    sentence = next((limit.sentence for limit in limits if isinstance(limit, Says)), "")

    def read_limited(value: Any, path: str, reading: Reading) -> Any:
        try:
            found = inner(value, path, reading)
        except Refusal:
            if not sentence:
                raise
            raise Refusal(sentence, field=path or None) from None
        if reading.limits and found is not None:
            for clean in cleaning:
                found = clean(found)
            for check in checks:
                check(found, path)
        return found

    return read_limited


def _text_check(limit: Text) -> Callable[[Any, str], None]:
    def check(value: str, path: str) -> None:
        if not limit.empty and not value.strip():
            raise Refusal(f"{limit.label} is empty. Write a few words.", field=path or None)
        if len(value) > limit.most:
            raise Refusal(f"{limit.label} has {len(value)} characters. The limit is {limit.most}.", field=path or None)

    return check


def _whole_check(limit: Whole) -> Callable[[Any, str], None]:
    def check(value: int, path: str) -> None:
        if not limit.least <= value <= limit.most:
            raise Refusal(f"{limit.label} must be {limit.least} to {limit.most}, not {value}.", field=path or None)

    return check


def _count_check(limit: Count) -> Callable[[Any, str], None]:
    def check(value: Any, path: str) -> None:
        if len(value) > limit.most:
            raise Refusal(f"{limit.label}: {len(value)} are too many. The limit is {limit.most}.", field=path or None)

    return check


def _choice_check(limit: OneOf) -> Callable[[Any, str], None]:
    def check(value: Any, path: str) -> None:
        if value not in {choice for choice, _ in limit.choices()}:
            raise Refusal(limit.sentence, field=path or None)

    return check


def _own_check(limit: Check) -> Callable[[Any, str], None]:
    def check(value: Any, path: str) -> None:
        limit.check(value)

    return check


_LIMITS: dict[type, Callable[[Any], Callable[[Any, str], None]]] = {
    Text: _text_check,
    Whole: _whole_check,
    Count: _count_check,
    OneOf: _choice_check,
    Check: _own_check,
}


def _name(path: str) -> str:
    return f"“{path}”" if path else "This"
