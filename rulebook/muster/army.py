"""An army: its units, where each came from, and what the book would not allow."""

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from rulebook.battle.unit_in_play import Model, UnitInPlay, casualty_order, new_unit, total_wounds
from rulebook.data.heroes import HERO, hero_of, is_same_hero
from rulebook.data.units import UNIT, WEAPON_NAMES, Unit, unit_of
from rulebook.input_checks import check_one_of

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
    problems: list[str] = []
    units = army.units
    for unit in units:
        unit_of(unit.unit)
        if unit.hero is not None:
            hero_of(unit.hero)
        if unit.weapon is not None:
            check_one_of(unit.weapon, WEAPON_NAMES, "weapon")
    kings = sum(unit.unit == "king" for unit in units)
    if kings == 0:
        problems.append("The King's unit is missing. Every army has one.")
    elif kings > 1:
        problems.append(f"There are {kings} Kings. An army has one.")
    for slot, number in Counter(unit.slot for unit in units).items():
        if number > 1 and slot.key != "king":
            problems.append(f"{slot.name} sends {number} units instead of one.")
    for unit in units:
        problems += _unit_problems(unit, army)
    for at, key in enumerate(army.heroes):
        if any(is_same_hero(key, before) for before in army.heroes[:at]):
            name = HERO[key].name
            problems.append(f"{name} appears twice. That is allowed, but the second could have been re-rolled.")
    if units and all(unit.unit == "king" for unit in units):
        problems.append("The King is alone. An army of one unit is legal.")
    return tuple(problems)


def _unit_problems(unit: MusteredUnit, army: Army) -> list[str]:
    row, where, problems = unit.row, unit.slot.name, []
    if unit.slot.origin == "house" and unit.unit in ("king", "cat_non"):
        problems.append(f"{where} sends {row.some}, which is not on the muster table.")
    if row.siege_only and army.siege != "attacker":
        problems.append(f"{where}: a Cat-non comes only with the attacker of a siege.")
    if unit.slot.origin == "rebel" and army.siege != "attacker":
        problems.append(f"{where}: rebels join only the attacker of a siege.")
    if unit.hero and row.never_hero:
        problems.append(f"{where}: {row.some} never {'have' if row.many else 'has'} a hero.")
    if not unit.hero and row.always_hero:
        problems.append(f"{where}: {row.name} always have a hero, but this unit has none.")
    wrong = {"rat_riders": ("spear", "spear_and_shield"), "battle_cat": ("spears",)}
    if unit.weapon and (unit.unit not in wrong or unit.weapon in wrong[unit.unit]):
        problems.append(f"{where}: {row.some} cannot have {WEAPON_NAMES[unit.weapon].lower()}.")
    return problems
