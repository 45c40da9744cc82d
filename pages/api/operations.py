"""Operations of the API from the types of their methods: what is sent, what is answered, and the schema of both.

    @operation("nights_change")
    def patch(self, request: Request, code: str, sent: Changes[ChangeNight]) -> NightDisplay:
        night = get_visible_night(request, code)              # 404 and 403 come before what is wrong with the body
        changed = sent.onto(take(ChangeNight, night, starts_at=None))
        ...

An answer is a frozen dataclass with its fields in JSON, but for those marked ``PageOnly``; None is 204; ``Page[Row]``
is a list by cursor; ``file`` is the type of an answer that is no JSON. A dataclass that is sent or answered is a
component of the schema, under its ``api_name`` or name. Where several views have the method, its name has a part that
they fill: ``{part}_photos``.

The parameters of the address are a dataclass as well:

    @dataclass(frozen=True)
    class ListEntries:
        before: Annotated[int | None, Whole("The number", 1, 10**9), Ask("Before", "entries before this")] = None

    @operation("log_list")
    def get(self, request: Request, code: str, query: Query[ListEntries]) -> Page[EntryRow]:
        before = query.value.before                           # 422 where it is not a whole number
"""

import contextlib
import datetime as dt
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, is_dataclass
from enum import Enum
from fractions import Fraction
from functools import cache, cached_property, partial, wraps
from typing import Annotated, Any, ClassVar, Generic, TypeVar, get_args, get_origin, get_type_hints, is_typeddict

from django.http import HttpResponseBase, QueryDict
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

import dataclass_json
from dataclass_json import SENT, Schema, Shape, answered_keys, bare_type, json_keys
from pages.api.schema import KEY, register_shapes
from pages.api_pagination import PAGE_PARAMETERS, Page
from pages.number_parsing import parse_int
from refusal import Refusal
from rulebook.odds.distribution import Distribution
from rulebook.odds.odds_display import Chance, Chances, write_chance, write_chances

T = TypeVar("T")
Body = Mapping[str, Any]


@dataclass(frozen=True)
class Nothing:
    """Only the key."""

    api_name = "Key"


class Sent(Generic[T]):
    """The body of a request. It is read when somebody asks for it."""

    has_key = True
    is_partial = False

    def __init__(self, request: Request, kind: Any) -> None:
        self._request, self._kind = request, kind

    @cached_property
    def _body(self) -> Body:
        body = self._request.data
        if not isinstance(body, Mapping):
            raise Refusal("The body must be an object.", status=400)
        return {name: body[name] for name in body}

    @property
    def value(self) -> T:
        return dataclass_json.read(self._kind, self._fields, SENT)

    @property
    def key(self) -> str:
        """Of the body, or of the header."""
        key = self._body.get("key")
        if key is None or key == "":
            key = self._header
        if not isinstance(key, str):
            raise Refusal("“key” must be text.", field="key")
        if not key.strip():
            raise Refusal("“key” is missing.", field="key", code="missing-field")
        if len(key) > KEY["maxLength"]:
            raise Refusal(f"The key has {len(key)} characters. The limit is {KEY['maxLength']}.", field="key")
        if self._kind is Nothing:
            assert self.value  # what stands beside the key is refused
        return key

    @property
    def _header(self) -> str:
        return self._request.headers.get("Idempotency-Key", "")

    @property
    def _fields(self) -> Body:
        return {name: value for name, value in self._body.items() if name != "key"}


class Changes(Sent[T]):
    """A body that may leave anything out."""

    is_partial = True

    def onto(self, now: T) -> T:
        """What was sent; what was left out stays as it is now."""
        return dataclass_json.read_onto(now, self._fields, SENT)


class SentAgain(Sent[T]):
    """A body that needs no key: sent twice it does the same as once."""

    has_key = False


class SentFile(Sent[bytes]):
    """A body that is a file, as it is; ``content`` is what the schema says of it."""

    has_key = False
    content: ClassVar[Mapping[str, Any]] = {"application/octet-stream": OpenApiTypes.BINARY}

    @property
    def value(self) -> bytes:
        return self._request.data or b""  # without a body, nothing is parsed


class SentFileOnce(SentFile):
    """One with a key, in the address or in the header. The service refuses a wrong one."""

    has_key = True

    @property
    def key(self) -> str:
        return self._request.query_params.get("key") or self._header


class Query(Generic[T]):
    """The parameters of the address. They are read when somebody asks for them; unknown ones are ignored.

    A parameter without a value counts as left out; a tuple is a parameter that is given several times.
    """

    def __init__(self, request: Request, kind: type[T]) -> None:
        self._request, self._kind = request, kind

    @property
    def value(self) -> T:
        return read_parameters(self._kind, self._request.query_params)


