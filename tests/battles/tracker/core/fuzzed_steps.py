"""Bodies of steps, right and wrong: each field missing, of the wrong kind, too long, unknown, nested too deep."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from battles.tracker.core import logged_steps
from battles.tracker.core.logged_steps import UNDO, fold_steps
from battles.tracker.core.steps.tracker_step import step_kinds
from tests.campaign.chronicle.fuzzed_bodies import copy_body, spoil_body

JUNK: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 3, 10, 10**12, 10**40, 1.5, 1e300, "", "A", "A1", "A2", "A3", "B1", "B2", "Z9", "C",
    "x" * 5000, "🧀", "²", "charge", "shoot", "cast", "torch", "bombard", "strike", "rally", "nerve", "mound",
    "fortress", "gatehouse", "tower_nw", "courtyard", "battlement_n", "flees", "escaped", "edge", "near", "king",
    "spear_and_shield", [], [1], [0], [[]], [{}], [10, 10, 1, 1], {}, {"A": 1}, {"A": "x"}, {"A1": {}}, {"": None},
    {"A1": {"models": 1}}, {"castle": "x"}, {"castle": "gatehouse", "set": True},
    {"terrain": "barrier", "extra_tall": True}, {"a": {"b": {"c": {"d": []}}}}, {"inches": 3},
    {"inches": -1}, {"enemy": "A1"}, {"flanked": 99},
)  # fmt: skip
_LOGS = json.loads((Path(__file__).parent / "data" / "stored_steps.json").read_text())["logs"]


def _sent(row: dict[str, Any]) -> dict[str, Any]:
    known = logged_steps.step_schema(row["kind"])["properties"]
    return {name: value for name, value in row["body"].items() if name in known}


# Steps that are younger than the stored logs.
YOUNG: dict[str, list[dict[str, Any]]] = {"solo_die": [{"roll": 4, "second": 7}]}
# Bodies that were once accepted, so that fuzzing starts from what nearly passes.
GOOD: dict[str, list[dict[str, Any]]] = {
    kind: [_sent(row) for log in _LOGS.values() for row in log["steps"] if row["kind"] == kind] for kind in step_kinds()
} | YOUNG


def sample_states() -> list[tuple[str, dict[str, Any]]]:
    """A scenario and the cells of each stored battle after every few of its steps, the empty tracker first."""
    found: list[tuple[str, dict[str, Any]]] = [("pitched_battle", {}), ("siege", {})]
    for log in _LOGS.values():
        steps = [
            logged_steps.read_entry(row["number"], row["kind"], row["body"], row["effects"]) for row in log["steps"]
        ]
        plain = [step for step in steps if step.kind != UNDO]
        found += [(log["scenario"], fold_steps(plain[:at])) for at in range(2, len(plain) + 1, 3)]
    return found


def fuzzed_steps(kind: str, count: int, seed: int = 1) -> Iterator[Any]:
    """Bodies for this step: the right ones, each of their values replaced by junk, then anything."""
    dice = random.Random(f"{kind}/{seed}")
    yield from GOOD[kind][:count]
    fields = [*logged_steps.step_schema(kind)["properties"], "said", "reads", "unknown", ""]
    for number in range(count - len(GOOD[kind])):
        if number % 50 == 49:
            yield copy_body(dice.choice(JUNK))
            continue
        body = copy_body(dice.choice(GOOD[kind]))
        for _ in range(dice.choice((1, 1, 1, 2, 4))):
            spoil_body(body, fields, dice, JUNK)
        yield body
