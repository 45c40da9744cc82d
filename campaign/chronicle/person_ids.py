"""Where people stand in a chronicle: always by their ids, and only in the places listed here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from campaign.annals.lines import CORRECTIONS, Line

_IN_BODY: dict[str, tuple[str, ...]] = {
    "founded": ("master",),
    "kingdom_joins": ("ruler",),
    "ruler_changed": ("person",),
    "regent_named": ("person",),
    "master_shared": ("person",),
    "master_left": ("person", "to"),
}
_IN_EFFECT: dict[str, tuple[str, ...]] = {
    "master": ("person",),
    "joined": ("ruler",),
    "ruler": ("person",),
    "regent": ("person",),
}

# Who agreed to a report or a correction before it was written, and on whose phone: in the body of any act.
_IN_CONFIRMED = ("person", "phone")


def register(act: str, *fields: str) -> None:
    """For apps above: the fields of their act's body that hold a person's id."""
    _IN_BODY[act] = fields


def persons_of(line: Line, acts: Mapping[int, str]) -> Iterator[int]:
    """Every id a line names, in a fixed order. ``acts`` says what kind of line each number is."""
    found: list[int] = []

    def note(person: int) -> int:
        found.append(person)
        return person

    exchanged(line, note, acts)
    yield from found


def exchanged(line: Line, to: Callable[[int], int], acts: Mapping[int, str]) -> Line:
    """The same line with other ids in the places of people."""
    actor = to(line.actor) if line.actor is not None else None
    behalf = to(line.on_behalf_of) if line.on_behalf_of is not None else None
    body = _body(line.body, line.act, to)
    if line.act in CORRECTIONS:
        body = body | {"bundle": _bundle(line.body["bundle"], to, acts)}
    return line._replace(actor=actor, on_behalf_of=behalf, body=body, effects=_effects(line.effects, to))


def _body(body: dict[str, Any], act: str, to: Callable[[int], int]) -> dict[str, Any]:
    body = _row(body, _IN_BODY.get(act, ()), to)
    if isinstance(body.get("confirmed"), list):
        rows = [_row(row, _IN_CONFIRMED, to) for row in body["confirmed"] if isinstance(row, dict)]
        body = body | {"confirmed": rows}
    return body


def _row(row: dict[str, Any], fields: tuple[str, ...], to: Callable[[int], int]) -> dict[str, Any]:
    return row | {field: to(row[field]) for field in fields if isinstance(row.get(field), int)}


def _effects(effects: list[dict[str, Any]], to: Callable[[int], int]) -> list[dict[str, Any]]:
    return [_row(effect, _IN_EFFECT.get(effect["do"], ()), to) for effect in effects]


def _bundle(bundle: dict[str, Any], to: Callable[[int], int], acts: Mapping[int, str]) -> dict[str, Any]:
    amended = {}
    for number, changed in bundle["amend"].items():
        amended[number] = {**changed, "effects": _effects(changed["effects"], to)}
        if "body" in changed:
            amended[number]["body"] = _body(changed["body"], acts.get(int(number), ""), to)
    return {**bundle, "amend": amended}
