"""The armies at the start of a battle: mustered, stored with the battle, or chosen by hand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict

from battles.models import Battle
from battles.tracker.core.steps.set_up import HeroKey, SetUpArmies, StartingSide, StartingUnit, UnitKey, WeaponKey
from campaign import selectors as campaign_selectors
from campaign.chronicle.state import SOLO, State
from heraldry import Arms
from musters.core.codec import army_from_json
from musters.models import Muster
from refusal import Refusal
from rulebook.battle.castle import PIECES
from rulebook.data.heroes import HERO
from rulebook.data.units import UNITS, WEAPON_NAMES
from rulebook.muster.army import Army

NO_SCENARIO = "This battle has no scenario yet. Choose one on the battle’s page."
MAX_CHOSEN_UNITS = 8  # units that can be chosen by hand for each side
FIRST_FOLDED_ROW = 6  # most armies are a King and four houses
BATTLEMENTS = tuple(piece for piece in PIECES if piece.kind.battlement)
TOWERS = tuple(piece for piece in PIECES if piece.kind.key == "tower")
HERO_CHOICES = (
    *((hero.key, hero.name) for hero in HERO.values()),
    *((("musician", "Musician"),) if "musician" not in HERO else ()),
)
UNIT_CHOICES = tuple((unit.key, unit.name) for unit in UNITS)
WEAPON_CHOICES = tuple(WEAPON_NAMES.items())


@dataclass(frozen=True, slots=True)
class SideRow:
    """One side before the tracker is set up: who it is, and its units if they are mustered."""

    side: str
    kingdom: str | None
    name: str
    livery: str
    vp: int
    unplayed: bool
    units: tuple[StartingUnit, ...]
    hidden: bool = False  # from this viewer

    def starting(self, units: tuple[StartingUnit, ...]) -> StartingSide:
        return StartingSide(self.side, self.name, self.livery, self.vp, self.units or units)


def starting_sides(battle: Battle) -> list[SideRow]:
    """The sides with name, livery, VP, and units if mustered."""
    state = campaign_state(battle)
    ours = Muster.objects.filter(campaign=battle.campaign, battle=battle.number)
    armies = ours.armies() if battle.campaign and battle.number else {}
    return [_side_row(state, side, armies.get(side.get("kingdom"))) for side in battle.sides]


def side_names(battle: Battle) -> list[str]:
    """Names of the sides before the tracker is set up."""
    state = campaign_state(battle)
    return [_side_row(state, side, None).name for side in battle.sides]


def campaign_state(battle: Battle) -> State | None:
    return campaign_selectors.state_of(battle.campaign) if battle.campaign else None


def _side_row(state: State | None, side: Mapping[str, Any], mustered: Army | None) -> SideRow:
    kingdom = side.get("kingdom")
    this_kingdom = state.kingdoms.get(kingdom) if state and kingdom else None
    army = army_from_json(side["army"]) if side.get("army") else mustered
    houses = [house.name for house in this_kingdom.houses] if this_kingdom else []
    return SideRow(
        side["side"],
        kingdom,
        this_kingdom.name if this_kingdom else side.get("name") or f"Side {side['side']}",
        Arms.from_dict(this_kingdom.arms).livery if this_kingdom else "",
        this_kingdom.vp if this_kingdom else 0,
        this_kingdom is not None and this_kingdom.status == SOLO,
        units_of(army, houses) if army else (),
    )


def units_of(army: Army, houses: Sequence[str]) -> tuple[StartingUnit, ...]:
    return tuple(
        StartingUnit(
            unit.unit,
            unit.slot.origin,
            unit.slot.number,
            unit.hero,
            unit.weapon,
            houses[unit.slot.number - 1] if unit.slot.origin == "house" and unit.slot.number <= len(houses) else None,
        )
        for unit in army.units
    )


@dataclass(frozen=True, slots=True)
class ChosenUnit:
    """A unit of an army that was not mustered."""

    unit: UnitKey
    hero: HeroKey | None = None
    weapon: WeaponKey | None = None
    row: int = 0


def set_up_from_form(battle: Battle, data: QueryDict) -> SetUpArmies:
    """The first step: mustered armies, or units chosen in the form."""
    chosen = {side["side"]: _units_from_form(side["side"], data) for side in battle.sides}
    return set_up_armies(battle, chosen, data.get("solo") or None, data.getlist("vats"), data.getlist("towers"))


def set_up_armies(
    battle: Battle,
    chosen: Mapping[str, Sequence[ChosenUnit]],
    solo: str | None = None,
    vats: Sequence[str] = (),
    towers: Sequence[str] = (),
) -> SetUpArmies:
    """The first step: mustered armies, and the chosen units of sides without one."""
    sides = tuple(
        row.starting(() if row.units else _starting_units(row.side, chosen.get(row.side, ())))
        for row in starting_sides(battle)
    )
    return SetUpArmies(sides, solo, tuple(vats) if battle.siege else (), tuple(towers) if battle.siege else ())


def _units_from_form(side: str, data: QueryDict) -> list[ChosenUnit]:
    return [
        ChosenUnit(unit, data.get(f"hero_{side}_{row}") or None, data.get(f"weapon_{side}_{row}") or None, row)
        for row in range(1, MAX_CHOSEN_UNITS + 1)
        if (unit := data.get(f"unit_{side}_{row}", ""))
    ]


def _starting_units(side: str, chosen: Sequence[ChosenUnit]) -> tuple[StartingUnit, ...]:
    rows = []
    houses = 0
    for place, one in enumerate(chosen, 1):
        if one.unit == "king":
            rows.append(StartingUnit(one.unit, "king", 1, one.hero, one.weapon))
        elif one.unit == "cat_non":
            rows.append(StartingUnit(one.unit, "train", one.row or place, one.hero, one.weapon))
        else:
            houses += 1
            rows.append(StartingUnit(one.unit, "house", houses, one.hero, one.weapon))
    if not rows:
        raise Refusal(f"Side {side} has no units. Choose at least one.", field="units")
    return tuple(rows)
