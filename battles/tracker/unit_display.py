"""One unit ready to draw: what it may do now and why not, whom it may turn to; and one fight with its ticks and numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.http import QueryDict

from battles.table_forms import ticks_of
from battles.tracker import facing
from battles.tracker.course import course, script_of
from battles.tracker.helper import TICKS, HelperSheet, Tick, falls, sheet
from battles.tracker.table import Standing, Table, Terms
from pages.numbers import whole
from refusal import Refusal
from rulebook.activation import choices
from rulebook.bombardment import Bombardment
from rulebook.burning import BUILDING_WOUNDS, VILLAGE
from rulebook.events import MUD, REINFORCEMENTS
from rulebook.heroes import HERO
from rulebook.siege import PIECES, RING
from rulebook.terrain import TERRAINS

GROUNDS: tuple[tuple[str, str], ...] = tuple(
    row
    for terrain in TERRAINS
    if terrain.enterable
    for row in ((terrain.key, terrain.name), *((("mound+tall", "Extra tall mound"),) if terrain.key == "mound" else ()))
)


@dataclass(frozen=True, slots=True)
class Way:
    """Something a unit may do, with everyone or everything it may be done to; or why it may not."""

    how: str
    title: str
    allowed: bool
    reason: str
    at: tuple[tuple[str, str, str], ...] = ()  # name of the field, its value, what it is called


@dataclass(frozen=True, slots=True)
class UnitSheet:
    unit: Standing
    side: str
    stop: str  # why it can do nothing at all now
    ways: tuple[Way, ...]
    power: Way | None
    choices: tuple[tuple[str, str, bool, str], ...]  # move and nothing: key, title, allowed, reason
    models: tuple[int, ...]
    wounds: tuple[int, ...]  # wounds that can be marked on the last model
    hero_wounds: tuple[int, ...]
    grounds: tuple[tuple[str, str], ...]
    ground: str
    pieces: tuple[tuple[str, str], ...]
    enemies: tuple[tuple[str, str, bool], ...]  # id, name, in contact
    edge: str  # what becomes of it over the edge
    mud: bool
    mud_roll: int  # what it rolled this round, or 0
    reinforcements: bool  # it may roll for a model


def unit_sheet(table: Table, terms: Terms, key: str) -> UnitSheet:
    unit = table.unit(key)
    engaged = table.contacts(key)
    may = choices(unit.now, engaged=bool(engaged), immobile=unit.fixed, options=terms.options)
    enemies = [one for one in table.here() if one.side != unit.side]
    stop = _stop(table, unit)
    ways = [] if not unit.here else _ways(table, terms, unit, enemies, engaged, may, stop)
    last = unit.now.standing[-1]
    beside = unit.now.hero_beside_king
    ground = str(unit.at.get("terrain", "clear")) + ("+tall" if unit.at.get("extra_tall") else "")
    return UnitSheet(
        unit,
        table.side_name(unit.side),
        stop,
        tuple(ways),
        _power(table, unit) if unit.here else None,
        tuple(
            (what, title, bool(may[what]) and not stop, stop or may[what].reason)
            for what, title in (("move", "Move"), ("nothing", "Do nothing"))
        ),
        tuple(range(unit.row.models, -1, -1)),
        tuple(range(last.wounds)),
        tuple(range(beside.wounds)) if beside else (),
        GROUNDS,
        ground,
        tuple((piece.key, piece.name) for piece in PIECES) if table.has_castle else (),
        tuple((one.id, one.name, one.id in engaged) for one in enemies),
        "escaped" if (terms.scenario, unit.side) == ("break_free", "A") else "removed",
        table.event == MUD,
        _this_round(table, table.get(f"{key}/mud")),
        table.event == REINFORCEMENTS and table.get(f"{key}/reinforced", 0) != table.round,
    )


def _this_round(table: Table, told: Any) -> int:
    return int(told[1]) if told and told[0] == table.round else 0


def _stop(table: Table, unit: Standing) -> str:
    """Why a unit can do nothing at all now."""
    if not unit.here:
        return "The unit is removed."
    if table.round == 0:
        return "The battle has not begun. Roll for the initiative first."
    if unit.acted:
        return "The unit has acted already this round."
    if f"fight/{unit.id}" in table.cells:
        return "The unit is in the middle of a fight."
    return ""


def _ways(
    table: Table,
    terms: Terms,
    unit: Standing,
    enemies: list[Standing],
    engaged: tuple[str, ...],
    may: Mapping[str, Any],
    stop: str,
) -> list[Way]:
    # With two sides an enemy needs no further name.
    named = {one.id: one.name if len(table.sides) == 2 else table.called(one.id) for one in enemies}
    ways: list[Way] = []

    def add(how: str, title: str, answer: Any, at: list[tuple[str, str, str]]) -> None:
        ways.append(Way(how, title, bool(answer) and not stop, stop or answer.reason, tuple(at)))

    if unit.fleeing:
        add("rally", "Try to rally", may["rally"], [("", "", "Test its morale")])
        return ways
    if engaged:
        add("strike", "Strike", may["attack"], [("target", one, named[one]) for one in engaged if one in named])
        return ways
    if not unit.row.siege_only and (unit.row.shoots or unit.now.living_hero == "ranger"):
        free = [one for one in enemies if not table.contacts(one.id)]
        add("shoot", "Shoot at", may["attack"], [("target", one.id, named[one.id]) for one in free])
    if unit.row.siege_only and table.has_castle:
        castle = table.castle()
        walls = [piece for piece in PIECES if piece.key in RING and not castle[piece.key].levelled]
        add("bombard", "Fire at", may["nothing"], [("piece", piece.key, piece.name) for piece in walls])
    add("charge", "Charge", may["charge"], [("target", one.id, named[one.id]) for one in enemies])
    if terms.scenario == "chevauchee" and unit.side == "A":
        houses = [n for n in range(1, VILLAGE + 1) if table.get(f"building/{n}", 0) < BUILDING_WOUNDS]
        add("torch", "Set fire to", may["nothing"], [("building", str(n), f"Building {n}") for n in houses])
    return ways


def _power(table: Table, unit: Standing) -> Way | None:
    """The hero's power of the round, which comes first in the activation (HERO-06)."""
    hero = unit.now.living_hero
    if hero not in ("cleric", "princess", "wizard"):
        return None
    friend = hero != "wizard"
    at = [
        ("target", one.id, one.name if friend or len(table.sides) == 2 else table.called(one.id))
        for one in table.here()
        if (one.side == unit.side) == friend
    ]
    kind = {"cleric": "blessed", "princess": "kissed", "wizard": "cast"}[hero]
    title = {"cleric": "The Cleric blesses", "princess": "The Princess kisses a model of", "wizard": "The Wizard casts at"}[hero]  # fmt: skip
    reason = ""
    if unit.power_used:
        reason = f"The {HERO[hero].name} has used this power already this round."
    elif unit.fleeing:
        reason = "The unit is fleeing and can only try to rally."
    elif table.round == 0:
        reason = "The battle has not begun."
    elif unit.acted or unit.moved:
        reason = "The unit has moved or attacked already; a hero’s power comes first."
    return Way(kind, title, not reason, reason or HERO[hero].text, tuple(at))


