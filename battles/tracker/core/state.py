"""The state of a tracked battle: its cells, and the units, sides and castle read from them."""

from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NotRequired, TypedDict

from dataclass_json import ALWAYS, write, write_all
from refusal import Refusal
from rulebook.battle.assault import Bombardment
from rulebook.battle.attack_situations import Casting, Melee, Morale, Rally, Shooting, read_place, read_unit
from rulebook.battle.castle import PIECES, Castle, Occupant, PieceState
from rulebook.battle.combat import Building, BuildingAttack
from rulebook.battle.unit_in_play import Place, UnitInPlay
from rulebook.data.house_rules import BY_THE_BOOK, Options
from rulebook.data.scenarios import SIDES, Scenario, scenario_of
from rulebook.data.units import UNIT, Unit
from rulebook.input_checks import check_one_of, quote_value
from rulebook.muster.army import MusteredUnit, Slot
from rulebook.odds.odds_display import to_json

Cells = dict[str, Any]  # JSON values; the classes below and in ``fight`` read and write them
ReadCell = Callable[[str], Any]


@dataclass(frozen=True, slots=True)
class BattleTerms:
    """The scenario and house rules of a battle."""

    scenario: str
    options: Options = BY_THE_BOOK

    @property
    def row(self) -> Scenario:
        return scenario_of(self.scenario)

    @property
    def siege(self) -> bool:
        return self.row.is_siege


class PositionCell(TypedDict):
    """A position in its cell, which has only what differs."""

    terrain: str
    extra_tall: NotRequired[bool]
    castle: NotRequired[str]


@dataclass(frozen=True, slots=True)
class Position:
    """Where a unit is: a kind of terrain, or a piece of the castle."""

    terrain: str = field(default="clear", metadata=ALWAYS)
    extra_tall: bool = False
    castle: str | None = None

    @classmethod
    def from_cell(cls, cell: Mapping[str, Any]) -> "Position":
        return cls(cell.get("terrain", "clear"), bool(cell.get("extra_tall")), cell.get("castle"))

    def to_cell(self) -> PositionCell:
        cell: PositionCell = write(self)
        return cell


@dataclass(frozen=True, slots=True)
class Departure:
    """How a unit left the battle."""

    how: Literal["removed", "escaped"]
    why: str
    round: int = 0

    @classmethod
    def from_cell(cls, cell: Mapping[str, Any]) -> "Departure":
        return cls(cell["how"], cell.get("why", ""), cell.get("round", 0))

    def to_cell(self) -> Mapping[str, object]:
        return dict(write_all(self))


@dataclass(frozen=True, slots=True)
class Strength:
    """What is left of a unit."""

    models: int
    wounds: int = 0
    hero_wounds: int = 0
    shield: bool = False
    ladybug: bool = False

    @classmethod
    def of(cls, unit: UnitInPlay) -> "Strength":
        return cls(unit.models, unit.wounds, unit.hero_wounds, unit.shield, unit.ladybug)

    def to_cell(self) -> Mapping[str, object]:
        return dict(write(self))

    def check(self, unit: UnitInPlay, *, fleeing: bool = False) -> None:
        """Refuse what the unit cannot have, such as more wounds than the remaining models can take."""
        strength = {name: getattr(self, name) for name in ("models", "wounds", "hero_wounds", "shield", "ladybug")}
        UnitInPlay(unit.key, hero=unit.hero, spear=unit.spear, fleeing=fleeing, **strength)


