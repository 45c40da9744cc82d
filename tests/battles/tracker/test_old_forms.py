"""Forms of an older release that a phone kept and sends today. Their fields are written out here as they were drawn.

When a template gets other names, this file stays as it is: the server has to read both.
"""

from __future__ import annotations

import pytest

from battles.models import Battle
from battles.tracker.selectors import load_snapshot
from tests.battles.battle_rows import Seat, make_battle
from tests.battles.tracker.core.memory_tracker import KING, house


def tracker_of(seat: Seat):
    return load_snapshot(Battle.objects.select_related("log").get(pk=seat.battle.pk)).tracker


@pytest.fixture
def seat(player) -> Seat:
    found = Seat(player.client, make_battle(player))
    found.begin()
    return found


def send(seat: Seat, part: str, **fields: object) -> int:
    """As the outbox sends it."""
    seat.taps += 1
    sent = {"key": f"kept-form-{seat.taps:04}", **fields}
    return seat.client.post(f"{seat.address}{part}", sent, headers={"X-Outbox": "1"}).status_code


OLD_STEPS = [
    # What was sent, and a question about the tracker with its answer.
    ({"kind": "token", "unit": "A1", "token": "acted-on"}, lambda now: now.unit("A1").acted, True),
    ({"kind": "token", "unit": "A5", "token": "flees-on"}, lambda now: now.unit("A5").fleeing, True),
    ({"kind": "did", "unit": "A1", "did": "move", "then": "table"}, lambda now: now.unit("A1").acted, True),
    ({"kind": "moved", "unit": "A4", "on": "yes", "then": "table"}, lambda now: now.unit("A4").moved, True),
    (
        {"kind": "losses", "unit": "B3", "models": "2", "seen_cells": "{}", "then": "table"},
        lambda now: now.unit("B3").now.models,
        2,
    ),
    (
        {"kind": "losses", "unit": "B2", "models": "1", "wounds": "2", "seen_cells": "{}", "then": "table"},
        lambda now: now.unit("B2").now.wounds,
        2,
    ),
    (
        {"kind": "stands_at", "unit": "B3", "terrain": "barrier", "then": "table"},
        lambda now: now.unit("B3").at.terrain,
        "barrier",
    ),
    ({"kind": "contact", "unit": "A3", "other": "B3", "then": "table"}, lambda now: now.contacts("A3"), ("B3",)),
    ({"kind": "gone", "unit": "B3", "how": "edge", "then": "table"}, lambda now: now.unit("B3").here, False),
    (
        # The combat helper: ticks, terrain and dice in one form. It had no tick "enemy_inside" yet.
        {"kind": "fight", "unit": "A4", "how": "shoot", "told": "1", "target": "B5", "at": "clear", "far": "on"}
        | {"target_at": "barrier", "faces": "10 1 1 1", "then": "table"},
        lambda now: (now.fights()["A4"].faces, now.fights()["A4"].situation.target_at.terrain),
        ((10, 1, 1, 1), "barrier"),
    ),
    (
        # "Roll here" of the combat helper rolled the hits and no more.
        {"kind": "fight", "unit": "A4", "how": "shoot", "told": "1", "target": "B5", "faces": "", "here": "1"},
        lambda now: "A4" in now.fights() or now.unit("A4").acted,
        True,
    ),
    ({"kind": "round_over", "roll_A": "8", "roll_B": "2"}, lambda now: now.round, 2),
    ({"kind": "put_away", "on": "yes"}, lambda now: now.get("away"), True),
]


@pytest.mark.parametrize(("sent", "ask", "answer"), OLD_STEPS, ids=[f"{row[0]['kind']}" for row in OLD_STEPS])
def test_step_of_an_older_form_is_taken(seat, sent, ask, answer):
    assert send(seat, "step/", **sent) in (200, 204)
    assert ask(tracker_of(seat)) == answer


def test_dice_and_morale_of_an_older_form_are_taken(seat):
    send(seat, "step/", kind="fight", unit="A4", how="shoot", told="1", target="B5", faces="", then="table")
    assert send(seat, "step/", kind="dice", fight="A4", at_count="0", faces="10 10 10 10") == 200
    assert tracker_of(seat).fights()["A4"].faces == (10, 10, 10, 10)
    assert send(seat, "step/", kind="dice", fight="A4", at_count="4", here="1") == 200
    send(seat, "step/", kind="fight", unit="A3", how="charge", told="1", target="B3", faces="10 1 1 1 1 1")
    assert send(seat, "step/", kind="dice", fight="A3", at_count="6", faces="1") == 200
    assert send(seat, "step/", kind="morale_holds", fight="A3", at_count="7", king_near="on") == 200
    assert send(seat, "step/", kind="broken_off", fight="A3") == 200
    assert "A3" not in tracker_of(seat).fights()


def test_fix_and_undo_of_an_older_form_are_taken(seat):
    fields = {"models_B3": "2", "wounds_B3": "0", "hero_B3": "0", "gone_B3": "", "acted_B3": "on"}
    assert send(seat, "set/", round="2", then="table", spent_A="0", **fields) == 204
    assert (tracker_of(seat).round, tracker_of(seat).unit("B3").now.models) == (2, 2)
    number = load_snapshot(Battle.objects.select_related("log").get(pk=seat.battle.pk)).recent[-1].number
    assert send(seat, f"take-back/{number}/", seen="1", then="table") == 204
    assert tracker_of(seat).round == 1


def test_solo_roll_of_an_older_form_is_taken(player):
    """Distances of every unit and the die in one form, before walls were asked about."""
    seat = Seat(player.client, make_battle(player, a=[KING, house(1, "field_mice")], b=[KING, house(1, "bow_mice")]))
    seat.lay(solo="B")
    seat.step("begin", roll_A=3, roll_B=8)
    fields = {"enemy_B2": "A2", "inches_B2": "7", "sees_B2": "on", "reach_B2": "on", "enemy_B1": "", "inches_B1": ""}
    assert send(seat, "step/", kind="solo", roll="2", then="solo", **fields) == 204
    assert "shoots at Oakhold’s Field Mice" in seat.page("opponent/")
