"""What a battle is called in lists; its sides and their units: from the muster or, without one, from the houses."""

from collections.abc import Container, Mapping
from dataclasses import dataclass
from typing import Any

from battles.models import Battle
from battles.result.core.report import FieldedUnit, default_units, units_from_army
from battles.result.prefill import tracked_units
from campaign.chronicle.state import State
from campaign.map.display import MapKingdom, list_map_kingdoms
from heraldry import Arms
from musters import permissions as musters_permissions
from musters.core.codec import army_from_json
from musters.display import Roster, build_roster, houses_of
from musters.models import Muster
from people.requester import Who
from rulebook.data.house_rules import Options
from rulebook.data.scenarios import SCENARIO
from rulebook.data.units import UNIT
from rulebook.muster.army import Army, MusteredUnit


def side_names_of(battle: Battle, state: State | None) -> dict[str, str]:
    """The name of each side by its letter. ``state`` is that of its campaign, if it has one."""
    names = {}
    for row in battle.sides:
        kingdom = state.kingdoms.get(row["kingdom"]) if state else None
        names[row["side"]] = kingdom.name if kingdom else row["name"] or f"Side {row['side']}"
    return names


def title_and_subtitle(battle: Battle, state: State | None) -> tuple[str, str]:
    names = list(side_names_of(battle, state).values())
    scenario = SCENARIO[battle.scenario].name if battle.scenario in SCENARIO else "scenario not chosen yet"
    title = state.place_name(battle.target) if state and battle.target else " against ".join(names)
    under = f"{' against '.join(names)}, {scenario}" if title not in names and battle.target else scenario
    return title, under


# ── Its sides ───────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class NamedUnit:
    fielded: FieldedUnit
    title: str  # Rat Riders, led by a Wizard
    sender: str  # House Reed
    icon: str


@dataclass(frozen=True, slots=True)
class SideRow:
    """One side of a battle, ready to draw."""

    letter: str
    kingdom: str | None
    name: str
    arms: Arms
    map_kingdom: MapKingdom | None
    army: Army | None
    units: tuple[NamedUnit, ...]
    houses: tuple[tuple[int, str], ...]  # sworn houses, if no muster shows which of them sent a unit
    vp: int | None
    person: int | None

    @property
    def livery(self) -> str:
        """Its tincture, as the stylesheet names it."""
        livery = self.map_kingdom.livery if self.map_kingdom else None
        return livery.tincture if livery and livery.row.in_sprite else self.arms.field

    def fielded_units(self, silent: tuple[int, ...] = ()) -> tuple[FieldedUnit, ...]:
        return tuple(
            unit.fielded for unit in self.units if unit.fielded.house is None or unit.fielded.house not in silent
        )


def hidden_kingdoms(battle: Battle, state: State | None, who: Who) -> set[str]:
    """Kingdoms whose muster this viewer may not see yet. Once the battle has started, everybody sees them."""
    if (
        state is None
        or battle.stage not in (Battle.Stage.DECLARED, Battle.Stage.MUSTERED)
        or musters_permissions.visibility_setting(state) == musters_permissions.OPEN
    ):
        return set()
    rows = Muster.objects.filter(campaign=battle.campaign_id, battle=battle.number).taken()
    return {muster.kingdom for muster in rows if musters_permissions.is_hidden_from(state, muster, who)}


def side_rows(battle: Battle, state: State | None, hidden: Container[str | None] = ()) -> tuple[SideRow, ...]:
    """``hidden``: kingdoms whose units are shown only by their sender."""
    map_kingdoms = {kingdom.id: kingdom for kingdom in list_map_kingdoms(state)} if state else {}
    tracked = tracked_units(battle) if battle.snapshot and not all(side["army"] for side in battle.sides) else None
    return tuple(
        _side(battle, side, state, map_kingdoms.get(side["kingdom"]), tracked or {}, hidden=side["kingdom"] in hidden)
        for side in battle.sides
    )


def _side(
    battle: Battle,
    side: Mapping[str, Any],
    state: State | None,
    map_kingdom: MapKingdom | None,
    tracked: dict[str, tuple[FieldedUnit, ...]],
    *,
    hidden: bool,
) -> SideRow:
    kingdom = state.kingdoms.get(side["kingdom"]) if state else None
    army = army_from_json(side["army"]) if side["army"] else None
    lost = kingdom.lost_houses() if kingdom else ()
    seen = units_from_army(army) if army else tracked.get(side["side"])
    units = seen or default_units(side["side"], siege=battle.siege, silent=lost)
    names = {number: house.name for number, house in enumerate(kingdom.houses, 1)} if kingdom else {}
    return SideRow(
        letter=side["side"],
        kingdom=side["kingdom"],
        name=kingdom.name if kingdom else side["name"] or f"Side {side['side']}",
        arms=Arms.from_dict(kingdom.arms) if kingdom else Arms.from_seed(f"{battle.code} {side['name']}"),
        map_kingdom=map_kingdom,
        army=None if hidden else army,
        units=tuple(_unit(unit, names, bool(seen) and not hidden) for unit in units),
        houses=() if seen else tuple((n, name) for n, name in names.items() if n not in lost),
        vp=kingdom.vp if kingdom else None,
        person=side["person"],
    )


def _unit(unit: FieldedUnit, houses: dict[int, str], mustered: bool) -> NamedUnit:
    sender = houses.get(unit.number, unit.slot.name) if unit.origin == "house" else unit.slot.name
    if unit.unit and (mustered or unit.origin != "house"):
        title = MusteredUnit(unit.slot, unit.unit, unit.hero, unit.weapon).name if mustered else UNIT[unit.unit].name
        if unit.origin == "king" and not mustered:
            title, sender = "The King's unit", ""
        return NamedUnit(unit, title, sender if mustered or unit.origin not in ("king",) else "", f"c-{unit.unit}")
    return NamedUnit(unit, sender, "", "c-banner")


def roster_of(battle: Battle, row: SideRow, state: State | None, *, under: str = "") -> Roster | None:
    if row.army is None:
        return None
    kingdom = state.kingdoms.get(row.kingdom or "") if state else None
    return build_roster(
        row.army,
        title=row.name,
        under=under,
        arms=row.arms,
        houses=houses_of(kingdom) if kingdom else (),
        king=f"King of {row.name}" if kingdom else "The King",
        options=Options.from_differences(battle.options),
    )
