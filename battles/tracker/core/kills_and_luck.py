"""Who removed whom, and how lucky each side's dice and each unit's attacks were, from the steps of a tracker."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from battles.tracker.core.logged_steps import LoggedStep, apply_writes
from battles.tracker.core.state import Cells
from battles.tracker.core.steps.step_reads_and_writes import OFFER, RolledGroup
from rulebook.odds.distribution import chance_to_roll

GONE = "/gone"
FIGHT = "fight/"


@dataclass(frozen=True, slots=True)
class UnitName:
    """A unit of a battle: its side, its place in the army and what it is called."""

    side: str
    origin: str
    number: int
    name: str

    @property
    def house(self) -> int | None:
        return self.number if self.origin == "house" else None


@dataclass(frozen=True, slots=True)
class Kill:
    slayer: UnitName
    victim: UnitName


@dataclass(slots=True)
class Luck:
    """Successes with dice that could fail, and how many were to be expected."""

    dice: int = 0
    successes: int = 0
    expected: Fraction = Fraction(0)

    @property
    def over(self) -> Fraction:
        return self.successes - self.expected

    def count(self, group: RolledGroup) -> None:
        for needed, face in zip(group.needed, group.faces, strict=True):
            if needed > 1:  # a roll that cannot fail is not luck
                self.dice += 1
                self.successes += face >= needed
                self.expected += chance_to_roll(needed)


@dataclass(slots=True)
class Feats:
    kills: list[Kill] = field(default_factory=list)
    luck: dict[UnitName, Luck] = field(default_factory=dict)


def measure_luck(steps: Iterable[LoggedStep]) -> dict[str, Luck]:
    """The luck of each side over all dice of these steps, also those of no attack."""
    sides: dict[str, Luck] = {}
    for step in steps:
        for group in step.dice:
            sides.setdefault(group.side, Luck()).count(group)
    return {side: sides[side] for side in sorted(sides) if sides[side].dice}


def read_feats(steps: Iterable[LoggedStep]) -> Feats:
    """From the steps in force, in order. A unit that falls in an attack was slain by the other unit in it."""
    cells: Cells = {}
    found = Feats()
    for step in steps:
        fight = _fight_of(step, cells)
        apply_writes(cells, step.writes)
        changed = {_unit(cells, cell.removesuffix(GONE)) for cell in step.writes if cell.endswith(GONE)}
        found.kills = [kill for kill in found.kills if kill.victim not in changed]  # it is back, or fell anew
        if fight is None:
            continue
        attacker, target = fight
        slayer = _unit(cells, attacker)
        if slayer is None:
            continue
        for group in step.dice:
            if group.side == slayer.side:
                found.luck.setdefault(slayer, Luck()).count(group)
        for cell, value in step.writes.items():
            if not cell.endswith(GONE) or not value or value.get("how") != "removed":
                continue
            victim = _unit(cells, cell.removesuffix(GONE))
            by = slayer if victim != slayer else _unit(cells, target)
            if victim and by and victim.side != by.side:
                found.kills.append(Kill(by, victim))
    return found


def _fight_of(step: LoggedStep, before: Cells) -> tuple[str, str] | None:
    """Attacker and target of the attack this step belongs to: the one it starts, continues or ends."""
    for cell, value in step.writes.items():
        if cell.startswith(FIGHT):
            offered = (before.get(OFFER) or {}).get("before", {})  # by a bought re-roll
            fight = value or before.get(cell) or offered.get(cell) or {"attacker": cell.removeprefix(FIGHT)}
            return fight["attacker"], fight.get("target") or ""
    return None


def _unit(cells: Cells, key: str) -> UnitName | None:
    cell = cells.get(key)
    if not isinstance(cell, dict) or "side" not in cell or "origin" not in cell:
        return None
    return UnitName(cell["side"], cell["origin"], int(cell["number"]), cell["name"])
