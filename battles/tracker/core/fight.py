"""A fight in progress: the situation at its start, and the dice so far. It is kept in a cell until it is resolved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from rulebook.battle.combat import Building, BuildingAttack
from rulebook.battle.situations import Casting, Melee, Morale, Rally, Shooting
from rulebook.battle.unit_in_play import Place, UnitInPlay
from rulebook.odds_and_situations_json import read_place, read_unit, to_json
from rulebook.siege.assault import Bombardment

AttackKind = Literal["shoot", "charge", "strike", "cast", "rally", "torch", "bombard", "nerve"]
Situation = Shooting | Melee | Casting | Rally | BuildingAttack | Bombardment | Morale


@dataclass(frozen=True, slots=True)
class Fight:
    how: AttackKind
    attacker: str
    situation: Situation
    faces: tuple[int, ...] = ()
    target: str | None = None
    building: int | None = None
    piece: str | None = None
    damage: int | None = None  # of the wall when the gun was aimed; another gun may have hit it since
    here: bool | None = None  # whether the last dice were rolled by the service

    @classmethod
    def from_cell(cls, cell: Mapping[str, Any]) -> Fight:
        return cls(
            cell["how"],
            cell["attacker"],
            _read_situation(cell["how"], cell["situation"]),
            tuple(cell["faces"]),
            cell.get("target"),
            cell.get("building"),
            cell.get("piece"),
            cell.get("damage"),
            cell.get("here"),
        )

    def to_cell(self) -> Mapping[str, object]:
        rest = {
            "target": self.target,
            "building": self.building,
            "piece": self.piece,
            "damage": self.damage,
            "here": self.here,
        }
        return {
            "how": self.how,
            "attacker": self.attacker,
            "situation": to_json(self.situation),
            "faces": list(self.faces),
            **{name: value for name, value in rest.items() if value is not None},
        }


def _read_situation(how: str, stored: Mapping[str, Any]) -> Situation:
    def unit(name: str) -> UnitInPlay:
        return read_unit(stored[name], name)

    def place(name: str) -> Place:
        return read_place(stored.get(name), name)

    def rest(*names: str) -> Any:
        return [stored[name] for name in names]

    if how == "shoot":
        here, there, more = place("at"), place("target_at"), rest("moved", "adjacent", "event")
        return Shooting(unit("attacker"), unit("target"), stored["inches"], here, there, *more)
    if how in ("charge", "strike"):
        more = rest("charged", "battling_back", "adjacent", "event")
        return Melee(unit("attacker"), unit("target"), place("at"), place("target_at"), *more)
    if how == "cast":
        more = rest("engaged", "target_engaged", "target_activated", "event")
        return Casting(unit("attacker"), unit("target"), place("at"), place("target_at"), *more)
    if how == "rally":
        return Rally(unit("unit"), place("at"), stored["event"])
    if how == "nerve":
        attacker = unit("attacker") if stored.get("attacker") else None
        return Morale(unit("unit"), attacker, place("at"), 0, stored["event"])
    if how == "torch":
        more = rest("adjacent", "event")
        # Fights begun before these were asked have neither.
        more += [stored.get("engaged", False), stored.get("enemy_inside", False)]
        return BuildingAttack(unit("unit"), Building(**stored["building"]), place("at"), *more)
    more = rest("moved", "engaged", "event")
    return Bombardment(unit("gun"), stored["piece"], stored["inches"], place("at"), *more)
