"""A pitched battle of more than two armies: who won and which units each removed (SCEN-01, VP-01, VP-03)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NotRequired, TypedDict

from battles.result.core.fielded_units import FieldedUnit, units_from_json
from refusal import Refusal
from rulebook.campaign.battle_scoring import How, Score, ScoreLine
from rulebook.checks import check_count
from rulebook.data.scenarios import SCENARIO

MAX_SIDES = 6
MAX_UNITS = 20
SIDE_LETTERS = "ABCDEF"
MULTI_ARMY_SCENARIO = "pitched_battle"
BY_NOBODY = ""  # a unit that fled from the table, or nobody remembers who removed it

Fallen = Mapping[str, Mapping[str, str]]  # by side: the keys of its removed units, each with the side that removed it


class MultiArmyJson(TypedDict):
    """As the chronicle and battles store it."""

    sides: list[str]
    winner: str | None
    removed: dict[str, int]
    lost: dict[str, int]
    yielded: list[str]
    fielded: NotRequired[dict[str, list[dict[str, str | int]]]]
    fallen: NotRequired[dict[str, dict[str, str]]]


@dataclass(frozen=True, slots=True)
class MultiArmyReport:
    """``winner`` None is a draw. ``removed`` counts enemy units a side removed, ``lost`` its own losses.

    ``fielded`` and ``fallen`` tell it unit by unit; reports of older releases have only the counts.
    """

    sides: tuple[str, ...]
    winner: str | None
    removed: Mapping[str, int] = field(default_factory=dict)
    lost: Mapping[str, int] = field(default_factory=dict)
    yielded: tuple[str, ...] = ()
    fielded: Mapping[str, tuple[FieldedUnit, ...]] = field(default_factory=dict)
    fallen: Fallen = field(default_factory=dict)

    @classmethod
    def from_units(
        cls,
        winner: str | None,
        fielded: Mapping[str, tuple[FieldedUnit, ...]],
        fallen: Fallen,
        yielded: tuple[str, ...] = (),
    ) -> MultiArmyReport:
        """Counted from the units; refuses what cannot have happened."""
        sides = tuple(fielded)
        kept: dict[str, dict[str, str]] = {}
        for side, units in fallen.items():
            known = {unit.key for unit in fielded.get(side, ())}
            for key, by in units.items():
                if key not in known:
                    raise Refusal(f"Side {side} has no unit “{key}”.", field="fallen")
                if by != BY_NOBODY and (by not in sides or by == side):
                    raise Refusal(
                        f"A unit of side {side} can only be removed by another side, or by nobody.", field="fallen"
                    )
            if units:
                kept[side] = dict(units)
        if winner is not None and fielded.get(winner) and len(kept.get(winner, ())) == len(fielded[winner]):
            raise Refusal(f"Side {winner} has no unit left, so it cannot have won.", field="winner")
        return cls(
            sides,
            winner,
            removed={
                side: n for side in sides if (n := sum(by == side for units in kept.values() for by in units.values()))
            },
            lost={side: len(units) for side, units in kept.items()},
            yielded=yielded,
            fielded=dict(fielded),
            fallen=kept,
        )

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

    def removed_units(self, side: str) -> tuple[str, ...]:
        return tuple(self.fallen.get(side, ()))

    def count_removed(self, side: str) -> int:
        return self.lost.get(side, 0)

    def score(self) -> Score:
        """Every army earns VP for the units it removed, the winner for the battle."""
        scenario = SCENARIO[MULTI_ARMY_SCENARIO]
        lines = []
        for side in self.sides:
            kills = self.removed.get(side, 0) * scenario.pays("kill", "A")
            win = scenario.pays("win", "A") if side == self.winner else 0
            lines += [ScoreLine(side, "kill", 0, kills, "Enemy units removed.")] if kills else []
            lines += [ScoreLine(side, "win", 0, win, "Battle won.")] if win else []
        how: How = "yielded" if self.yielded else "destroyed"
        return Score(MULTI_ARMY_SCENARIO, self.winner, how, "", tuple(lines), ())

    def to_json(self) -> MultiArmyJson:
        told: MultiArmyJson = {
            "sides": list(self.sides),
            "winner": self.winner,
            "removed": dict(self.removed),
            "lost": dict(self.lost),
            "yielded": list(self.yielded),
        }
        if self.fielded:
            told["fielded"] = {side: [unit.to_json() for unit in units] for side, units in self.fielded.items()}
            told["fallen"] = {side: dict(units) for side, units in self.fallen.items()}
        return told

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> MultiArmyReport:
        return cls(
            tuple(stored["sides"]),
            stored["winner"],
            dict(stored["removed"]),
            dict(stored["lost"]),
            tuple(stored["yielded"]),
            {side: units_from_json(rows) for side, rows in stored.get("fielded", {}).items()},
            {side: dict(units) for side, units in stored.get("fallen", {}).items()},
        )