def read_parameters(kind: type[T], given: QueryDict) -> T:
    """The same of a page's address or form."""
    hints = get_type_hints(kind)
    sent = {
        key: _parse_parameter(texts, bare_type(hints[name])[0])
        for name, key in json_keys(kind).items()
        if (texts := [text for text in given.getlist(key) if text.strip()])
    }
    return dataclass_json.read(kind, sent)


_SWITCHES = {"true": True, "on": True, "yes": True, "1": True, "false": False, "off": False, "no": False, "0": False}


def _parse_parameter(texts: Sequence[str], kind: Any) -> Any:
    """What a body would have in its place. A text that is none of that is refused later, with the field's sentence."""
    if get_origin(kind) is tuple:
        return [_parse_parameter([text], bare_type(get_args(kind)[0])[0]) for text in texts]
    text = texts[-1]
    if kind is bool:
        return _SWITCHES.get(text.strip().lower(), text)
    if kind is int:
        number = parse_int(text, signed=True)
        return text if number is None else number
    if kind is float:
        with contextlib.suppress(ValueError):
            return float(text)
    return text


def describe_parameters(kind: type) -> list[OpenApiParameter]:
    """Of a dataclass, for the schema."""
    shape = dataclass_json.schema(kind)
    return [
        OpenApiParameter(key, rule, required=key in shape.get("required", ()), description=rule.pop("description", ""))
        for key, rule in ((key, dataclass_json.without_null(rule)) for key, rule in shape["properties"].items())
    ]


class PublicAPIView(APIView):
    """One that ignores log-ins, so the response is the same for everyone."""

    authentication_classes: tuple[type, ...] = ()
    permission_classes: tuple[type, ...] = ()


@dataclass(frozen=True)
class Operation:
    """What a method of a view takes and answers. Read late: its types may stand further down."""

    method: Callable[..., Any]
    name: str
    status: int
    file: str
    own_parameters: Sequence[OpenApiParameter]

    @cached_property
    def _hints(self) -> Mapping[str, Any]:
        return get_type_hints(self.method, include_extras=True)

    @cached_property
    def sent(self) -> tuple[type[Sent[Any]], Any] | None:
        """Who reads the body, and what it is; nothing for a file."""
        hint = self._hints.get("sent")
        return (get_origin(hint) or hint, *(get_args(hint) or (None,))) if hint is not None else None

    @property
    def takes_key(self) -> bool:
        """Whether a write is done once for each key, which its body or the header Idempotency-Key has."""
        return self.sent is not None and self.sent[0].has_key

    @cached_property
    def query(self) -> type | None:
        hint = self._hints.get("query")
        return get_args(hint)[0] if hint is not None else None

    @cached_property
    def answer(self) -> Any:
        return self._hints.get("return")

    @property
    def is_list(self) -> bool:
        return isinstance(kind := get_origin(self.answer), type) and issubclass(kind, Page)

    @property
    def parameters(self) -> list[OpenApiParameter]:
        """Of the address's query."""
        own = describe_parameters(self.query) if self.query is not None else []
        if self.sent is not None and issubclass(self.sent[0], SentFileOnce):
            own.append(OpenApiParameter("key", KEY))
        return [*self.own_parameters, *own, *(PAGE_PARAMETERS if get_origin(self.answer) is Page else ())]

    @property
    def empty_status(self) -> int:
        return 204 if self.status == 200 else self.status

    @property
    def body(self) -> Mapping[str, Any] | None:
        """By type, as the generator of the schema has them."""
        if self.sent is None:
            return None
        reader, kind = self.sent
        if issubclass(reader, SentFile):
            return reader.content
        return {"application/json": refer_to_body(kind, has_key=reader.has_key, is_partial=reader.is_partial)}

    @property
    def responses(self) -> Mapping[Any, Any]:
        """By status, as the generator of the schema has them."""
        if self.file:
            is_text = self.file.startswith("text/")
            return {(self.status, self.file): OpenApiTypes.STR if is_text else OpenApiTypes.BINARY}
        if self.answer is type(None):
            return {self.empty_status: None}
        if self.is_list:
            return {self.status: {"type": "array", "items": schema_of_answer(get_args(self.answer)[0])}}
        return {self.status: schema_of_answer(self.answer)}

    def respond(self, answer: Any) -> HttpResponseBase:
        if isinstance(answer, Page):
            answer.data = to_json(answer.data)
            return answer
        if isinstance(answer, HttpResponseBase):
            return answer
        return Response(status=self.empty_status) if answer is None else Response(to_json(answer), status=self.status)


