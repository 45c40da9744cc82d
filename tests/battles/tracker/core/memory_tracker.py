"""A tracker in memory, without a database."""

from __future__ import annotations

from typing import Any

from battles.tracker.core import logged_steps
from battles.tracker.core.logged_steps import (
    UNDO,
    JudgedStep,
    LoggedStep,
    active_steps,
    find_dependent_steps,
    fold_steps,
    judge_step,
)
from battles.tracker.core.state import BattleTerms, TrackerState
from rulebook.data.house_rules import Options

KING = {"unit": "king", "origin": "king"}


def house(number: int, unit: str, hero: str | None = None, weapon: str | None = None) -> dict[str, Any]:
    return {"unit": unit, "origin": "house", "number": number, "hero": hero, "weapon": weapon}


OAKHOLD = [
    KING,
    house(1, "mice_at_arms", "assassin"),
    house(2, "rat_riders"),
    house(3, "bow_mice", "ranger"),
    house(4, "field_mice"),
]
THISTLEDOWN = [KING, house(1, "battle_cat"), house(2, "bow_mice", "wizard"), house(3, "ballista"), house(4, "hoppers")]


class Play:
    """One battle, step by step."""

    def __init__(self, scenario: str = "pitched_battle", *, set_up: bool = True, **options: Any) -> None:
        self.terms = BattleTerms(scenario, Options.from_differences(options))
        self.steps: list[LoggedStep] = []
        if set_up:
            self.set_up()

    @property
    def tracker(self) -> TrackerState:
        return TrackerState(fold_steps(active_steps(self.steps)))

    def set_up(self, a: list[dict] | None = None, b: list[dict] | None = None, **more: Any) -> None:
        sides = [
            {"side": "A", "name": "Oakhold", "units": a or OAKHOLD, "vp": more.pop("vp_a", 0)},
            {"side": "B", "name": "Thistledown", "units": b or THISTLEDOWN, "vp": more.pop("vp_b", 0)},
        ]
        if self.terms.siege:
            more = {"vats": ["battlement_n", "gatehouse"], "towers": ["tower_nw", "tower_ne"], **more}
        self.do("laid", sides=sides, **more)

    def judge(self, kind: str, **body: Any) -> JudgedStep:
        return judge_step(self.tracker.cells, self.terms, logged_steps.read_sent(kind, body))

    def do(self, kind: str, **body: Any) -> JudgedStep:
        done = self.judge(kind, **body)
        if not done.changes_nothing:
            self.steps.append(logged_steps.read_entry(len(self.steps) + 1, kind, *logged_steps.write_entry(done)))
        return done

    def begin(self, a: int = 8, b: int = 3) -> None:
        self.do("begin", rolls={"A": a, "B": b})

    def undo(self, number: int) -> tuple[int, ...]:
        going = find_dependent_steps(self.steps, number)
        self.steps.append(logged_steps.read_entry(len(self.steps) + 1, UNDO, logged_steps.write_undo(going), []))
        return going

    def fight(self, unit: str, target: str | None, how: str, *faces: list[int], **more: Any) -> None:
        self.do("fight", unit=unit, target=target, how=how, **more)
        for group in faces:
            self.do("dice", fight=unit, faces=group)
