"""Every shape that steps have been stored in still reads: the same state, the same sentences.

``data/stored_steps.json`` was written by the release before steps were typed: every kind of step, with the fields that
its forms and other clients sent. Never edit it; a new shape gets a file of its own.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from battles.tracker.core import logged_steps
from battles.tracker.core.fight_progress import progress_of
from battles.tracker.core.logged_steps import UNDO, active_steps, fold_steps, judge_step, measure_luck
from battles.tracker.core.state import BattleTerms, TrackerState
from battles.tracker.core.steps.tracker_step import OFFER, step_kinds
from battles.tracker.selectors import load_snapshot
from people.models import Person
from rulebook.data.house_rules import Options
from tests.battles.battle_rows import make_battle, store_steps
from tests.battles.tracker.core.fuzzed_steps import YOUNG

LOGS = json.loads((Path(__file__).parent / "data" / "stored_steps.json").read_text())["logs"]


def _steps(log: str) -> list:
    return [
        logged_steps.read_entry(row["number"], row["kind"], row["body"], row["effects"]) for row in LOGS[log]["steps"]
    ]


def test_fixture_has_every_kind_of_step():
    assert {row["kind"] for log in LOGS.values() for row in log["steps"]} == {*step_kinds(), UNDO} - {*YOUNG}


@pytest.mark.parametrize("log", LOGS)
def test_stored_steps_lead_to_the_same_state_and_sentences(log):
    steps = _steps(log)
    assert fold_steps(active_steps(steps)) == LOGS[log]["cells"]
    assert [list(step.sentences_or_dice) for step in steps] == LOGS[log]["sentences"]
    tracker = TrackerState(LOGS[log]["cells"])
    assert len(tracker.units()) == len(tracker.unit_ids())
    for fight in tracker.fights().values():
        assert fight.to_cell() == LOGS[log]["cells"][f"fight/{fight.attacker}"]
        progress_of(tracker, BattleTerms(LOGS[log]["scenario"]), fight)
    measure_luck(steps)


@pytest.mark.parametrize("log", LOGS)
def test_the_same_steps_are_judged_as_before(log):
    """Sent again as far as their fields are known today, they write the same cells and say the same."""
    terms = BattleTerms(LOGS[log]["scenario"], Options.from_differences(LOGS[log]["options"]))
    before = []
    for row, logged in zip(LOGS[log]["steps"], _steps(log), strict=True):
        if row["kind"] != UNDO:
            known = logged_steps.step_schema(row["kind"])["properties"]
            sent = {name: value for name, value in row["body"].items() if name in known}
            # Entries of then kept the round they were taken in instead of their own.
            sent |= {"set": {"round": 4}, "held": {"round": 1}}.get(row["kind"], {})
            done = judge_step(fold_steps(active_steps(before)), terms, logged_steps.read_sent(row["kind"], sent))
            again = logged_steps.read_entry(row["number"], row["kind"], *logged_steps.write_entry(done))
            if again.writes.get(
                OFFER
            ):  # then the fight waited for "settled", which wrote what is written at once today
                cell = f"fight/{again.writes[OFFER]['fight']}"
                assert again.dice == logged.dice
                assert _comparable(again.writes[OFFER]["before"])[cell] == _comparable(logged.writes)[cell]
                before.append(logged)
                continue
            assert (again.sentences, again.dice) == (logged.sentences, logged.dice)
            # Then the defenders of a siege were set up before the walls, and a cancelled charge left a melee.
            if row["kind"] in ("laid", "broken_off"):
                assert again.writes.items() >= logged.writes.items()
            else:
                assert _comparable(again.writes) == _comparable(logged.writes)
        before.append(logged)


def _comparable(writes: dict) -> dict:
    """A situation may have more in it than then."""
    return {
        cell: {**now, "situation": None} if cell.startswith("fight/") and now else now for cell, now in writes.items()
    }


@pytest.mark.parametrize("kind", [kind for kind in step_kinds() if kind not in YOUNG])
def test_entry_is_the_same_after_it_is_written_and_read_again(kind):
    row = next(row for log in LOGS.values() for row in log["steps"] if row["kind"] == kind)
    known = logged_steps.step_schema(kind)["properties"]
    step = logged_steps.read_sent(kind, {name: value for name, value in row["body"].items() if name in known})
    assert logged_steps.read_sent(kind, json.loads(json.dumps(logged_steps.write_sent(step)))) == step


@pytest.mark.django_db
@pytest.mark.parametrize("log", LOGS)
def test_stored_steps_read_from_the_database(log):
    battle = store_steps(make_battle(Person.objects.create(name="Wren")), LOGS[log]["steps"])
    assert load_snapshot(battle).cells == LOGS[log]["cells"]