def operation(
    name: str, *, status: int = 200, file: str = "", parameters: Sequence[OpenApiParameter] = ()
) -> Callable[[Callable[..., Any]], Callable[..., HttpResponseBase]]:
    def decorate(method: Callable[..., Any]) -> Callable[..., HttpResponseBase]:
        described = Operation(method, name, status, file, parameters)

        @wraps(method)
        def answer(view: Any, request: Request, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if described.sent is not None:
                reader, kind = described.sent
                kwargs["sent"] = reader(request, kind)
            if described.query is not None:
                kwargs["query"] = Query(request, described.query)
            return described.respond(method(view, request, *args, **kwargs))

        answer.operation = described  # type: ignore[attr-defined]
        return answer

    return decorate


# ── Answers ──────────────────────────────────────────────────────────────────────────────────────────────


# Values that are answered as another dataclass, and how to make it.
_WRITTEN_AS: Mapping[type, tuple[type, Callable[[Any], object]]] = {
    Fraction: (Chance, write_chance),
    Distribution: (Chances, write_chances),
}
# What rules and games are set to.
Setting = Annotated[Any, Shape({"type": ["string", "integer", "number", "boolean", "null"]})]
_AS_THEY_ARE = frozenset({str, int, bool, float, type(None)})


def to_json(value: Any) -> Any:
    """What a client gets: every field, and moments in the viewer's zone."""
    return _in_zone(value, timezone.get_current_timezone())


def _in_zone(value: Any, zone: dt.tzinfo) -> Any:
    kind = type(value)
    if kind in _AS_THEY_ARE:
        return value
    if kind is dict:
        return {str(key): item if type(item) in _AS_THEY_ARE else _in_zone(item, zone) for key, item in value.items()}
    if kind is dt.datetime:
        return value.astimezone(zone)
    if kind in (list, tuple):
        return [_in_zone(item, zone) for item in value]
    if kind in _WRITTEN_AS:
        return _in_zone(_WRITTEN_AS[kind][1](value), zone)
    if is_dataclass(kind):
        return {
            key: item if type(item := getattr(value, name)) in _AS_THEY_ARE else _in_zone(item, zone)
            for name, key in _answered(kind)
        }
    if isinstance(value, Mapping):
        return {str(key): _in_zone(inner, zone) for key, inner in value.items()}
    return value.value if isinstance(value, Enum) else value


@cache
def _answered(kind: type) -> tuple[tuple[str, str], ...]:
    return tuple(answered_keys(kind).items())


# ── The schema ───────────────────────────────────────────────────────────────────────────────────────────

_components: dict[str, Callable[[], Schema]] = {}
_kinds: dict[str, tuple[type, bool]] = {}


def schema_of_answer(hint: Any) -> Schema:
    return dataclass_json.schema(hint, answer=True, refer=_refer)


def refer_to_body(kind: type, *, has_key: bool, is_partial: bool) -> Schema:
    def body() -> Schema:
        shape = dataclass_json.schema(kind)
        shape = {**shape, "properties": {**({"key": KEY} if has_key else {}), **shape["properties"]}}
        if variants := getattr(kind, "schema_variants", None):  # of a body whose fields depend on its kind
            bodies = {key: {**shape, "properties": {**shape["properties"], **own}} for key, own in variants().items()}
            return {"oneOf": [_note(kind, partial(dict, row), is_sent=True, part=key) for key, row in bodies.items()]}
        return {name: rule for name, rule in shape.items() if name != "required"} if is_partial else shape

    return _note(kind, body, is_sent=True)


def _refer(kind: Any) -> Schema | None:
    """A dataclass or TypedDict has a place of its own among the schema's components."""
    kind = _WRITTEN_AS[kind][0] if kind in _WRITTEN_AS else kind
    if not (isinstance(kind, type) and (is_dataclass(kind) or is_typeddict(kind))):
        return None

    def answer() -> Schema:
        return dataclass_json.schema(kind, answer=True, refer=lambda inner: None if inner is kind else _refer(inner))

    return _note(kind, answer, is_sent=False)


def _note(kind: type, shape: Callable[[], Schema], *, is_sent: bool, part: str = "") -> Schema:
    name = kind.__dict__.get("api_name", kind.__name__) + (f".{part}" if part else "")
    if _kinds.setdefault(name, (kind, is_sent)) != (kind, is_sent):
        raise TypeError(f"{kind} and {_kinds[name][0]} are both called {name} in the API. Give one an api_name.")
    _components.setdefault(name, shape)
    return {"$ref": f"#/components/schemas/{name}"}


def _shapes() -> Mapping[str, Schema]:
    """Those that operations refer to, and those that these refer to."""
    made: dict[str, Schema] = {}
    for name in _names():
        made[name] = {**_components[name](), **_description(_kinds[name][0])}
    return made


def _names() -> Iterator[str]:
    done: set[str] = set()
    while left := [name for name in _components if name not in done]:
        for name in left:
            _components[name]()
            done.add(name)
            yield name


def _description(kind: type) -> dict[str, str]:
    text = kind.__dict__.get("__doc__") or ""
    return {} if not text or text.startswith(f"{kind.__name__}(") else {"description": " ".join(text.split())}


register_shapes(_shapes)