@dataclass(frozen=True, slots=True)
class TrackedUnit:
    """A unit of the battle with its losses and tokens."""

    id: str
    side: str
    name: str
    house: str
    mustered: MusteredUnit
    now: UnitInPlay
    acted: bool
    moved: bool
    power_used: bool
    gone: Departure | None
    at: Position
    fixed: bool

    @property
    def row(self) -> Unit:
        return UNIT[self.now.key]

    @property
    def here(self) -> bool:
        return self.gone is None

    @property
    def fleeing(self) -> bool:
        return self.now.fleeing

    @property
    def lost(self) -> int:
        return self.row.models - self.now.models

    def as_occupant(self) -> Occupant:
        """The unit as the castle knows it. A siege has two sides."""
        side = check_one_of(self.side, SIDES, "side")
        return Occupant(self.id, "A" if side == "A" else "B", self.now.key, self.fleeing, self.fixed)

    @property
    def wounds_taken(self) -> int:
        """Wounds marked on the remaining models."""
        return self.now.wounds + self.now.hero_wounds


# The values of a unit's cells until something is written to them.
UNIT_DEFAULTS: Cells = {
    "flees": False,
    "acted": 0,
    "moved": 0,
    "power": 0,
    "first": 0,
    "blessed": 0,
    "kissed": (0, 0),
    "gone": None,
    "at": {"terrain": "clear"},
}