@dataclass(frozen=True, slots=True)
class FightSheet:
    """A fight before its first die."""

    how: str
    verb: str
    whom: str
    ticks: tuple[tuple[Tick, bool], ...]
    numbers: HelperSheet
    grounds: tuple[tuple[str, str], ...]
    at: str
    target_at: str
    shows_ground: bool
    shows_target_ground: bool
    piece: str
    building: str
    dice: int


def fight_sheet(table: Table, terms: Terms, attacker: Standing, target: Standing | None, data: QueryDict) -> FightSheet:
    how = data.get("how", "")
    told: dict[str, Any] = {"ticks": ticks_of(data)}
    if (building := whole(data.get("building", ""))) is not None:
        told["building"] = building
    if data.get("piece"):
        told["piece"] = data["piece"]
    found = facing.situation(table, terms, how, attacker, target, told)
    numbers = sheet(found, terms.options)
    whom = table.called(target.id) if target else facing.thing_of(told)
    if isinstance(found, Bombardment):
        state = table.castle()[found.piece]
        if state.levelled:
            raise Refusal(f"The {state.piece.name} lies in rubble already.", field="piece", status=409)
        bars = falls(found, state.damage, terms.options)
        numbers = _with_bars(numbers, bars, f"The {state.piece.name} after this shot")
    known = {**facing.known_ticks(table, terms, how, attacker, target), **told["ticks"]}
    waiting = course(script_of(how, found, table, terms.options), ()).ask
    return FightSheet(
        how,
        facing.verb(how, attacker.now),
        whom,
        tuple((tick, bool(known.get(tick.key))) for tick in TICKS[how] if _makes_sense(table, tick, attacker, target)),
        numbers,
        GROUNDS,
        str(known.get("at", "clear")) + ("+tall" if known.get("extra_tall") else ""),
        str(known.get("target_at", "clear")) + ("+tall" if known.get("target_extra_tall") else ""),
        not attacker.at.get("castle"),
        target is not None and not target.at.get("castle"),
        str(told.get("piece", "")),
        str(told.get("building", "")),
        waiting.count if waiting else 0,
    )


def _makes_sense(table: Table, tick: Tick, attacker: Standing, target: Standing | None) -> bool:
    """A King who flees, is gone or leads this very unit is known; nobody needs to measure to him."""
    if not tick.key.endswith("king_near"):
        return True
    unit = target if tick.key.startswith("target") else attacker
    if unit is None or unit.now.key == "king":
        return False
    king = table.king(unit.side)
    return king is not None and king.here and not king.fleeing


def _with_bars(numbers: HelperSheet, bars: Any, words: str) -> HelperSheet:

    return replace(numbers, bars=bars, bars_of=words)
