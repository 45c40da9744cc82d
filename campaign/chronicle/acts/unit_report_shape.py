"""The unit-by-unit part of a result: battles writes and reads it; here only its shape is checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

import dataclass_json
from dataclass_json import Check, Count, Shape, Text, Whole, stored_as
from refusal import Refusal

Key = Annotated[str, Text("The key", 80, empty=True)]
Units = Annotated[int, Whole("Units", 0, 999)]
MAX_UNITS = 100


@dataclass(frozen=True, slots=True)
class UnitRow:
    key: Key
    origin: Key
    number: Units
    unit: Key | None = None
    hero: Key | None = None
    weapon: Key | None = None


UnitRows = Annotated[tuple[UnitRow, ...], Count("Units", MAX_UNITS)]
UnitKeys = Annotated[tuple[Key, ...], Count("Units", MAX_UNITS)]


@dataclass(frozen=True, slots=True)
class FieldedSides:
    a: UnitRows = field(metadata=stored_as("A"))
    b: UnitRows = field(metadata=stored_as("B"))


@dataclass(frozen=True, slots=True)
class TwoArmies:
    scenario: Key
    ending: Key
    fielded: FieldedSides
    removed: Mapping[str, UnitKeys] = field(default_factory=dict)
    escaped: UnitKeys = ()
    crossings: Mapping[str, Units] = field(default_factory=dict)
    mounds: Annotated[tuple[tuple[Units, Units], ...], Count("Rounds", MAX_UNITS)] = ()
    ablaze: Units = 0


@dataclass(frozen=True, slots=True)
class ManyArmies:
    sides: UnitKeys
    kingdoms: Mapping[str, Key]
    removed: Mapping[str, Units]
    lost: Mapping[str, Units]
    yielded: UnitKeys
    winner: Key | None = None
    fielded: Mapping[str, UnitRows] = field(default_factory=dict)
    fallen: Mapping[str, Mapping[str, Key]] = field(default_factory=dict)  # by side: a unit's key, who removed it


def _check_two_armies(value: Mapping[str, Any]) -> None:
    if value:
        dataclass_json.read(TwoArmies, value, path="told")


def _check_many_armies(value: Mapping[str, Any]) -> None:
    if value:
        dataclass_json.read(ManyArmies, value, path="many")
        if "winner" not in value:
            raise Refusal("“many.winner” is missing. Give null for a draw.", field="many.winner")


TwoArmiesJson = Annotated[Mapping[str, Any], Check(_check_two_armies), Shape(TwoArmies)]
ManyArmiesJson = Annotated[Mapping[str, Any], Check(_check_many_armies), Shape(ManyArmies)]
