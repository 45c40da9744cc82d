"""Kinds of act: what may be decided, whether it is allowed now, and what it does. Apps above register their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from campaign.chronicle.effects import Effect
from campaign.chronicle.state import State
from refusal import Refusal
from rulebook.data.house_rules import Options

Body = dict[str, Any]

# The version of our reading of the rules. Written into each entry; a preview says when it differs.
RULES_VERSION = 1

MASTER, RULER, MEMBER = "master", "ruler", "member"


@dataclass(frozen=True, slots=True)
class ActKind:
    """One kind of act.

    ``prepare`` completes the body when it is entered (numbers, ids). ``effects`` returns the changes, or raises Refusal
    if the act is not allowed in this state. ``by`` says who may do it: the master, the ruler of ``body["kingdom"]`` (or
    of one of ``rulers(body)``), or any member. ``touches``: the kingdoms it concerns. ``confirm``: it is a report that
    others may have to confirm, by the terms of the campaign (see petitions).
    """

    key: str
    effects: Callable[[State, Body, Options], list[Effect]]
    by: str = MASTER
    prepare: Callable[[State, Body], Body] | None = None
    rulers: Callable[[Body], tuple[str, ...]] = lambda body: (body["kingdom"],) if "kingdom" in body else ()
    touches: Callable[[Body], tuple[str, ...]] | None = None
    confirm: bool = False

    def kingdoms(self, body: Body) -> tuple[str, ...]:
        return (self.touches or self.rulers)(body)


_kinds: dict[str, ActKind] = {}


def register_act_kind(act: ActKind) -> ActKind:
    _kinds[act.key] = act
    return act


def get_act_kind(key: str) -> ActKind:
    if key not in _kinds:
        raise Refusal(f"There is no act called {key!r}.", field="act")
    return _kinds[key]


def list_act_kinds() -> tuple[str, ...]:
    return tuple(_kinds)


def house_rules_in_force(body: Mapping[str, Any]) -> Options:
    """The house rules in force when the entry was written."""
    return Options.from_differences(body.get("in_force", {}).get("options", {}))


# --- looking things up in a state, with a sentence where they are not there ------------------------------------------


def require_kingdom(state: State, key: object, field: str = "kingdom") -> Any:
    found = state.kingdoms.get(key) if isinstance(key, str) else None
    if found is None or found.status == "gone":
        raise Refusal("There is no such kingdom in this campaign.", field=field)
    return found


def require_whole_number(value: object, what: str, *, least: int, most: int, field: str | None = None) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise Refusal(f"{what} must be a whole number, not {value!r}.", field=field)
    if not least <= value <= most:
        raise Refusal(f"{what} must be {least} to {most}, not {value}.", field=field)
    return value


def require_text(value: object, what: str, *, most: int, field: str | None = None, empty: bool = False) -> str:
    if not isinstance(value, str):
        raise Refusal(f"{what} must be text.", field=field)
    if not value.strip() and not empty:
        raise Refusal(f"{what} is empty. Write a few words.", field=field)
    if len(value) > most:
        raise Refusal(f"{what} has {len(value)} characters. The limit is {most}.", field=field)
    return value
