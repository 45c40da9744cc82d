"""Who took the field: the units of each side with the names of the table, from the muster or, where it was skipped, from the houses."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

from battles.filling import tracked_units
from battles.models import Battle
from battles.telling.fielded import FieldUnit, from_army, unmustered
from campaign.annals.state import State
from campaign.map.sheet import Crown, crowns_of
from heraldry import Arms
from musters import may
from musters.models import Muster
from musters.reading import army_of, houses_of
from musters.sheet import Roster, roster
from people.who import Who
from rulebook.army import Army, MusteredUnit
from rulebook.options import Options
from rulebook.units import UNIT


@dataclass(frozen=True, slots=True)
class NamedUnit:
    told: FieldUnit
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
    crown: Crown | None
    army: Army | None
    units: tuple[NamedUnit, ...]
    houses: tuple[tuple[int, str], ...]  # that may still have sent nobody: sworn, and no muster told otherwise
    vp: int | None
    person: int | None

    @property
    def livery(self) -> str:
        """The tincture that stands for it, as a class of the stylesheet names it."""
        livery = self.crown.livery if self.crown else None
        return livery.tincture if livery and livery.row.in_sprite else self.arms.field

    def fielded(self, silent: tuple[int, ...] = ()) -> tuple[FieldUnit, ...]:
        return tuple(unit.told for unit in self.units if unit.told.house is None or unit.told.house not in silent)


def hidden_from(battle: Battle, state: State | None, who: Who) -> set[str]:
    """Kingdoms whose muster this viewer may not look at yet, by what the table agreed; on the table everybody sees it."""
    if (
        state is None
        or battle.stage not in (Battle.Stage.DECLARED, Battle.Stage.MUSTERED)
        or may.sight(state) == may.OPEN
    ):
        return set()
    rows = Muster.objects.filter(campaign=battle.campaign_id, battle=battle.number).taken()
    return {muster.kingdom for muster in rows if may.hidden_from(state, muster, who)}


def side_rows(battle: Battle, state: State | None, hidden: Container[str | None] = ()) -> tuple[SideRow, ...]:
    """``hidden``: kingdoms whose units are named only by who sent them."""
    crowns = {crown.id: crown for crown in crowns_of(state)} if state else {}
    tracked = tracked_units(battle) if battle.snapshot and not all(side["army"] for side in battle.sides) else None
    return tuple(
        _side(battle, side, state, crowns.get(side["kingdom"]), tracked or {}, hidden=side["kingdom"] in hidden)
        for side in battle.sides
    )


def _side(
    battle: Battle,
    side: dict,
    state: State | None,
    crown: Crown | None,
    tracked: dict[str, tuple[FieldUnit, ...]],
    *,
    hidden: bool,
) -> SideRow:
    realm = state.kingdoms.get(side["kingdom"]) if state else None
    army = army_of(side["army"]) if side["army"] else None
    lost = realm.lost_houses() if realm else ()
    seen = from_army(army) if army else tracked.get(side["side"])
    told = seen or unmustered(side["side"], siege=battle.siege, silent=lost)
    names = {number: house.name for number, house in enumerate(realm.houses, 1)} if realm else {}
    return SideRow(
        letter=side["side"],
        kingdom=side["kingdom"],
        name=realm.name if realm else side["name"] or f"Side {side['side']}",
        arms=Arms.from_dict(realm.arms) if realm else Arms.from_seed(f"{battle.code} {side['name']}"),
        crown=crown,
        army=None if hidden else army,
        units=tuple(_unit(one, names, bool(seen) and not hidden) for one in told),
        houses=() if seen else tuple((n, name) for n, name in names.items() if n not in lost),
        vp=realm.vp if realm else None,
        person=side["person"],
    )


def _unit(one: FieldUnit, houses: dict[int, str], mustered: bool) -> NamedUnit:
    sender = houses.get(one.number, one.slot.name) if one.origin == "house" else one.slot.name
    if one.unit and (mustered or one.origin != "house"):
        title = MusteredUnit(one.slot, one.unit, one.hero, one.weapon).name if mustered else UNIT[one.unit].name
        if one.origin == "king" and not mustered:
            title, sender = "The King's unit", ""
        return NamedUnit(one, title, sender if mustered or one.origin not in ("king",) else "", f"c-{one.unit}")
    return NamedUnit(one, sender, "", "c-banner")


def roster_of(battle: Battle, row: SideRow, state: State | None, *, under: str = "") -> Roster | None:
    if row.army is None:
        return None
    realm = state.kingdoms.get(row.kingdom or "") if state else None
    return roster(
        row.army,
        title=row.name,
        under=under,
        arms=row.arms,
        houses=houses_of(realm) if realm else (),
        king=f"King of {row.name}" if realm else "The King",
        options=Options.from_differences(battle.options),
    )