@dataclass(slots=True)
class TrackerState:
    """A view of the cells. While a step is judged, ``read`` records which cells it used; ``peek`` does not."""

    cells: Cells = field(default_factory=dict)
    read: ReadCell | None = None
    peek: ReadCell | None = None
    frozen: bool = False  # the cells stay as they are, so what was read once is remembered
    _units: dict[str, TrackedUnit] = field(default_factory=dict)
    _contacts: dict[str, list[str]] | None = None

    def get(self, cell: str, default: Any = None, *, noted: bool = True) -> Any:
        look = self.read if noted else self.peek
        value = look(cell) if look else self.cells.get(cell)
        return default if value is None else value

    def rewound(self, cells: Mapping[str, Any]) -> "TrackerState":
        """The state with these cells as they once were; None: not there."""
        return TrackerState({cell: now for cell, now in {**self.cells, **cells}.items() if now is not None})

    # --- the battle ------------------------------------------------------------------------------------------

    @property
    def is_set_up(self) -> bool:
        return "sides" in self.cells

    @property
    def sides(self) -> tuple[str, ...]:
        return tuple(self.cells.get("sides", ()))

    def side_name(self, side: str) -> str:
        return str(self.cells.get(f"side/{side}", {}).get("name") or f"Side {side}")

    @property
    def solo(self) -> str | None:
        """The side the tracker plays."""
        key = self.cells.get("solo")
        return str(key) if key else None

    @property
    def round(self) -> int:
        return int(self.get("round", 0))

    @property
    def event(self) -> str | None:
        """The random event of this round."""
        cell = self.get("event")
        return cell[1] if cell and cell[0] == self.round else None

    @property
    def event_rolled(self) -> bool:
        cell = self.get("event")
        return bool(cell and cell[0] == self.round)

    def vp_spent(self, side: str) -> int:
        return int(self.get(f"spent/{side}", 0))

    def starting_vp(self, side: str) -> int:
        """The VP the side had when the battle began."""
        return int(self.cells.get(f"side/{side}", {}).get("vp", 0))

    def fights(self) -> "dict[str, Fight]":
        """Unfinished fights, by the unit that started them."""
        return {
            cell.removeprefix("fight/"): Fight.from_cell(fight)
            for cell, fight in self.cells.items()
            if cell.startswith("fight/") and fight
        }

    # --- units -----------------------------------------------------------------------------------------------

    def unit_ids(self, side: str | None = None) -> tuple[str, ...]:
        every = self.cells.get("units", ())
        return tuple(key for key in every if side is None or self.cells[key]["side"] == side)

    def unit(self, key: object, noted: Container[str] | None = None) -> TrackedUnit:
        """One unit. A step depends on the ``noted`` cells of it, or on all of them if ``noted`` is None."""
        if not isinstance(key, str) or key not in self.cells.get("units", ()):
            raise Refusal(f"There is no unit {quote_value(key)} in this battle.", field="unit")
        if self.frozen and key in self._units:
            return self._units[key]

        def cell(name: str) -> Any:
            return self.get(f"{key}/{name}", UNIT_DEFAULTS.get(name), noted=noted is None or name in noted)

        setup = self.cells[key]
        slot = Slot(setup["origin"], setup["number"])
        mustered = MusteredUnit(slot, setup["unit"], setup.get("hero"), setup.get("weapon"))
        left = cell("left")
        now = self.round
        kissed_in, kissed = cell("kissed")
        body = UnitInPlay(
            setup["unit"],
            max(1, left["models"]),
            None if setup.get("hero") == "ladybug" else setup.get("hero"),
            wounds=left.get("wounds", 0),
            hero_wounds=left.get("hero_wounds", 0),
            spear=setup.get("weapon") is not None,
            shield=bool(left.get("shield")),
            ladybug=bool(left.get("ladybug")),
            fleeing=bool(cell("flees")),
            blessed=now > 0 and cell("blessed") == now,
            first_activated=now > 0 and cell("first") == now,
        )
        if kissed and kissed_in == now:
            body = _with_kisses(body, kissed)
        read_unit_ = TrackedUnit(
            key,
            setup["side"],
            setup["name"],
            setup.get("house", ""),
            mustered,
            body,
            now > 0 and cell("acted") == now,
            now > 0 and cell("moved") == now,
            now > 0 and cell("power") == now,
            Departure.from_cell(gone) if (gone := cell("gone")) else None,
            Position.from_cell(cell("at")),
            setup["origin"] == "garrison",
        )
        if self.frozen:
            self._units[key] = read_unit_
        return read_unit_

    def units(self, side: str | None = None) -> tuple[TrackedUnit, ...]:
        return tuple(map(self.unit, self.unit_ids(side)))

    def units_here(self, side: str | None = None) -> tuple[TrackedUnit, ...]:
        return tuple(unit for unit in self.units(side) if unit.here)

    def full_name(self, key: str) -> str:
        """The unit with its side, as sentences name it."""
        cell = self.cells[key]
        return f"{self.side_name(cell['side'])}’s {cell['name']}"

    def king(self, side: str) -> TrackedUnit | None:
        return next((unit for unit in self.units(side) if unit.now.key == "king"), None)

    # --- who is in contact -----------------------------------------------------------------------------------

    def contacts(self, key: str) -> tuple[str, ...]:
        """Enemies this unit is in melee with."""
        pairs = self._contacts
        if pairs is None:
            pairs = {}
            for cell, value in self.cells.items():
                if value and cell.startswith("melee/"):
                    one, two = cell.removeprefix("melee/").split(":")
                    pairs.setdefault(one, []).append(two)
                    pairs.setdefault(two, []).append(one)
            if self.frozen:
                self._contacts = pairs
        return tuple(sorted(pairs.get(key, ())))

    # --- the castle ------------------------------------------------------------------------------------------

    @property
    def has_castle(self) -> bool:
        return "castle/tower_nw" in self.cells

    def castle(self) -> Castle:
        """The castle as the rulebook sees it, with the units that occupy it."""
        standing: dict[str, list[Occupant]] = {}
        for unit in self.units():
            if unit.here and unit.at.castle:
                standing.setdefault(unit.at.castle, []).append(unit.as_occupant())
        pieces = []
        for piece in PIECES:
            damaged = self.get(f"castle/{piece.key}", {})
            pieces.append(
                PieceState(
                    piece.key, damaged.get("damage", 0), bool(damaged.get("vat")), tuple(standing.get(piece.key, ()))
                )
            )
        poured = tuple(
            (cell.removeprefix("poured/").split(":")[0], cell.split(":")[1])
            for cell, value in self.cells.items()
            if value and cell.startswith("poured/")
        )
        return Castle(tuple(pieces), poured)

    def place_of(self, unit: TrackedUnit, fighting: str | None = None, *, flanked: int = 0) -> Place:
        """The position of a unit as the rulebook sees it."""
        if unit.at.castle and self.has_castle:
            place = self.castle().place_of(unit.id, fighting)
            return Place(place.terrain, place.piece, flanked=max(place.flanked, flanked))
        return Place(unit.at.terrain, extra_tall=unit.at.extra_tall, flanked=flanked)


