"""Twelve phones at one battle in the same moment, then what the log holds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from battles.models import Battle
from battles.tracker import services as tracker_services, starting_armies
from battles.tracker.core.steps.fights import AddDice, StartFight
from battles.tracker.core.steps.rounds import BeginBattle
from battles.tracker.core.steps.set_up import SetUpArmies
from battles.tracker.core.steps.units import MarkMoved, NewPosition, SetPosition
from battles.tracker.selectors import find_problems, load_snapshot, steps_of
from people.models import Person
from people.requester import Who
from tests.battles.battle_rows import make_battle
from tests.battles.tracker.core.memory_tracker import house
from tests.races import run_at_once

PHONES, TAPS = 12, 4


def race() -> dict[str, Any]:
    person = Person.objects.create(name="Wren")
    who = Who.of(person)
    units = [house(at, "bow_mice") for at in range(1, PHONES // 2 + 1)]
    battle = make_battle(person, a=units, b=units)
    found = tracker_services.visible_battles(who).get(pk=battle.pk)
    sides = tuple(row.starting(()) for row in starting_armies.starting_sides(found))
    tracker_services.take_step(found, who, SetUpArmies(sides), key="the-armies-stand")
    tracker_services.take_step(found, who, BeginBattle({"A": 8, "B": 3}), key="the-battle-begins")

    def phone(number: int) -> Callable[[], None]:
        """Each phone moves its own unit; all see the table as it was before anybody tapped."""
        mine = f"{'AB'[number % 2]}{number // 2 + 1}"
        target = f"{'BA'[number % 2]}{number // 2 + 1}"
        seen = tracker_services.visible_battles(Who.of(person)).get(pk=battle.pk)
        taps = [
            MarkMoved(mine),
            SetPosition(mine, NewPosition("mound")),
            StartFight(mine, "shoot", target),
            AddDice(mine, (1, 1, 1, 1), 0),
        ]

        def tap() -> None:
            for at, step in enumerate(taps[:TAPS]):
                tracker_services.take_step(seen, who, step, key=f"phone-{number:02}-tap-{at}")

        return tap

    outcomes = run_at_once([phone(number) for number in range(PHONES)])
    fresh = Battle.objects.select_related("log").get(pk=battle.pk)
    tracker = load_snapshot(fresh).tracker
    return {
        "refused": [f"{one}: {one.error}" for one in outcomes if one.error],
        "steps": len(steps_of(fresh)),
        "acted": sum(unit.acted for unit in tracker.units()),
        "mounds": sum(unit.at.terrain == "mound" for unit in tracker.units()),
        "problems": find_problems(fresh),
    }
