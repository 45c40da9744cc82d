"""An army: its units, where each came from, and what the book would not allow."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from rulebook.battle.unit_in_play import Model, UnitInPlay, casualty_order, new_unit, total_wounds
from rulebook.checks import check_one_of
from rulebook.data.heroes import HERO, hero_of, is_same_hero
from rulebook.data.units import UNIT, WEAPON_NAMES, Unit, unit_of

HOUSES = (1, 2, 3, 4)

Siege = Literal["attacker", "defender"]
Origin = Literal["king", "house", "garrison", "train", "rebel"]


@dataclass(frozen=True, slots=True)
class Slot:
    """A place in the army: the King's, a house's, the garrison's, the siege train's or the rebels'."""

    origin: Origin
    number: int

    @property
    def key(self) -> str:
        return "king" if self.origin == "king" else f"{self.origin}-{self.number}"

    @property
    def name(self) -> str:
        return _SLOT_NAMES[self.origin].format(n=self.number)


_SLOT_NAMES: dict[str, str] = {
    "king": "The King's unit",
    "house": "House {n}",
    "garrison": "Garrison {n}",
    "train": "Siege train {n}",
    "rebel": "Rebels {n}",
}

KING_SLOT = Slot("king", 1)
HOUSE_SLOTS: dict[int, Slot] = {house: Slot("house", house) for house in HOUSES}


@dataclass(frozen=True, slots=True)
class MusteredUnit:
    slot: Slot
    unit: str
    hero: str | None = None
    weapon: str | None = None

    @property
    def row(self) -> Unit:
        return UNIT[self.unit]

    @property
    def models(self) -> int:
        return UNIT[self.unit].models

    @property
    def ranks(self) -> tuple[Model, ...]:
        return casualty_order(self.unit, self.hero)

    @property
    def wounds(self) -> int:
        return total_wounds(self.unit, self.hero)

    def in_play(self) -> UnitInPlay:
        return new_unit(self.unit, self.hero, spear=self.weapon is not None, shield=self.weapon == "spear_and_shield")

    @property
    def name(self) -> str:
        """``Rat Riders with spears, led by a Wizard``."""
        text = self.row.name
        if self.weapon:
            text += f" with {WEAPON_NAMES[self.weapon].lower()}"
        if self.hero:
            joined = "with" if self.hero == "ladybug" or self.unit == "king" else "led by"
            text += f"{',' if self.weapon else ''} {joined} {_article(HERO[self.hero].name)}"
        return text


def _article(name: str) -> str:
    return f"{'an' if name[0] in 'AEIOU' else 'a'} {name}"


# A mustered unit is one of a few thousand values, so the same object may serve every army.
mustered_unit = lru_cache(maxsize=8192)(MusteredUnit)


@dataclass(frozen=True, slots=True)
class Army:
    units: tuple[MusteredUnit, ...]
    loyalty: int = 0
    siege: Siege | None = None
    silent: tuple[int, ...] = ()  # houses skipped: lost before, and not won back
    lost: tuple[int, ...] = ()  # houses lost in this muster
    regained: tuple[int, ...] = ()  # houses won back in this muster
    vp_spent: int = 0
    dice: tuple[int, ...] = ()

    @property
    def models(self) -> int:
        return sum([UNIT[unit.unit].models for unit in self.units])

    @property
    def heroes(self) -> tuple[str, ...]:
        return tuple([unit.hero for unit in self.units if unit.hero])

    @property
    def wounds(self) -> int:
        return sum(unit.wounds for unit in self.units)

    def problems(self) -> tuple[str, ...]:
        """Anything unusual about this army. Warnings only."""
        return find_problems(self)


def find_problems(army: Army) -> tuple[str, ...]:
    """Everything about an army that the book would not allow, one sentence each."""
    found: list[str] = []
    units = army.units
    for one in units:
        unit_of(one.unit)
        if one.hero is not None:
            hero_of(one.hero)
        if one.weapon is not None:
            check_one_of(one.weapon, WEAPON_NAMES, "weapon")
    kings = sum(unit.unit == "king" for unit in units)
    if kings == 0:
        found.append("The King's unit is missing. Every army has one.")
    elif kings > 1:
        found.append(f"There are {kings} Kings. An army has one.")
    per_slot: dict[str, int] = {}
    for one in units:
        per_slot[one.slot.key] = per_slot.get(one.slot.key, 0) + 1
    for key, number in per_slot.items():
        if number > 1 and key != "king":
            slot = next(unit.slot for unit in units if unit.slot.key == key)
            found.append(f"{slot.name} sends {number} units instead of one.")
    for one in units:
        found += _unit_problems(one, army)
    for at, key in enumerate(army.heroes):
        if any(is_same_hero(key, before) for before in army.heroes[:at]):
            found.append(f"{HERO[key].name} appears twice. That is allowed, but the second could have been re-rolled.")
    if units and all(unit.unit == "king" for unit in units):
        found.append("The King is alone. An army of one unit is legal.")
    return tuple(found)


def _unit_problems(one: MusteredUnit, army: Army) -> list[str]:
    row, where, found = one.row, one.slot.name, []
    if one.slot.origin == "house" and one.unit in ("king", "cat_non"):
        found.append(f"{where} sends {row.some}, which is not on the muster table.")
    if row.siege_only and army.siege != "attacker":
        found.append(f"{where}: a Cat-non comes only with the attacker of a siege.")
    if one.slot.origin == "rebel" and army.siege != "attacker":
        found.append(f"{where}: rebels join only the attacker of a siege.")
    if one.hero and row.never_hero:
        found.append(f"{where}: {row.some} never {'have' if row.many else 'has'} a hero.")
    if not one.hero and row.always_hero:
        found.append(f"{where}: {row.name} always have a hero, but this unit has none.")
    wrong = {"rat_riders": ("spear", "spear_and_shield"), "battle_cat": ("spears",)}
    if one.weapon and (one.unit not in wrong or one.weapon in wrong[one.unit]):
        found.append(f"{where}: {row.some} cannot have {WEAPON_NAMES[one.weapon].lower()}.")
    return found
