"""The kinds of field that acts and effects have, with their limits."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

import dataclass_json
from campaign.chronicle.state import PLACE_KEYS
from dataclass_json import Check, Count, Shape, Text, Whole, stored_as
from heraldry import Arms
from json_input import MAX_NUMBER
from refusal import Refusal
from rulebook.campaign.campaign_map import parse_territory

MAX_NAME = 200
MAX_WHY = 500
MAX_ROWS = 1000
MAX_COUNT = 10**9
KINGDOM = re.compile(r"k[1-9][0-9]{0,3}")

PERSON = "a person's id"  # marks the fields that hold one


def _check_kingdom(key: str) -> None:
    if not KINGDOM.fullmatch(key):
        raise Refusal(f"{key!r} is not a kingdom.")


def _check_territory(key: str) -> None:
    _check_kingdom(parse_territory(key).kingdom)


def _check_place(places: Mapping[str, str]) -> None:
    for place in places:
        if place not in PLACE_KEYS:
            raise Refusal(f"{place!r} is not a place in a kingdom.", field="places")


# What somebody sends: whether such a kingdom exists is asked of the state.
PersonId = Annotated[int, Whole("The person", 1, MAX_NUMBER), PERSON]
KingdomId = Annotated[str, Text("The kingdom", 20)]
TerritoryId = Annotated[str, Text("The territory", 40)]
HouseNumber = Annotated[int, Whole("The number of the house", 1, 4)]
BattleNumber = Annotated[int, Whole("The number of the battle", 0, MAX_COUNT)]
Reason = Annotated[str, Text("The reason", MAX_WHY)]
ArmsJson = Annotated[Mapping[str, Any], Check(Arms.from_dict), Shape(Arms)]
Holders = Annotated[Mapping[TerritoryId, KingdomId], Count("Territories", MAX_ROWS)]
HouseName = Annotated[str, Text("The name of a house", MAX_NAME)]
PlaceName = Annotated[str, Text("The name of a territory", MAX_NAME)]
PlaceNames = Annotated[Mapping[str, PlaceName], Count("Places", len(PLACE_KEYS)), Check(_check_place)]

# What a file says happened: nobody has looked at it before.
KnownKingdom = Annotated[str, Check(_check_kingdom)]
KnownTerritory = Annotated[str, Check(_check_territory)]
Number = Annotated[int, Whole("The number", 0, MAX_COUNT)]
Change = Annotated[int, Whole("The change", -MAX_COUNT, MAX_COUNT)]
Name = Annotated[str, Text("The name", MAX_NAME)]
Why = Annotated[str, Text("The reason", MAX_WHY, empty=True)]


@dataclass(frozen=True, slots=True)
class NewHouse:
    name: HouseName
    arms: ArmsJson


@dataclass(frozen=True, slots=True)
class HouseLooks:
    name: HouseName | None = None
    arms: ArmsJson | None = None
    hero: Annotated[str, Text("The name of a hero", MAX_NAME)] | None = None


# ── A result unit by unit ────────────────────────────────────────────────────────────────────────────────
# Battles writes and reads it; here only its shape is checked.

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
