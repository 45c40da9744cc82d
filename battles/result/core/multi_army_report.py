"""A pitched battle of more than two armies: who won and how many units each removed (SCEN-01, VP-01, VP-03)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypedDict

from refusal import Refusal
from rulebook.basics.input_checks import check_count
from rulebook.data.scenarios import SCENARIO

MAX_SIDES = 6
MAX_UNITS = 20
SIDE_LETTERS = "ABCDEF"
MULTI_ARMY_SCENARIO = "pitched_battle"


class MultiArmyJson(TypedDict):
    """As the chronicle and battles store it."""

    sides: list[str]
    winner: str | None
    removed: dict[str, int]
    lost: dict[str, int]
    yielded: list[str]


@dataclass(frozen=True, slots=True)
class MultiArmyReport:
    """``winner`` None is a draw. ``removed`` counts enemy units a side removed, ``lost`` its own losses."""

    sides: tuple[str, ...]
    winner: str | None
    removed: Mapping[str, int] = field(default_factory=dict)
    lost: Mapping[str, int] = field(default_factory=dict)
    yielded: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not 3 <= len(self.sides) <= MAX_SIDES:
            raise Refusal(f"Enter 3 to {MAX_SIDES} armies.", field="sides")
        if self.winner is not None and self.winner not in self.sides:
            raise Refusal("The winner must be one of the armies.", field="winner")
        if self.winner in self.yielded:
            raise Refusal(f"Side {self.winner} yielded, so it cannot have won.", field="yielded")
        for what, counts in (("removed", self.removed), ("lost", self.lost)):
            for side, number in counts.items():
                if side not in self.sides:
                    raise Refusal(f"There is no side {side} in this battle.", field=what)
                check_count(
                    number, f"units of side {side} {what}", most=MAX_UNITS * (MAX_SIDES if what == "removed" else 1)
                )
        killed, fallen = sum(self.removed.values()), sum(self.lost.values())
        if killed > fallen:
            raise Refusal(f"The armies removed {killed} units but lost only {fallen}.", field="removed")

    def points(self, side: str) -> tuple[tuple[str, int], ...]:
        """What the side earned: the rulebook's keys and the VP."""
        scenario = SCENARIO[MULTI_ARMY_SCENARIO]
        lines = [("kill", self.removed.get(side, 0) * scenario.pays("kill", "A"))]
        if side == self.winner:
            lines.append(("win", scenario.pays("win", "A")))
        return tuple(line for line in lines if line[1])

    def to_json(self) -> MultiArmyJson:
        return {
            "sides": list(self.sides),
            "winner": self.winner,
            "removed": dict(self.removed),
            "lost": dict(self.lost),
            "yielded": list(self.yielded),
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> MultiArmyReport:
        return cls(
            tuple(stored["sides"]),
            stored["winner"],
            dict(stored["removed"]),
            dict(stored["lost"]),
            tuple(stored["yielded"]),
        )
