"""Reads text and JSON from outside: whatever passes here can be stored in every database and written out again.

Standard library only, because the pure packages read files too.
"""

import json
import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

from refusal import Refusal

MAX_NUMBER = 2**53 - 1  # what every JSON reader holds exactly
MAX_NAME = 200  # characters in a key or the name of a field


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one JSON text may hold."""

    depth: int = 24
    values: int = 20_000
    text: int = 20_000  # characters in one string


BODY = Limits()
FILE = Limits(values=4_000_000)


def read_json(raw: bytes | str, limits: Limits = BODY) -> Any:
    """The value in this text. Raises Refusal: 400 if it is not JSON, 413 if it is too much, 422 for a bad value."""
    try:
        text = raw if isinstance(raw, str) else raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Refusal("This is not text in UTF-8.", status=400) from error
    try:
        value = json.loads(text, object_pairs_hook=_unique_keys, parse_constant=_refuse_constant, parse_int=_read_int)
    except Refusal:
        raise
    except json.JSONDecodeError as error:
        raise Refusal(
            f"This is not valid JSON. The first error is at line {error.lineno}, column {error.colno}.", status=400
        ) from error
    except RecursionError as error:
        raise _too_deep() from error
    check_json(value, limits)
    return value


def check_json(value: object, limits: Limits = BODY) -> None:
    """Refuse a value that a database or another reader cannot hold; the field is its path, as ``body.throws.0``."""
    for count, (path, one) in enumerate(_walk(value, limits.depth)):
        if count >= limits.values:
            raise Refusal(f"This has more than {limits.values} values. Send less at once.", status=413)
        if isinstance(one, str):
            check_text(one, field=path, most=limits.text)
        elif isinstance(one, (int, float)):
            check_number(one, field=path)


def check_text(text: str, *, field: str = "", most: int = BODY.text) -> None:
    """Refuse text that is too long, or has characters that PostgreSQL or UTF-8 cannot hold."""
    if len(text) > most:
        raise Refusal(f"{_name(field)} has {len(text)} characters. The limit is {most}.", field=field or None)
    if not is_storable(text):
        raise Refusal(f"{_name(field)} contains a character that is not text. Remove it.", field=field or None)


def check_fields(fields: Iterable[tuple[str, list[str]]]) -> None:
    """The same for the names and values of a form."""
    for name, values in fields:
        check_text(name, most=MAX_NAME)
        for value in values:
            check_text(value, field=name)


def is_storable(text: str) -> bool:
    """Whether it has neither NUL nor half of a surrogate pair."""
    if "\0" in text:
        return False
    try:
        text.isascii() or text.encode()
    except UnicodeEncodeError:
        return False
    return True


def check_number(number: float, *, field: str = "") -> None:
    if not math.isfinite(number) or abs(number) > MAX_NUMBER:
        raise Refusal(f"{_name(field)} is not a number we can keep. It is too large.", field=field or None)


def count_bytes(value: object) -> int:
    """How long it is as JSON in UTF-8."""
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str).encode(errors="replace"))


def _walk(value: object, depth: int) -> Iterator[tuple[str, object]]:
    """Every value and key with its path, without recursion."""
    stack: list[tuple[str, object, int]] = [("", value, 0)]
    while stack:
        path, one, level = stack.pop()
        if level > depth:
            raise _too_deep(path)
        yield path, one
        if isinstance(one, dict):
            for key, inner in one.items():
                _check_key(key, path)
                stack.append((f"{path}.{key}" if path else key, inner, level + 1))
        elif isinstance(one, (list, tuple)):
            stack += [(f"{path}.{n}" if path else str(n), inner, level + 1) for n, inner in enumerate(one)]


def _check_key(key: str, path: str) -> None:
    if len(key) > MAX_NAME:
        raise Refusal(f"The name of a field has {len(key)} characters. The limit is {MAX_NAME}.", field=path or None)
    if not is_storable(key):
        raise Refusal("The name of a field contains a character that is not text.", field=path or None)


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, object]:
    values = dict(pairs)
    if len(values) != len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise Refusal(f"{_name(twice)} is given twice. Give it once.", status=400, field=_shown(twice))
    return values


def _read_int(digits: str) -> int:
    """Python refuses to read thousands of digits; ``check_number`` then refuses the number with its field."""
    return int(digits) if len(digits) < 20 else (MAX_NUMBER + 1)


def _refuse_constant(name: str) -> NoReturn:
    raise Refusal(f"{name} is not valid JSON.", status=400)


def _too_deep(path: str = "") -> Refusal:
    """A field that is too deep is a bad value; what is too deep to be read at all has no field."""
    field = re.sub(r"(\.\d+)+$", "", path)  # the list itself, not the 60th list in it
    return Refusal("This JSON is nested too deeply.", status=422 if path else 400, field=_shown(field) or None)


def _name(field: str) -> str:
    return f"“{_shown(field)}”" if field else "This"


def _shown(field: str) -> str:
    return field.encode(errors="replace").decode().replace("\0", "?")[:MAX_NAME]
