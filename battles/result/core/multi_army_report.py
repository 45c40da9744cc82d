"""A pitched battle of more than two armies: the table says who won and how many enemy units each removed (SCEN-01, VP-01, VP-03)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from refusal import Refusal
from rulebook.rolls import count
from rulebook.scenarios import SCENARIO

MOST_SIDES = 6
UNITS_MOST = 20
LETTERS = "ABCDEF"
SCENARIO_KEY = "pitched_battle"


@dataclass(frozen=True, slots=True)
class ManyTold:
    """``winner`` None is a draw. ``removed`` counts the enemy units each side removed, ``lost`` its own that were."""

    sides: tuple[str, ...]
    winner: str | None
    removed: Mapping[str, int] = field(default_factory=dict)
    lost: Mapping[str, int] = field(default_factory=dict)
    yielded: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not 3 <= len(self.sides) <= MOST_SIDES:
            raise Refusal(f"Such a battle has 3 to {MOST_SIDES} armies.", field="sides")
        if self.winner is not None and self.winner not in self.sides:
            raise Refusal("The winner must be one of those who fought.", field="winner")
        if self.winner in self.yielded:
            raise Refusal(f"Side {self.winner} yielded, so it cannot have won.", field="yielded")
        for what, told in (("removed", self.removed), ("lost", self.lost)):
            for side, number in told.items():
                if side not in self.sides:
                    raise Refusal(f"There is no side {side} in this battle.", field=what)
                count(
                    number, f"units of side {side} {what}", most=UNITS_MOST * (MOST_SIDES if what == "removed" else 1)
                )
        killed, fallen = sum(self.removed.values()), sum(self.lost.values())
        if killed > fallen:
            raise Refusal(f"{killed} units are said to have been removed by somebody, and {fallen} lost.", field="removed")  # fmt: skip

    def points(self, side: str) -> tuple[tuple[str, int], ...]:
        """What the side earned, line by line: the rulebook's key and the VP."""
        scenario = SCENARIO[SCENARIO_KEY]
        lines = [("kill", self.removed.get(side, 0) * scenario.pays("kill", "A"))]
        if side == self.winner:
            lines.append(("win", scenario.pays("win", "A")))
        return tuple(line for line in lines if line[1])

    def to_json(self) -> dict[str, Any]:
        return {
            "sides": list(self.sides),
            "winner": self.winner,
            "removed": dict(self.removed),
            "lost": dict(self.lost),
            "yielded": list(self.yielded),
        }

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> ManyTold:
        return cls(
            tuple(kept["sides"]), kept["winner"], dict(kept["removed"]), dict(kept["lost"]), tuple(kept["yielded"])
        )
