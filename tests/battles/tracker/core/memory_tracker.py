"""A table without a database: steps worked out, kept and taken back in memory."""

from __future__ import annotations

from typing import Any

from battles.tracker.lines import TAKE_BACK, Step, counting, fold, resting_on, step_of
from battles.tracker.steps import Done, work_out
from battles.tracker.table import Table, Terms
from rulebook.options import Options

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

    def __init__(self, scenario: str = "pitched_battle", *, lay: bool = True, **options: Any) -> None:
        self.terms = Terms(scenario, Options.from_differences(options))
        self.steps: list[Step] = []
        if lay:
            self.lay()

    @property
    def table(self) -> Table:
        return Table(fold(counting(self.steps)))

    def lay(self, a: list[dict] | None = None, b: list[dict] | None = None, **more: Any) -> None:
        sides = [
            {"side": "A", "name": "Oakhold", "units": a or OAKHOLD, "vp": more.pop("vp_a", 0)},
            {"side": "B", "name": "Thistledown", "units": b or THISTLEDOWN, "vp": more.pop("vp_b", 0)},
        ]
        if self.terms.siege:
            more = {"vats": ["battlement_n", "gatehouse"], "towers": ["tower_nw", "tower_ne"], **more}
        self.do("laid", sides=sides, **more)

    def judge(self, kind: str, **body: Any) -> Done:
        return work_out(self.table.cells, self.terms, kind, body)

    def do(self, kind: str, **body: Any) -> Done:
        done = self.judge(kind, **body)
        if not done.idle:
            self.steps.append(step_of(len(self.steps) + 1, kind, done.body, done.effects))
        return done

    def begin(self, a: int = 8, b: int = 3) -> None:
        self.do("begin", rolls={"A": a, "B": b})

    def take_back(self, number: int) -> tuple[int, ...]:
        going = resting_on(self.steps, number)
        self.steps.append(Step(len(self.steps) + 1, TAKE_BACK, {"steps": list(going)}, {}))
        return going

    def fight(self, unit: str, target: str | None, how: str, *faces: list[int], **more: Any) -> None:
        self.do("fight", unit=unit, target=target, how=how, **more)
        for group in faces:
            self.do("dice", fight=unit, faces=group)
