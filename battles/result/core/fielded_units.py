"""The units that fought, by slot: as mustered, or one for the King and each house without a muster."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from rulebook.muster.army import HOUSE_SLOTS, HOUSES, KING_SLOT, Army, Slot

SIEGE_EXTRAS = 2  # Cat-non of the attacker, Ballistae of the garrison
_EXTRA = {"A": ("train", "cat_non"), "B": ("garrison", "ballista")}


@dataclass(frozen=True, slots=True)
class FieldedUnit:
    """One unit of one side. ``unit`` and ``hero`` are the rulebook's keys; None if unknown."""

    key: str
    origin: str
    number: int
    unit: str | None = None
    hero: str | None = None
    weapon: str | None = None

    @property
    def house(self) -> int | None:
        return self.number if self.origin == "house" else None

    @property
    def slot(self) -> Slot:
        return Slot(self.origin, self.number)  # type: ignore[arg-type]

    def to_json(self) -> dict[str, str | int]:
        return {name: value for name, value in asdict(self).items() if value is not None}


def units_from_army(army: Army) -> tuple[FieldedUnit, ...]:
    units: list[FieldedUnit] = []
    seen: dict[str, int] = {}
    for one in army.units:
        slot = one.slot
        seen[slot.key] = seen.get(slot.key, 0) + 1
        # By the book a slot sends one unit; if players allowed more, each still needs its own key.
        key = slot.key if seen[slot.key] == 1 else f"{slot.key}-{seen[slot.key]}"
        units.append(FieldedUnit(key, slot.origin, slot.number, one.unit, one.hero, one.weapon))
    return tuple(units)


def default_units(side: str, *, siege: bool = False, silent: Iterable[int] = ()) -> tuple[FieldedUnit, ...]:
    """The King's unit, one for each house that sent one, and in a siege the engines of that side."""
    quiet = set(silent)
    units = [FieldedUnit(KING_SLOT.key, "king", 1, "king")]
    units += [FieldedUnit(HOUSE_SLOTS[house].key, "house", house) for house in HOUSES if house not in quiet]
    if siege and side in _EXTRA:
        origin, unit = _EXTRA[side]
        units += [FieldedUnit(f"{origin}-{n}", origin, n, unit) for n in range(1, SIEGE_EXTRAS + 1)]
    return tuple(units)


def units_from_json(rows: Iterable[Mapping[str, Any]]) -> tuple[FieldedUnit, ...]:
    return tuple(FieldedUnit(**row) for row in rows)
