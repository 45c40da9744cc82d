"""The table ready to draw: sides, units with their tokens, what is asked now, what just happened."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from battles.table_reading import Kept
from battles.telling.story import named
from battles.tracker import facing, fights, goals, rounds, solo
from battles.tracker.course import Course, course_of, read_back, sides_of_rolls
from battles.tracker.helper import TICKS, HelperSheet, Tick, sheet
from battles.tracker.table import Standing, Table, Terms
from refusal import Refusal
from rulebook.burning import BUILDING_WOUNDS, VILLAGE
from rulebook.events import EVENT, Event
from rulebook.heroes import HERO
from rulebook.scenarios import Scenario
from rulebook.script import Ask
from rulebook.siege import piece_of
from rulebook.terrain import terrain_of

LIVERIES = ("gules", "azure", "vert", "purpure", "or", "sable", "argent")


@dataclass(frozen=True, slots=True)
class Pip:
    css: str
    name: str


@dataclass(frozen=True, slots=True)
class UnitRow:
    id: str
    unit: Standing
    icon: str
    sub: str
    pips: tuple[Pip, ...]
    state: str  # css words: is-done, is-fleeing, is-gone, is-next
    said: str  # for those who hear the page
    can_flee: bool

    @property
    def name(self) -> str:
        return self.unit.name


@dataclass(frozen=True, slots=True)
class SideRow:
    key: str
    name: str
    livery: str
    earned: int
    spent: int
    purse: int
    units: tuple[UnitRow, ...]
    here: int
    acted: int
    turn: bool
    solo: bool
    ladybug: bool  # one is looking for a new unit


@dataclass(frozen=True, slots=True)
class FightRow:
    """A fight under way: the dice so far, and what is asked of whom."""

    key: str
    fight: dict[str, Any]
    attacker: Standing
    target: Standing | None
    title: str
    verb: str
    whom: str
    course: Course
    side: str
    side_name: str
    ask: Ask | None
    at: int
    last: tuple[tuple[int, int], ...]  # dice of the last roll: place and face, for a re-roll
    rerolls: tuple[str, ...]  # sides that could pay
    numbers: HelperSheet | None
    nerve: tuple[tuple[Tick, bool], ...]  # what may still be told of the morale test that waits


@dataclass(frozen=True, slots=True)
class TableSheet:
    scenario: Scenario
    laid: bool
    round: int
    clock: str  # "of 6"
    turn: str | None
    turn_name: str
    sides: tuple[SideRow, ...]
    fights: tuple[FightRow, ...]
    event: Event | None
    asks_event: bool
    recent: tuple[dict[str, Any], ...]  # newest first
    verdict: goals.Verdict
    round_done: bool  # everybody has acted
    rolls_initiative: bool
    buildings: tuple[tuple[int, int], ...]
    crossings: dict[str, int]
    holder: str
    held: tuple[tuple[int, dict[str, int]], ...]
    away: bool
    solo: dict[str, Any] | None
    solo_side: str | None
    vp_lines: tuple[tuple[str, str, int], ...]

    @property
    def last(self) -> dict[str, Any] | None:
        return self.recent[0] if self.recent else None

    @property
    def siege(self) -> bool:
        return self.scenario.key == "siege"


def table_sheet(kept: Kept, terms: Terms) -> TableSheet:
    table = kept.table
    turn = rounds.turn(table) if table.laid else None
    score = goals.so_far(table, terms)
    event = table.event if table.laid else None
    verdict = goals.verdict(table, terms)
    lines = tuple((line.side, line.text, line.vp) for line in score.lines if line.key != "win") if score else ()
    return TableSheet(
        scenario=terms.row,
        laid=table.laid,
        round=table.round,
        clock=f"of {terms.row.rounds}" if terms.row.rounds else "",
        turn=turn,
        turn_name=table.side_name(turn) if turn else "",
        sides=tuple(_side(table, terms, side, turn) for side in table.sides),
        fights=tuple(fight_row(table, terms, key, told) for key, told in table.fights().items()),
        event=EVENT[event] if event else None,
        asks_event=terms.options.random_events and table.round > 0 and not table.event_rolled,
        recent=tuple(reversed(kept.recent)),
        verdict=replace(verdict, reason=named(verdict.reason, {side: table.side_name(side) for side in table.sides})),
        round_done=table.round > 0 and turn is None and not table.fights(),
        rolls_initiative=table.round > 0 and rounds.needs_initiative(table, terms),
        buildings=_buildings(table, terms),
        crossings=dict(table.get("crossings", {})) if terms.scenario == "secure_the_crossing" else {},
        holder=str(table.get("holder", "")),
        held=_held(table, terms),
        away=bool(table.get("away", False)),
        solo=solo.now(table) if table.laid and table.solo else None,
        solo_side=table.solo,
        vp_lines=lines,
    )


def _buildings(table: Table, terms: Terms) -> tuple[tuple[int, int], ...]:
    if terms.scenario != "chevauchee":
        return ()
    return tuple(
        (number, min(BUILDING_WOUNDS, int(table.get(f"building/{number}", 0)))) for number in range(1, VILLAGE + 1)
    )


def _held(table: Table, terms: Terms) -> tuple[tuple[int, dict[str, int]], ...]:
    if terms.scenario != "hold_the_hills":
        return ()
    return tuple((number, dict(table.get(f"held/{number}", {}))) for number in range(1, table.round + 1))


def _side(table: Table, terms: Terms, side: str, turn: str | None) -> SideRow:
    units = table.units(side)
    here = [unit for unit in units if unit.here]
    told = table.cells[f"side/{side}"]
    livery = told.get("livery") or LIVERIES[table.sides.index(side) % 2]
    return SideRow(
        side,
        table.side_name(side),
        livery if livery in LIVERIES else LIVERIES[table.sides.index(side) % 2],
        goals.earned(table, terms, side),
        table.spent(side),
        goals.purse(table, terms, side),
        tuple(unit_row(table, unit, turn) for unit in units),
        len(here),
        sum(unit.acted for unit in here),
        turn == side,
        table.solo == side,
        bool(table.get(f"ladybug/{side}")),
    )


def unit_row(table: Table, unit: Standing, turn: str | None = None) -> UnitRow:
    state = "is-gone" if not unit.here else "is-done" if unit.acted else ""
    if unit.here and unit.fleeing:
        state += " is-fleeing"
    words = [f"{unit.now.models} of {unit.row.models} models"] if unit.here else []
    if unit.wounds_taken and unit.here:
        words.append(f"{unit.wounds_taken} wounds marked")
    sub = _sub(table, unit)
    return UnitRow(
        unit.id,
        unit,
        f"c-{unit.now.key}",
        sub,
        pips(unit),
        state.strip(),
        ", ".join(words),
        unit.row.tests_morale,
    )


def _sub(table: Table, unit: Standing) -> str:
    if not unit.here and unit.gone is not None:
        when = f" in round {unit.gone['round']}" if unit.gone.get("round") else ""
        how = "escaped" if unit.gone["how"] == "escaped" else unit.gone["why"]
        return f"{how}{when}"
    words = []
    if unit.house and unit.house not in unit.name:
        words.append(unit.house.removeprefix("House "))
    if unit.now.living_hero:
        words.append(HERO[unit.now.living_hero].name if unit.now.living_hero in HERO else unit.now.living_hero.title())
    if unit.now.ladybug:
        words.append("Ladybug")
    if unit.now.shield:
        words.append("shield")
    if unit.fleeing:
        words.append("test to rally")
    enemies = table.contacts(unit.id)
    if enemies:
        words.append("in melee")
    if unit.now.blessed:
        words.append("blessed")
    if unit.now.kissed:
        words.append("kissed")
    ground = unit.at.get("terrain", "clear")
    if unit.at.get("castle"):
        words.append(piece_of(unit.at["castle"]).name.lower())
    elif ground != "clear":
        words.append(f"{'extra tall ' if unit.at.get('extra_tall') else ''}{terrain_of(ground).name.lower()}")
    return ", ".join([*words, f"AC {unit.row.ac}"])


def pips(unit: Standing) -> tuple[Pip, ...]:
    """One for each model, the leader first; a model of several wounds shows its wounds."""
    if unit.row.models == 1:
        left = unit.now.wounds_left if unit.here else 0
        return tuple(Pip("" if at < left else "out", "wound") for at in range(unit.row.total_wounds))
    row: list[Pip] = []
    ranks = list(reversed(unit.now.ranks))
    for at, model in enumerate(ranks):
        css = "lead-pip" if at == 0 else ""
        if not unit.here or at >= unit.now.models:
            css = "out"
        elif (at == 0 and unit.now.wounds) or (model.role == "hero" and unit.now.hero_wounds):
            css += " hurt"
        row.append(Pip(css.strip(), model.name))
    return tuple(row)


def fight_row(table: Table, terms: Terms, key: str, told: dict[str, Any]) -> FightRow:
    done = course_of(table, terms, told)
    attacker = table.unit(told["attacker"])
    target = table.unit(told["target"]) if told.get("target") else None
    sides = sides_of_rolls(table, told, done)
    side = sides[-1] if sides else attacker.side
    found = read_back(told["how"], told["situation"])
    try:
        numbers = sheet(found, terms.options) if not told["faces"] else None
    except Refusal:
        numbers = None
    last: tuple[tuple[int, int], ...] = ()
    if done.rolled:
        last = tuple(enumerate(done.rolled[-1][1]))
    whom = table.called(target.id) if target else facing.thing_of(told)
    return FightRow(
        key,
        told,
        attacker,
        target,
        table.called(attacker.id),
        facing.verb(told["how"], attacker.now),
        whom,
        done,
        side,
        table.side_name(side),
        done.ask,
        len(told["faces"]),
        last,
        fights.may_reroll(table, terms, told, done),
        numbers,
        _nerve(table, terms, told, found),
    )


def _nerve(table: Table, terms: Terms, told: dict[str, Any], found: Any) -> tuple[tuple[Tick, bool], ...]:
    """What may still be told of a morale test before its die falls; a King needs no King."""
    place = fights.nerve_place(table, terms, told)
    if place is None:
        return ()
    at, unit = getattr(found, place), table.unit(told["attacker"] if place == "at" else told["target"])
    king = table.king(unit.side)
    near, bearer = TICKS["nerve"]
    rows = ((near, at.king == "near"), (bearer, bool(at.bearers)))
    has_king = unit.now.key != "king" and king is not None and king.here and not king.fleeing
    return rows if has_king else rows[1:]
