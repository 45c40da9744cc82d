"""Turn a unit-by-unit report into the totals of the short form."""

from __future__ import annotations

from typing import Any

from campaign.chronicle import codec
from campaign.chronicle.battle_records import read_battle
from campaign.chronicle.entries import ChronicleEntry
from campaign.chronicle.state import State
from refusal import Refusal

# The fields of the short form. If they differ from the unit report, that report is dropped.
FORM_KEYS = ("outcome", "scenario", "points", "removed")
UNIT_REPORT_KEYS = ("report", "told", "many")


def with_totals(act: str, body: dict[str, Any], state: State) -> dict[str, Any]:
    """The body with total points and units; unchanged if it has no unit report."""
    if not body.get("report"):
        return body
    try:
        effects = codec.read_stored(act, body).decide(state, state.rules())
    except Refusal:
        return body
    battle = read_battle(ChronicleEntry(0, act, body, effects, ""))
    return {**body, "points": battle.earned, "removed": battle.removed, "scenario": battle.scenario}


def merge_correction(before: dict[str, Any], typed: dict[str, Any], act: str, state: State) -> dict[str, Any]:
    """An entry's body with the typed values. The unit report stays only if it still agrees with them."""
    was = with_totals(act, before, state)
    if not any(_without_empty(was.get(key)) != _without_empty(typed.get(key)) for key in FORM_KEYS):
        same = {key: value for key, value in typed.items() if key not in FORM_KEYS}
        return {**before, **same}
    return {key: value for key, value in before.items() if key not in UNIT_REPORT_KEYS} | typed


def _without_empty(value: Any) -> Any:
    return {key: one for key, one in value.items() if one} if isinstance(value, dict) else value or None
