"""Who falls: wounds fill the models of a unit in order, the leader last, the King last of all."""

from __future__ import annotations

from dataclasses import dataclass

from rulebook.basics.input_checks import check_count
from rulebook.battle.casualty_order import Model
from rulebook.battle.unit_in_play import UnitInPlay


@dataclass(frozen=True, slots=True)
class Losses:
    """What wounds did to a unit. ``after`` is None when its last model fell."""

    after: UnitInPlay | None
    fallen: tuple[Model, ...]
    marked: int  # wounds that a model with several survived
    surplus: int  # wounds nobody was left to take

    @property
    def models_lost(self) -> int:
        return len(self.fallen)

    @property
    def destroyed(self) -> bool:
        return self.after is None


def take_wounds(unit: UnitInPlay, wounds: int) -> Losses:
    """Give a unit so many unsaved hits."""
    left = check_count(wounds, "number of wounds")
    if left == 0:
        return Losses(unit, (), 0, 0)
    standing = unit.standing
    hero_wounds, leader_wounds, marked = unit.hero_wounds, unit.wounds, 0
    last = len(standing) - 1
    fell = 0
    for at, model in enumerate(standing):
        beside_king = model.role == "hero" and at != last
        before = leader_wounds if at == last else hero_wounds if beside_king else 0
        if left < model.wounds - before:
            if left:
                marked = left
                if at == last:
                    leader_wounds += left
                else:
                    hero_wounds += left
            left = 0
            break
        left -= model.wounds - before
        fell += 1
        if beside_king:
            hero_wounds = 0
    fallen = standing[:fell]
    if fell == len(standing):
        return Losses(None, fallen, 0, left)
    after = unit.after_losses(unit.models - fell, leader_wounds, hero_wounds)
    return Losses(after, fallen, marked, left)
