"""The units that took the field, by the slot each came from: as mustered, or one for the King and each house where the muster was skipped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from rulebook.army import HOUSE_SLOTS, HOUSES, KING_SLOT, Army, Slot

SIEGE_EXTRAS = 2  # Cat-non of the attacker, Ballistae of the garrison
_EXTRA = {"A": ("train", "cat_non"), "B": ("garrison", "ballista")}


@dataclass(frozen=True, slots=True)
class FieldUnit:
    """One unit of one side. ``unit`` and ``hero`` are the rulebook's keys; None where nobody told."""

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

    def to_json(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self).items() if value is not None}


def from_army(army: Army) -> tuple[FieldUnit, ...]:
    units: list[FieldUnit] = []
    seen: dict[str, int] = {}
    for one in army.units:
        slot = one.slot
        seen[slot.key] = seen.get(slot.key, 0) + 1
        # A slot sends one unit by the book; where the table let it send more, each still has a name of its own.
        key = slot.key if seen[slot.key] == 1 else f"{slot.key}-{seen[slot.key]}"
        units.append(FieldUnit(key, slot.origin, slot.number, one.unit, one.hero, one.weapon))
    return tuple(units)


def unmustered(side: str, *, siege: bool = False, silent: Iterable[int] = ()) -> tuple[FieldUnit, ...]:
    """The King, and each house that is not silent; in a siege what the book gives to either side besides."""
    quiet = set(silent)
    units = [FieldUnit(KING_SLOT.key, "king", 1, "king")]
    units += [FieldUnit(HOUSE_SLOTS[house].key, "house", house) for house in HOUSES if house not in quiet]
    if siege and side in _EXTRA:
        origin, unit = _EXTRA[side]
        units += [FieldUnit(f"{origin}-{n}", origin, n, unit) for n in range(1, SIEGE_EXTRAS + 1)]
    return tuple(units)


def from_json(rows: Iterable[Mapping[str, Any]]) -> tuple[FieldUnit, ...]:
    return tuple(FieldUnit(**row) for row in rows)
