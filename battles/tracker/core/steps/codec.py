"""Steps as JSON and back: the only place that knows what a tracker's entries look like in the log.

An entry's body is the fields of its step, and beside them what we add: the sentences, the cells it read, its dice and
the round. Its effects are the cells it wrote. Nothing but these is ever read again, so older fields do no harm.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import dataclass_json
from battles.tracker.core.logged_steps import UNDO, LoggedStep
from battles.tracker.core.steps.registry import TrackerStep, get_step
from battles.tracker.core.steps.step_check import JudgedStep
from battles.tracker.core.steps.step_reads_and_writes import RolledGroup
from refusal import Refusal

Body = dict[str, Any]  # an entry's body, or what somebody sent

SENTENCES, READS, DICE, ROUND, UNDONE = "said", "reads", "dice", "round", "steps"
TAP = "tap"  # the entry that began the tap this step belongs to
TAKEN_IN = "taken_in"  # the round of a step that has a field "round" itself


def read_sent(kind: object, body: object) -> TrackerStep:
    """The step somebody sent, or a refusal: a field is missing, unknown, too long or of the wrong kind."""
    step = get_step(kind)
    if not isinstance(body, Mapping):
        raise Refusal("The body of a step must be an object.", field="body")
    return dataclass_json.read(step, body)


def write_sent(step: TrackerStep) -> Body:
    """The body that reads as this step."""
    return dict(dataclass_json.write(step))


def write_entry(judged: JudgedStep, tap: int | None = None) -> tuple[Body, list[Body]]:
    """The body and the effects of a judged step. ``tap``: the entry whose tap rolled this too."""
    body = write_sent(judged.step)
    own_round = ROUND in dataclass_json.json_keys(type(judged.step)).values()
    body |= {
        SENTENCES: list(judged.sentences),
        READS: list(judged.reads),
        TAKEN_IN if own_round else ROUND: judged.round,
    }
    if judged.dice:
        body[DICE] = [dataclass_json.write(group) for group in judged.dice]
    if tap is not None:
        body[TAP] = tap
    return body, [{"cell": cell, "now": now} for cell, now in judged.writes.items()]


def write_undo(numbers: Sequence[int]) -> Body:
    return {UNDONE: list(numbers)}


def read_entry(number: int, kind: str, body: Mapping[str, Any], effects: Sequence[Mapping[str, Any]]) -> LoggedStep:
    return LoggedStep(
        number,
        kind,
        {str(effect["cell"]): effect["now"] for effect in effects},
        frozenset(body.get(READS, ())),
        tuple(body.get(SENTENCES, ())),
        tuple(read_group(group) for group in body.get(DICE, ())),
        body.get(TAKEN_IN, body.get(ROUND, 0)),
        tuple(body[UNDONE]) if kind == UNDO else (),
        body.get(TAP) or number,
    )


def read_group(group: Mapping[str, Any]) -> RolledGroup:
    return RolledGroup(
        group["what"], group["side"], tuple(group["needed"]), tuple(group["faces"]), bool(group.get("again"))
    )


def step_schema(kind: str) -> Body:
    """The JSON Schema of a step's body."""
    return dataclass_json.schema(get_step(kind))
