"""A battle told unit by unit, as a plain form has it: by its points and the units each side removed."""

from __future__ import annotations

from typing import Any

from campaign.annals.acts import act_of
from campaign.annals.fought import fought
from campaign.annals.lines import Line
from campaign.annals.state import State
from refusal import Refusal

# What a plain form asks of a battle; where the answers differ from the telling, the telling is wrong and goes.
ASKED = ("outcome", "scenario", "points", "removed")
TELLING = ("report", "told", "many")


def counted(act: str, body: dict[str, Any], state: State) -> dict[str, Any]:
    """The body with points and units as they come out; one that was counted already is given back as it is."""
    if not body.get("report"):
        return body
    try:
        effects = act_of(act).effects(state, {"battle": 0, **body}, state.rules())
    except Refusal:
        return body
    battle = fought(Line(0, act, body, effects, ""))
    return {**body, "points": battle.earned, "removed": battle.removed, "scenario": battle.scenario}


def corrected(before: dict[str, Any], typed: dict[str, Any], act: str, state: State) -> dict[str, Any]:
    """A line's body with what was typed in its place. A telling stays only if it still says what was typed."""
    was = counted(act, before, state)
    if not any(_bare(was.get(key)) != _bare(typed.get(key)) for key in ASKED):
        same = {key: value for key, value in typed.items() if key not in ASKED}
        return {**before, **same}
    return {key: value for key, value in before.items() if key not in TELLING} | typed


def _bare(value: Any) -> Any:
    return {key: one for key, one in value.items() if one} if isinstance(value, dict) else value or None
