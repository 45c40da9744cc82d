"""Who stands in a unit, in the order in which they fall: plain models, then the leader, the King last of all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from refusal import Refusal
from rulebook.data.heroes import hero_of
from rulebook.data.units import Unit, unit_of

Role = Literal["plain", "leader", "hero", "guard", "king", "crew", "cat"]


@dataclass(frozen=True, slots=True)
class Model:
    role: Role
    name: str
    wounds: int
    hero: str | None = None


def casualty_order(unit_key: str, hero_key: str | None = None) -> tuple[Model, ...]:
    """The models of a fresh unit, first to fall first. A Ladybug is attached, not a model, and does not appear."""
    unit = unit_of(unit_key)
    hero = _standing_hero(unit, hero_key)
    if unit.key == "king":
        guards = (Model("guard", "Guard", 1),) * (1 if hero else 2)
        king = Model("king", "King", 2)
        return (*guards, hero, king) if hero else (*guards, king)
    if unit.key == "battle_cat":
        return (Model("cat", "Battle Cat", 4),)
    if unit.war_machine:
        return (Model("crew", "Crew", 1),) * (unit.models - 1) + (Model("leader", "Leader", 1),)
    return (Model("plain", "Mouse", 1),) * (unit.models - 1) + (hero or Model("leader", "Leader", 1),)


def _standing_hero(unit: Unit, hero_key: str | None) -> Model | None:
    if hero_key is None:
        return None
    hero = hero_of(hero_key)
    if hero.key == "ladybug":
        # It can fly to any unit, one without a hero chance included.
        return None
    if unit.never_hero:
        raise Refusal(f"{unit.name} cannot have a {hero.name}: no hero joins {unit.some}.", field="hero")
    return Model("hero", hero.name, hero.wounds, hero.key)


def total_wounds(unit_key: str, hero_key: str | None = None) -> int:
    """Unsaved hits that remove the whole unit."""
    return sum(model.wounds for model in casualty_order(unit_key, hero_key))
