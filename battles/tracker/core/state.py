"""The table as it stands: cells, and the units, sides and castle that are read from them."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from refusal import Refusal
from rulebook.army import MusteredUnit, Slot
from rulebook.inplay import Place, UnitInPlay
from rulebook.options import BY_THE_BOOK, Options
from rulebook.rolls import shown
from rulebook.scenarios import Scenario, scenario_of
from rulebook.siege import PIECES, Castle, Occupant, PieceState
from rulebook.units import UNIT, Unit

Cells = dict[str, Any]
Read = Callable[[str], Any]

SIEGE_SIDES = {"A": "attacker", "B": "defender"}


@dataclass(frozen=True, slots=True)
class Terms:
    """What was settled before the battle and does not change in it."""

    scenario: str
    options: Options = BY_THE_BOOK

    @property
    def row(self) -> Scenario:
        return scenario_of(self.scenario)

    @property
    def siege(self) -> bool:
        return self.scenario == "siege"


@dataclass(frozen=True, slots=True)
class Standing:
    """A unit at the table, and everything its tokens say."""

    id: str
    side: str
    name: str
    house: str
    mustered: MusteredUnit
    now: UnitInPlay
    acted: bool
    moved: bool
    power_used: bool
    gone: Mapping[str, Any] | None  # {"how": "removed" | "escaped", "why": …, "round": …}
    at: Mapping[str, Any]  # terrain, extra_tall, castle (a piece, or nothing)
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

    @property
    def wounds_taken(self) -> int:
        """Wounds marked on models that still stand."""
        return self.now.wounds + self.now.hero_wounds


# What a unit's cells hold where nothing has been written yet.
FRESH: dict[str, Any] = {
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
class Table:
    """A view of the cells. A step being worked out looks up cells by ``read``, which notes them, or by ``peek``, which does not."""

    cells: Cells = field(default_factory=dict)
    read: Read | None = None
    peek: Read | None = None

    def get(self, cell: str, default: Any = None, *, noted: bool = True) -> Any:
        look = self.read if noted else self.peek
        value = look(cell) if look else self.cells.get(cell)
        return default if value is None else value

    # --- the battle ------------------------------------------------------------------------------------------

    @property
    def laid(self) -> bool:
        return "sides" in self.cells

    @property
    def sides(self) -> tuple[str, ...]:
        return tuple(self.cells.get("sides", ()))

    def side_name(self, side: str) -> str:
        return str(self.cells.get(f"side/{side}", {}).get("name") or f"Side {side}")

    @property
    def solo(self) -> str | None:
        """The side that nobody plays."""
        found = self.cells.get("solo")
        return str(found) if found else None

    @property
    def round(self) -> int:
        return int(self.get("round", 0))

    @property
    def event(self) -> str | None:
        """The random event of this round."""
        told = self.get("event")
        return told[1] if told and told[0] == self.round else None

    @property
    def event_rolled(self) -> bool:
        told = self.get("event")
        return bool(told and told[0] == self.round)

    def spent(self, side: str) -> int:
        return int(self.get(f"spent/{side}", 0))

    def purse(self, side: str) -> int:
        """What the side had when the battle began."""
        return int(self.cells.get(f"side/{side}", {}).get("vp", 0))

    def fights(self) -> dict[str, dict[str, Any]]:
        """Fights under way, by who began them."""
        return {
            cell.removeprefix("fight/"): dict(told)
            for cell, told in self.cells.items()
            if cell.startswith("fight/") and told
        }

    # --- units -----------------------------------------------------------------------------------------------

    def ids(self, side: str | None = None) -> tuple[str, ...]:
        every = self.cells.get("units", ())
        return tuple(one for one in every if side is None or self.cells[one]["side"] == side)

    def unit(self, key: object, noted: Container[str] | None = None) -> Standing:
        """One unit. A step rests on the cells of it that are ``noted``; on all of them where nothing is said."""
        if not isinstance(key, str) or key not in self.cells.get("units", ()):
            raise Refusal(f"There is no unit {shown(key)} on this table.", field="unit")

        def cell(name: str) -> Any:
            return self.get(f"{key}/{name}", FRESH.get(name), noted=noted is None or name in noted)

        told = self.cells[key]
        slot = Slot(told["origin"], told["number"])
        mustered = MusteredUnit(slot, told["unit"], told.get("hero"), told.get("weapon"))
        left = cell("left")
        now = self.round
        kissed_in, kissed = cell("kissed")
        body = UnitInPlay(
            told["unit"],
            max(1, left["models"]),
            None if told.get("hero") == "ladybug" else told.get("hero"),
            wounds=left.get("wounds", 0),
            hero_wounds=left.get("hero_wounds", 0),
            spear=told.get("weapon") is not None,
            shield=bool(left.get("shield")),
            ladybug=bool(left.get("ladybug")),
            fleeing=bool(cell("flees")),
            blessed=now > 0 and cell("blessed") == now,
            first_activated=now > 0 and cell("first") == now,
        )
        if kissed and kissed_in == now:
            body = _kissed(body, kissed)
        return Standing(
            key,
            told["side"],
            told["name"],
            told.get("house", ""),
            mustered,
            body,
            now > 0 and cell("acted") == now,
            now > 0 and cell("moved") == now,
            now > 0 and cell("power") == now,
            cell("gone"),
            cell("at"),
            told["origin"] == "garrison",
        )

    def units(self, side: str | None = None) -> tuple[Standing, ...]:
        return tuple(self.unit(one) for one in self.ids(side))

    def here(self, side: str | None = None) -> tuple[Standing, ...]:
        return tuple(unit for unit in self.units(side) if unit.here)

    def called(self, key: str) -> str:
        """How a sentence names a unit: whose it is, and what."""
        told = self.cells[key]
        return f"{self.side_name(told['side'])}’s {told['name']}"

    def king(self, side: str) -> Standing | None:
        return next((unit for unit in self.units(side) if unit.now.key == "king"), None)

    # --- who is in contact -----------------------------------------------------------------------------------

    def contacts(self, key: str) -> tuple[str, ...]:
        """Enemies this unit is in melee with."""
        found = []
        for cell, value in self.cells.items():
            if value and cell.startswith("melee/"):
                one, two = cell.removeprefix("melee/").split(":")
                if key in (one, two):
                    found.append(two if one == key else one)
        return tuple(sorted(found))

    # --- the castle ------------------------------------------------------------------------------------------

    @property
    def has_castle(self) -> bool:
        return "castle/tower_nw" in self.cells

    def castle(self) -> Castle:
        """The castle in the rulebook's own form; who stands where is read from the units."""
        standing: dict[str, list[Occupant]] = {}
        for unit in self.units():
            piece = unit.at.get("castle")
            if unit.here and piece:
                occupant = Occupant(unit.id, SIEGE_SIDES[unit.side], unit.now.key, unit.fleeing, unit.fixed)  # type: ignore[arg-type]
                standing.setdefault(piece, []).append(occupant)
        pieces = []
        for piece in PIECES:
            told = self.get(f"castle/{piece.key}", {})
            pieces.append(
                PieceState(piece.key, told.get("damage", 0), bool(told.get("vat")), tuple(standing.get(piece.key, ())))
            )
        poured = tuple(
            (cell.removeprefix("poured/").split(":")[0], cell.split(":")[1])
            for cell, value in self.cells.items()
            if value and cell.startswith("poured/")
        )
        return Castle(tuple(pieces), poured)

    def place(self, unit: Standing, fighting: str | None = None, *, flanked: int = 0) -> Place:
        """Where a unit stands, as the rulebook wants it."""
        if unit.at.get("castle") and self.has_castle:
            found = self.castle().place_of(unit.id, fighting)
            return Place(found.terrain, found.piece, flanked=max(found.flanked, flanked))
        return Place(unit.at.get("terrain", "clear"), extra_tall=bool(unit.at.get("extra_tall")), flanked=flanked)


def _kissed(body: UnitInPlay, number: int) -> UnitInPlay:
    return replace(body, kissed=min(number, body.kissable))


def meeting(one: str, two: str) -> str:
    """The cell that says two units are in contact."""
    first, second = sorted((one, two))
    return f"melee/{first}:{second}"
