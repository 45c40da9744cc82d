"""Frozen dataclasses to and from JSON: the shape of what was sent is checked once, with a sentence and the field.

A field's type says what is accepted: ``str``, ``int``, ``float``, ``bool``, ``X | None``, ``Literal``, enums,
``tuple[X, ...]``, ``Mapping[str, X]``, other dataclasses, types that are text in JSON (dates, decimals, what
``register_text_form`` adds), and ``Any`` for what somebody else reads. ``Annotated`` adds marks, such as limits, and a
plain text that describes the field in the schema. An explicit null means that the field was not given; only where an
annotated ``X | None`` has no default, it must be given, and null is one of its values. The API is stricter: ``SENT``
takes null for ``X | None`` alone. Standard library only, because the pure packages use it.
"""

import contextlib
import datetime as dt
import types
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass, replace
from decimal import Decimal, InvalidOperation
from enum import Enum
from functools import cache
from typing import (
    Annotated,
    Any,
    ClassVar,
    Literal,
    NotRequired,
    TypeVar,
    Union,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

from refusal import Refusal

T = TypeVar("T")
Schema = dict[str, Any]  # JSON Schema
KEY = "key"
# Metadata of a field that is stored also where it holds its default: those that once had none.
ALWAYS = {"always": True}
PLAIN_NAMES = {str: "text", int: "a whole number", bool: "true or false"}
_PLAIN = frozenset({str, int, bool, float, type(None)})
MAX_FLOAT = 1e9  # larger numbers, infinity and "not a number" are refused


class Mark:
    """What a field's type is annotated with: it cleans a value, refuses it, or says more about it in the schema."""

    __slots__ = ()

    def refuse(self, value: Any, path: str) -> None:
        """Refuse a value of the right type that is not allowed."""

    def describe(self, rules: Schema) -> Schema:
        """What it adds to the schema of the type."""
        return {}


@dataclass(frozen=True, slots=True)
class Text(Mark):
    """Limits of a text. ``label`` names it in a sentence."""

    label: str
    most: int
    empty: bool = False

    def refuse(self, value: str, path: str) -> None:
        if not self.empty and not value.strip():
            raise _refusal(f"{self.label} is empty. Write a few words.", path)
        if len(value) > self.most:
            raise _refusal(f"{self.label} has {len(value)} characters. The limit is {self.most}.", path)

    def describe(self, rules: Schema) -> Schema:
        return {"maxLength": self.most, "description": self.label}


@dataclass(frozen=True, slots=True)
class AtMost(Mark):
    """A limit that somebody else refuses, in their own words. The schema says it."""

    most: int

    def describe(self, rules: Schema) -> Schema:
        return {"maxLength": self.most}


@dataclass(frozen=True, slots=True)
class Whole(Mark):
    """Limits of a number."""

    label: str
    least: int
    most: int

    def refuse(self, value: float, path: str) -> None:
        if not self.least <= value <= self.most:
            raise _refusal(f"{self.label} must be {self.least} to {self.most}, not {value}.", path)

    def describe(self, rules: Schema) -> Schema:
        return {"minimum": self.least, "maximum": self.most, "description": self.label}


@dataclass(frozen=True, slots=True)
class Count(Mark):
    """Limits of how many rows a tuple or mapping has."""

    label: str
    most: int

    def refuse(self, value: Any, path: str) -> None:
        if len(value) > self.most:
            raise _refusal(f"{self.label}: {len(value)} are too many. The limit is {self.most}.", path)

    def describe(self, rules: Schema) -> Schema:
        return {"maxItems" if rules["type"] == "array" else "maxProperties": self.most}


@dataclass(frozen=True, slots=True)
class Check(Mark):
    """A function that refuses a bad value; the value stays as it is."""

    check: Callable[[Any], object]

    def refuse(self, value: Any, path: str) -> None:
        self.check(value)


@dataclass(frozen=True, slots=True)
class Clean(Mark):
    """A function that tidies what was sent, before limits look at it."""

    clean: Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class OneOf(Mark):
    """Values with their words, known only when somebody asks; the sentence for everything else."""

    choices: Callable[[], Iterable[tuple[str, str]]]
    sentence: str

    def refuse(self, value: Any, path: str) -> None:
        if value not in {choice for choice, _ in self.choices()}:
            raise _refusal(self.sentence, path)

    def describe(self, rules: Schema) -> Schema:
        return {"enum": [value for value, _ in self.choices()]}


@dataclass(frozen=True, slots=True)
class Says(Mark):
    """The sentence for whatever the type does not accept."""

    sentence: str


@dataclass(frozen=True, slots=True)
class Ask(Mark):
    """How a form asks for it. The API's schema says the hint too."""

    label: str
    hint: str = ""
    lines: int = 1

    def describe(self, rules: Schema) -> Schema:
        return {"description": self.hint} if self.hint else {}


# A field of a display that pages draw and answers leave out.
PAGE_ONLY = object()
PageOnly = Annotated[T, PAGE_ONLY]


@dataclass(frozen=True, slots=True, eq=False)  # a schema has no hash
class Shape:
    """What is in JSON that stays as it is: a type whose schema it has, or the schema. Somebody else reads it."""

    kind: Any


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
        number = Decimal(text)
    except InvalidOperation:
        raise ValueError(text) from None
    if not number.is_finite():
        raise ValueError(text)
    return number


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
    """``limits``: whether limits apply. ``unknown``: who is notified of unknown keys; if nobody, they are refused.
    ``nulls``: whether null counts as left out where it is no value."""

    limits: bool = True
    unknown: Callable[[str], object] | None = None
    nulls: bool = True


# What somebody sends, and what is in the database: limits are of today, and keys may be of another release.
STRICT = Reading()
SENT = Reading(nulls=False)
STORED = Reading(limits=False, unknown=lambda path: None)
Reader = Callable[[Any, str, Reading], Any]


class Keyed:
    __slots__ = ()
    key: ClassVar[str]


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def keyed(key: str, kinds: dict[str, Any] | None = None, **constants: Any) -> Callable[[type[T]], type[T]]:
    """Make a frozen dataclass of a class with this key and these constants, and put it among its ``kinds``."""

    def register(plain: type[T]) -> type[T]:
        kind = dataclass(frozen=True, slots=True)(plain)
        for name, value in {"key": key, **constants}.items():
            setattr(kind, name, value)
        if kinds is not None:
            kinds[key] = kind
        return kind

    return register


def read(kind: type[T], data: object, reading: Reading = STRICT, path: str = "") -> T:
    """The dataclass in this JSON, or a Refusal that names the field."""
    value: T = _reader(kind)(data, path, reading)  # type: ignore[arg-type]
    return value


def read_onto(now: T, data: object, reading: Reading = STRICT) -> T:
    """The dataclass with what this JSON has; the rest stays as it is."""
    if not isinstance(data, Mapping):
        raise _must("", "an object")
    readers = _field_readers(type(now))  # type: ignore[arg-type]
    changed = {}
    for key, given in data.items():
        if key not in readers:
            raise _unknown(key)
        if given is not None or not (reading.nulls or readers[key].takes_null):
            changed[readers[key].name] = readers[key].read(given, key, reading)
    return replace(now, **changed)  # type: ignore[type-var]


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
            key: write(inner)
            for name, key, default in written_fields(type(value))  # type: ignore[arg-type]
            if (inner := getattr(value, name)) != default or type(inner) is not type(default)
        }
    if isinstance(value, Mapping):
        return {key: write(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [write(item) for item in value]
    return value.value if isinstance(value, Enum) else value


def write_all(value: Any) -> Any:
    """The JSON of a dataclass with every field, also those that hold their default."""
    return {key: write(getattr(value, name)) for name, key, _ in written_fields(type(value))}  # type: ignore[arg-type]


def json_keys(kind: type) -> dict[str, str]:
    """The name in JSON of each field."""
    return {field.name: field.metadata.get(KEY, field.name) for field in stored_fields(kind)}


def marked_keys(kind: type, mark: object) -> tuple[str, ...]:
    """The JSON names of the fields whose type is annotated with this mark."""
    keys = json_keys(kind)
    return tuple(keys[name] for name, hint in _hints(kind).items() if name in keys and mark in _marks(hint))


def _marks(hint: Any) -> tuple[Any, ...]:
    if get_origin(hint) is Annotated:
        return (*hint.__metadata__, *_marks(get_args(hint)[0]))
    if get_origin(hint) in (Union, types.UnionType):
        return tuple(mark for part in get_args(hint) for mark in _marks(part))
    return ()


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
        return bare_type(next(part for part in get_args(hint) if part is not type(None)))[0], True
    return hint, False


Refer = Callable[[Any], Schema | None]


def schema(kind: Any, *, answer: bool = False, refer: Refer = lambda kind: None) -> Schema:
    """The JSON Schema of a type, from the same annotations.

    What is sent may leave out what has a default; an ``answer`` has every field. ``refer`` answers with a reference, or
    the schema of types that are written in a way of their own.
    """

    def of(part: Any) -> Schema:
        return schema(part, answer=answer, refer=refer)

    origin, args = get_origin(kind), get_args(kind)
    if origin is NotRequired:
        return of(args[0])
    if origin is None and (known := refer(kind)) is not None:
        return dict(known)
    if origin is Annotated:
        shape = next((mark.kind for mark in kind.__metadata__ if isinstance(mark, Shape)), None)
        rules = of(args[0]) if shape is None else dict(shape) if isinstance(shape, dict) else of(shape)
        for mark in kind.__metadata__:
            if isinstance(mark, Mark):
                rules |= mark.describe(rules)
            elif isinstance(mark, str):
                rules |= {"description": mark}
        return rules
    if origin in (Union, types.UnionType):
        kinds = [of(part) for part in args if part is not type(None)]
        rules = kinds[0] if len(kinds) == 1 else _one_of(kinds)
        return _or_null(rules) if type(None) in args else rules
    if origin is Literal:
        return {"type": "string", "enum": list(args)}
    if origin is tuple and args[-1] is not Ellipsis:
        count = {"minItems": len(args), "maxItems": len(args)}
        return {"type": "array", "prefixItems": [of(part) for part in args], **count}
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": of(args[1])}
    if isinstance(origin, type) and issubclass(origin, Sequence):
        return {"type": "array", "items": of(args[0])}
    if kind in _TEXT_FORMS:
        form = _TEXT_FORMS[kind].format
        return {"type": "string", **({"format": form} if form else {})}
    if _is_enum(kind):
        return {"type": "string", "enum": [member.value for member in kind if answer or member.value != ""]}
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
        left_out = (field.name for field in stored_fields(kind) if _default(field) is not MISSING)
        optional = set() if answer else {*left_out, *(name for name, hint in hints.items() if _is_optional(hint))}
    elif hasattr(kind, "_fields") or hasattr(kind, "__required_keys__"):
        keys = {name: name for name in hints}
        # Not from ``__required_keys__``, which does not see annotations that are still text.
        optional = {name for name, hint in hints.items() if get_origin(hint) is NotRequired}
    else:
        raise TypeError(f"{kind} has no schema")
    required = [key for name, key in keys.items() if name not in optional]
    properties = {key: of(hints[name]) for name, key in keys.items()}
    rules: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return rules | ({"required": required} if required else {})


def _one_of(kinds: list[Schema]) -> Schema:
    if all(set(kind) == {"type"} for kind in kinds):
        return {"type": [kind["type"] for kind in kinds]}
    lists = [kind for kind in kinds if kind.get("type") == "array"]
    return {"anyOf" if len(lists) > 1 else "oneOf": kinds}  # an empty list is each kind of list


def _or_null(rules: Schema) -> Schema:
    """As JSON Schema and OpenAPI 3.1 say it."""
    for key in ("oneOf", "anyOf"):
        if key in rules:
            return {**rules, key: [*rules[key], {"type": "null"}]}
    if "$ref" in rules:
        return {"oneOf": [rules, {"type": "null"}]}
    if "type" not in rules:
        return rules
    null = {"type": [*([rules["type"]] if isinstance(rules["type"], str) else rules["type"]), "null"]}
    return rules | null | ({"enum": [*rules["enum"], None]} if "enum" in rules else {})


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
        field.name: field.metadata.get(KEY, field.name)
        for field in fields(kind)
        if PAGE_ONLY not in getattr(hints[field.name], "__metadata__", ())
    }


# --- readers ---------------------------------------------------------------------------------------------------------


@cache
def _hints(kind: type) -> dict[str, object]:
    return get_type_hints(kind, include_extras=True)


def _is_optional(hint: Any) -> bool:
    return get_origin(hint) in (Union, types.UnionType) and type(None) in get_args(hint)


def _default(field: Field[Any]) -> Any:
    return field.default_factory() if field.default_factory is not MISSING else field.default


def stored_fields(kind: Any) -> tuple[Field[Any], ...]:
    """What a value is made of. A field that is worked out (``init=False``) is not stored."""
    return tuple(field for field in fields(kind) if field.init)


@cache
def written_fields(kind: type) -> tuple[tuple[str, str, Any], ...]:
    """Name, key, and the value that is left out."""
    always = getattr(kind, "writes_defaults", False)
    return tuple(
        (
            field.name,
            field.metadata.get(KEY, field.name),
            MISSING if always or "always" in field.metadata else _default(field),
        )
        for field in stored_fields(kind)
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
    read_value = _read_one_of(tuple(member.value for member in kind if member.value != ""))
    return lambda value, path, reading: kind(read_value(value, path, reading))


def _read_text_form(form: TextForm) -> Reader:
    def read_text_form(value: Any, path: str, reading: Reading) -> Any:
        if isinstance(value, str):
            with contextlib.suppress(ValueError, OverflowError):
                return form.parse(value)
        raise _must(path, form.said)

    return read_text_form


def _read_float(value: Any, path: str, reading: Reading) -> float:
    if type(value) not in (int, float) or not abs(value) < MAX_FLOAT:
        raise _must(path, "a number")
    return float(value)


def _read_plain(kind: type, said: str) -> Reader:
    def read_plain(value: Any, path: str, reading: Reading) -> Any:
        if type(value) is not kind:
            raise _must(path, said)
        return value

    return read_plain


def _read_union(args: tuple[Any, ...]) -> Reader:
    """``X | None``, or one of several plain types."""
    kinds = [part for part in args if part is not type(None)]
    optional = len(kinds) < len(args)
    inner = _reader(kinds[0]) if len(kinds) == 1 else None
    plain = tuple(kinds)
    said = " or ".join(PLAIN_NAMES[part] for part in plain) if inner is None else ""

    def read_union(value: Any, path: str, reading: Reading) -> Any:
        if value is None and optional:
            return None
        if inner is not None:
            return inner(value, path, reading)
        if type(value) not in plain:
            raise _must(path, said)
        return value

    return read_union


def _read_one_of(choices: tuple[Any, ...]) -> Reader:
    said = ", ".join(map(str, choices))

    def read_one_of(value: Any, path: str, reading: Reading) -> Any:
        if not isinstance(value, str) or value not in choices:
            raise _must(path, f"one of {said}")
        return value

    return read_one_of


def _read_rows(inner: Reader) -> Reader:
    def read_rows(value: Any, path: str, reading: Reading) -> Any:
        if not isinstance(value, (list, tuple)):
            raise _must(path, "a list")
        return tuple([inner(row, f"{path}.{number}", reading) for number, row in enumerate(value)])

    return read_rows


def _read_fixed(args: tuple[Any, ...]) -> Reader:
    readers = [_reader(part) for part in args]

    def read_fixed(value: Any, path: str, reading: Reading) -> Any:
        if not isinstance(value, (list, tuple)) or len(value) != len(readers):
            raise _must(path, f"a list of {len(readers)}")
        return tuple(
            [inner(part, f"{path}.{n}", reading) for n, (inner, part) in enumerate(zip(readers, value, strict=True))]
        )

    return read_fixed


def _read_mapping(key_reader: Reader, inner: Reader) -> Reader:
    def read_mapping(value: Any, path: str, reading: Reading) -> Any:
        if not isinstance(value, Mapping):
            raise _must(path, "an object")
        return {key_reader(str(key), path, reading): inner(row, f"{path}.{key}", reading) for key, row in value.items()}

    return read_mapping


class _FieldReader(typing.NamedTuple):
    name: str
    read: Reader
    default: Any
    is_optional: bool
    takes_null: bool


@cache
def _field_readers(kind: type) -> dict[str, _FieldReader]:
    """Who reads each field, by its name in JSON."""
    hints = _hints(kind)
    return {
        field.metadata.get(KEY, field.name): _FieldReader(
            field.name,
            _reader(hints[field.name]),
            _default(field),
            _is_optional(hints[field.name]),
            bare_type(hints[field.name])[1],
        )
        for field in stored_fields(kind)
    }


def _read_dataclass(kind: type) -> Reader:
    readers = _field_readers(kind)

    def read_dataclass(value: Any, path: str, reading: Reading) -> Any:
        if not isinstance(value, Mapping):
            raise _must(path, "an object")
        start = f"{path}." if path else ""
        values = {}
        for key, (name, read_field, default, is_optional, takes_null) in readers.items():
            given = value.get(key)
            if given is not None or not (reading.nulls or takes_null or default is MISSING or key not in value):
                values[name] = read_field(given, start + key, reading)
            elif default is MISSING:
                if not (is_optional or (takes_null and key in value)):
                    raise Refusal(f"{_name(start + key)} is missing.", field=start + key, code="missing-field")
                values[name] = None
        for key in value:
            if key not in readers:
                if reading.unknown is None:
                    raise _unknown(f"{start}{key}")
                reading.unknown(f"{start}{key}")
        return kind(**values)

    return read_dataclass


def _limited(inner: Reader, marks: tuple[Any, ...]) -> Reader:
    cleaning = [mark.clean for mark in marks if isinstance(mark, Clean)]
    checks = [mark.refuse for mark in marks if isinstance(mark, Mark) and type(mark).refuse is not Mark.refuse]
    sentence = next((mark.sentence for mark in marks if isinstance(mark, Says)), "")

    def read_limited(value: Any, path: str, reading: Reading) -> Any:
        try:
            result = inner(value, path, reading)
        except Refusal:
            if not sentence:
                raise
            raise _refusal(sentence, path) from None
        if reading.limits and result is not None:
            for clean in cleaning:
                result = clean(result)
            for check in checks:
                check(result, path)
        return result

    return read_limited


def _refusal(sentence: str, path: str) -> Refusal:
    return Refusal(sentence, field=path or None)


def _must(path: str, said: str) -> Refusal:
    return _refusal(f"{_name(path)} must be {said}.", path)


def _unknown(path: str) -> Refusal:
    return _refusal(f"{_name(path)} is not known here. Leave it out.", path)


def _name(path: str) -> str:
    return f"“{path}”" if path else "This"