def is_first_to_act(tracker: TrackerState, side: str) -> bool:
    """Whether no unit of this side has acted in this round, so that the next is the first of its army (R-90)."""
    first = tracker.cells.get(f"first/{side}")
    return not (first and first[0] == tracker.round)


def _with_kisses(body: UnitInPlay, number: int) -> UnitInPlay:
    return replace(body, kissed=min(number, body.kissable))


def melee_cell(one: str, two: str) -> str:
    """The cell that records that two units are in melee."""
    first, second = sorted((one, two))
    return f"melee/{first}:{second}"


# ── A fight in progress, kept in a cell until it is resolved ─────────────────────────────────────────────


AttackKind = Literal["shoot", "charge", "strike", "cast", "rally", "torch", "bombard", "nerve"]
Situation = Shooting | Melee | Casting | Rally | BuildingAttack | Bombardment | Morale


@dataclass(frozen=True, slots=True)
class Fight:
    how: AttackKind
    attacker: str
    situation: Situation
    faces: tuple[int, ...] = ()
    target: str | None = None
    building: int | None = None
    piece: str | None = None
    damage: int | None = None  # of the wall when the gun was aimed; another gun may have hit it since
    here: bool | None = None  # whether the last dice were rolled by the service

    @classmethod
    def from_cell(cls, cell: Mapping[str, Any]) -> "Fight":
        situation = _read_situation(cell["how"], cell["situation"])
        rest = {name: cell.get(name) for name in ("target", "building", "piece", "damage", "here")}
        return cls(cell["how"], cell["attacker"], situation, tuple(cell["faces"]), **rest)

    def to_cell(self) -> Mapping[str, object]:
        rest = {name: getattr(self, name) for name in ("target", "building", "piece", "damage", "here")}
        return {
            "how": self.how,
            "attacker": self.attacker,
            "situation": to_json(self.situation),
            "faces": list(self.faces),
            **{name: value for name, value in rest.items() if value is not None},
        }


def _read_situation(how: str, stored: Mapping[str, Any]) -> Situation:
    def unit(name: str) -> UnitInPlay:
        return read_unit(stored[name], name)

    def place(name: str) -> Place:
        return read_place(stored.get(name), name)

    def rest(*names: str) -> Any:
        return [stored[name] for name in names]

    if how == "shoot":
        here, there, more = place("at"), place("target_at"), rest("moved", "adjacent", "event")
        return Shooting(unit("attacker"), unit("target"), stored["inches"], here, there, *more)
    if how in ("charge", "strike"):
        more = rest("charged", "battling_back", "adjacent", "event")
        return Melee(unit("attacker"), unit("target"), place("at"), place("target_at"), *more)
    if how == "cast":
        more = rest("engaged", "target_engaged", "target_activated", "event")
        return Casting(unit("attacker"), unit("target"), place("at"), place("target_at"), *more)
    if how == "rally":
        return Rally(unit("unit"), place("at"), stored["event"])
    if how == "nerve":
        attacker = unit("attacker") if stored.get("attacker") else None
        return Morale(unit("unit"), attacker, place("at"), 0, stored["event"])
    if how == "torch":
        more = rest("adjacent", "event")
        # Fights begun before these were asked have neither.
        more += [stored.get("engaged", False), stored.get("enemy_inside", False)]
        return BuildingAttack(unit("unit"), Building(**stored["building"]), place("at"), *more)
    more = rest("moved", "engaged", "event")
    return Bombardment(unit("gun"), stored["piece"], stored["inches"], place("at"), *more)
