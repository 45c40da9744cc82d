"""Set up the tracker: units with ids and names, the castle of a siege, the solo side."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from battles.tracker.core.state import Position, Strength
from battles.tracker.core.steps.tracker_step import Number, PieceKey, SideId, StepDraft, TrackerStep, register_step
from dataclass_json import Count, Text, enum_of
from refusal import Refusal
from rulebook.battle.castle import GARRISON_BALLISTAE, PIECES, Castle
from rulebook.battle.unit_in_play import COURTYARD
from rulebook.data.heroes import HERO
from rulebook.data.scenario_goals import SetAblaze
from rulebook.data.units import UNIT, WEAPON_NAMES, unit_of
from rulebook.input_checks import check_count, check_one_of, quote_value
from rulebook.muster.army import MusteredUnit, Slot

MAX_UNITS = 30
MAX_NAME = 80


Name = Annotated[str, Text("The name", 400, empty=True)]  # shown up to MAX_NAME
Key = Annotated[str, Text("The key", 40, empty=True)]
UnitKey = Annotated[Key, enum_of(UNIT)]
HeroKey = Annotated[Key, enum_of(HERO)]
WeaponKey = Annotated[Key, enum_of(WEAPON_NAMES)]


@dataclass(frozen=True, slots=True)
class StartingUnit:
    """A unit as its army brings it."""

    unit: UnitKey
    origin: Literal["king", "house", "garrison", "train", "rebel"] = "house"
    number: Number = 1
    hero: HeroKey | None = None
    weapon: WeaponKey | None = None
    house: Name | None = None  # the name of its house

    def mustered(self) -> MusteredUnit:
        """Refuses a unit, hero or weapon that does not exist or that this unit cannot have."""
        row = unit_of(self.unit)
        if self.weapon:
            check_one_of(self.weapon, WEAPON_NAMES, "weapon")
        slot = Slot(self.origin, check_count(self.number, "number of the house", least=1))
        unit = MusteredUnit(slot, row.key, self.hero or None, self.weapon or None)
        unit.in_play()
        return unit


@dataclass(frozen=True, slots=True)
class StartingSide:
    """One side before the battle: name, livery, VP in hand and units."""

    side: SideId
    name: Name = ""
    livery: Key = ""
    vp: Number = 0
    units: Annotated[tuple[StartingUnit, ...], Count("Units", 99)] = ()

    @property
    def title(self) -> str:
        return self.name or f"Side {self.side}"


@register_step("laid")
class SetUpArmies(TrackerStep):
    """Set the armies up; in a siege also the defender's ``vats`` and ``towers``."""

    before_set_up: ClassVar[bool] = True
    sides: Annotated[tuple[StartingSide, ...], Count("Sides", 8)]
    solo: SideId | None = None
    vats: Annotated[tuple[PieceKey, ...], Count("Vats", 10)] = ()
    towers: Annotated[tuple[PieceKey, ...], Count("Towers", 10)] = ()

    def judge(self, draft: StepDraft) -> None:
        if len(self.sides) < 2:
            raise Refusal("A battle needs at least two sides.", field="sides")
        ids: list[str] = []
        keys: list[str] = []
        castle = self._castle(draft) if draft.terms.siege else None
        for side in self.sides:
            key = side.side
            if len(key) != 1 or not "A" <= key <= "H" or key in keys:
                raise Refusal(
                    f"Side {quote_value(key)} is not valid. Sides are A, B and so on, each once.", field="sides"
                )
            keys.append(key)
            ids += self._set_up_side(draft, side, castle)
        draft.write("sides", keys)
        draft.write("units", ids)
        if self.solo:
            draft.write("solo", check_one_of(self.solo, keys, "solo side"))
        if track := draft.terms.row.track(SetAblaze):
            for number in range(1, track.most + 1):
                draft.write(f"building/{number}", 0)
        names = " against ".join(side.title for side in self.sides)
        draft.say(f"{draft.terms.row.name}: {names}. The battle starts.")

    def _set_up_side(self, draft: StepDraft, side: StartingSide, castle: Castle | None) -> list[str]:
        """The ids of its units."""
        vp = check_count(side.vp, f"VP of side {side.side}")
        name = side.title[:MAX_NAME]
        draft.write(f"side/{side.side}", {"name": name, "livery": side.livery, "vp": vp})
        units = [(unit.mustered(), (unit.house or "")[:MAX_NAME]) for unit in side.units]
        if castle and side.side == "B" and not any(unit.slot.origin == "garrison" for unit, _ in units):
            units += [(MusteredUnit(Slot("garrison", n), "ballista"), "") for n in range(1, GARRISON_BALLISTAE + 1)]
        if not units:
            raise Refusal(f"{name} has no units. Add at least one.", field="units")
        if len(units) > MAX_UNITS:
            raise Refusal(f"{name} has {len(units)} units; the tracker allows {MAX_UNITS}.", field="units")
        ids = []
        for number, ((unit, house), called) in enumerate(zip(units, _names(units), strict=True), 1):
            key = f"{side.side}{number}"
            ids.append(key)
            draft.write(key, _unit_cell(unit, side.side, called, house))
            draft.write(f"{key}/left", Strength.of(unit.in_play()).to_cell())
            if castle and unit.slot.origin == "garrison":
                tower = self.towers[(unit.slot.number - 1) % GARRISON_BALLISTAE]
                draft.write(f"{key}/at", Position("fortress", castle=tower).to_cell())
            elif castle and side.side == "B":
                # The defenders start inside the walls; from the courtyard they are posted on them.
                draft.write(f"{key}/at", Position(castle[COURTYARD].terrain, castle=COURTYARD).to_cell())
        return ids

    def _castle(self, draft: StepDraft) -> Castle:
        """The defender places two vats and two garrison Ballistae (SIEGE-10, SIEGE-13)."""
        castle = Castle.start(self.vats, self.towers)
        for piece in PIECES:
            draft.write(f"castle/{piece.key}", {"damage": 0, "vat": castle[piece.key].vat})
        return castle


def _names(units: Sequence[tuple[MusteredUnit, str]]) -> list[str]:
    """Short names; units of the same name get their house or a number."""
    plain = Counter(_plain_name(unit) for unit, _ in units)
    longer = []
    for unit, house in units:
        name = _plain_name(unit)
        needs_house = unit.slot.origin == "house" and plain[name] > 1
        longer.append(f"{name} of {house or unit.slot.name}" if needs_house else name)
    twice, seen, names = Counter(longer), Counter[str](), []
    for name in longer:
        seen[name] += 1
        names.append(f"{name} {seen[name]}" if twice[name] > 1 else name)
    return names


def _plain_name(unit: MusteredUnit) -> str:
    name = UNIT[unit.unit].name
    return {"garrison": f"Garrison {name}", "rebel": f"Rebel {name}"}.get(unit.slot.origin, name)


def _unit_cell(unit: MusteredUnit, side: str, name: str, house: str) -> Mapping[str, object]:
    rest = {"hero": unit.hero, "weapon": unit.weapon, "house": house}
    return {
        "side": side,
        "name": name,
        "unit": unit.unit,
        "origin": unit.slot.origin,
        "number": unit.slot.number,
        **{key: value for key, value in rest.items() if value},
    }
