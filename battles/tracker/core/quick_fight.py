"""A fight without a battle: two units told in a few words, on a table made for them alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from battles.tracker.course import Course, course, read_back, script_of, stored
from battles.tracker.draft import Draft
from battles.tracker.facing import situation, thing_of, verb
from battles.tracker.helper import HelperSheet, falls, sheet
from battles.tracker.steps import work_out
from battles.tracker.table import Cells, Table, Terms
from refusal import Refusal
from rulebook.bombardment import Bombarded, Bombardment
from rulebook.burning import BUILDING_WOUNDS, Torched
from rulebook.combat import AttackResult, Exchange
from rulebook.inplay import UnitInPlay
from rulebook.options import BY_THE_BOOK, Options
from rulebook.rolls import count
from rulebook.script import Step as Told
from rulebook.siege import PIECES, piece_of
from rulebook.spells import Cast

ALONE = ("rally", "torch", "bombard")  # what is not done to a unit
GUN = {"unit": "cat_non"}


@dataclass(frozen=True, slots=True)
class QuickFight:
    """The fight as far as it has come."""

    table: Table
    how: str
    thing: str  # the building or the wall, where it is no unit
    sheet: HelperSheet
    course: Course
    story: tuple[str, ...]
    after: tuple[UnitInPlay | None, UnitInPlay | None]  # attacker and target now

    @property
    def verb(self) -> str:
        return verb(self.how, self.table.unit("A1").now)

    @property
    def over(self) -> bool:
        return self.course.ask is None


def table_for(attacker: Mapping[str, Any], target: Mapping[str, Any], event: str | None = None) -> Table:
    """Two units on a bare table in the first round. Each is told by unit, hero, weapon, and what is left of it."""
    sides = [
        {"side": "A", "name": "Attackers", "units": [_marching(attacker)]},
        {"side": "B", "name": "Targets", "units": [_marching(target)]},
    ]
    cells: Cells = {}
    terms = Terms("pitched_battle", BY_THE_BOOK)
    for effect in work_out(cells, terms, "laid", {"sides": sides}).effects:
        cells[effect["cell"]] = effect["now"]
    cells["round"] = 1
    if event:
        cells["event"] = [1, event]
    for key, told in (("A1", attacker), ("B1", target)):
        draft = Draft(Table(cells), terms)
        unit = draft.table.unit(key)
        models = told.get("models") or unit.row.models
        left = {"models": int(models)} | {k: told[k] for k in ("wounds", "hero_wounds") if told.get(k)}
        for what in ("shield", "ladybug"):
            if told.get(what, getattr(unit.now, what)):
                left[what] = True
        body = {"models": left["models"], **{k: v for k, v in left.items() if k != "models"}}
        work_out(cells, terms, "losses", {"unit": key, **body})  # refuses what cannot be left of it
        cells[f"{key}/left"] = left
        if told.get("flees"):
            cells[f"{key}/flees"] = True
        if told.get("blessed"):
            cells[f"{key}/blessed"] = 1
    return Table(cells)


def _marching(told: Mapping[str, Any]) -> dict[str, Any]:
    origin = "train" if told.get("unit") == GUN["unit"] else "house"
    return {"unit": told.get("unit"), "hero": told.get("hero"), "weapon": told.get("weapon"), "origin": origin}


def _named(thing: Mapping[str, Any]) -> str:
    return "The building" if "building" in thing else thing_of(thing).replace("the ", "The ", 1)


def _standing(cells: Cells, how: str, at: Mapping[str, Any]) -> dict[str, Any]:
    """A building or a castle beside the two, with the hits it has taken; gives what an attack on it is told."""
    hits = count(at.get("hits") or 0, "number of hits taken")
    if how == "torch":
        cells["building/1"] = hits
        return {"building": 1}
    piece = piece_of(at.get("piece") or "gatehouse")
    if hits >= (piece.kind.hits or 0):
        raise Refusal(f"With {hits} hits the {piece.name} lies in rubble already.", field="hits")
    cells |= {f"castle/{one.key}": {"damage": hits if one == piece else 0, "vat": False} for one in PIECES}
    return {"piece": piece.key}


def fight(
    attacker: Mapping[str, Any],
    target: Mapping[str, Any],
    how: str,
    ticks: Mapping[str, Any],
    faces: Sequence[int] = (),
    event: str | None = None,
    options: Options = BY_THE_BOOK,
    *,
    at: Mapping[str, Any] | None = None,
) -> QuickFight:
    """Numbers, odds and the dice so far. Nothing is kept. ``at``: the wall and the hits on it, for fires and the Cat-non."""
    table = table_for(GUN if how == "bombard" else attacker, target, event)
    thing = _standing(table.cells, how, at or {}) if how in ("torch", "bombard") else {}
    mine, theirs = table.unit("A1"), table.unit("B1")
    told = {"ticks": ticks, **thing}
    found = situation(table, Terms("pitched_battle", options), how, mine, None if how in ALONE else theirs, told)
    name = _named(thing)
    numbers = sheet(found, options)
    if isinstance(found, Bombardment):
        damage = table.castle()[found.piece].damage
        numbers = replace(numbers, bars=falls(found, damage, options), bars_of=f"{name} after this shot")
    elif thing:
        numbers = replace(numbers, bars_of=f"{name} after this attack")
    done = course(script_of(how, read_back(how, stored(found)), table, options), faces)
    story = _story(done, mine.now, theirs.now, name)
    return QuickFight(table, how, name, numbers, done, story, _after(done, mine.now, theirs.now))


def _story(done: Course, mine: UnitInPlay, theirs: UnitInPlay, thing: str = "") -> tuple[str, ...]:
    names = {"attacker": mine.unit.name, "target": thing or theirs.unit.name}
    result = done.result
    told: list[tuple[Sequence[Told], dict[str, str]]] = []
    if isinstance(result, AttackResult):
        told.append((result.steps, names))
    elif isinstance(result, Exchange):
        told.append((result.attack.steps, names))
        if result.battle_back is not None:
            told.append((result.battle_back.steps, {"attacker": names["target"], "target": names["attacker"]}))
    elif isinstance(result, (Cast, Bombarded, Torched)):
        told.append((result.steps, names))
    elif result is not None and hasattr(result, "steps"):
        told.append((result.steps, {"attacker": names["attacker"], "target": names["attacker"]}))
    lines = [step.text(who[step.side]) for steps, who in told for step in steps]
    if isinstance(result, Cast):
        lines.insert(0, f"The spell is {result.spell.name}. {'' if result.works else result.works.reason}".strip())
    if isinstance(result, Torched):
        lines.append(
            "It is ablaze." if result.ablaze else f"It has taken {result.building.wounds} of {BUILDING_WOUNDS} hits."
        )
    if isinstance(result, Bombarded):
        lines.append(
            "It lies in rubble."
            if result.levelled
            else f"It takes {result.damage} hit{'' if result.damage == 1 else 's'}."
        )
    return tuple(lines)


def _after(done: Course, mine: UnitInPlay, theirs: UnitInPlay) -> tuple[UnitInPlay | None, UnitInPlay | None]:
    result = done.result
    if isinstance(result, Exchange):
        return result.attacker, result.target
    if isinstance(result, AttackResult):
        return mine, result.target
    if isinstance(result, Cast):
        return mine, result.attack.target if result.attack else theirs
    after = getattr(result, "after", mine) if result is not None else mine
    return after, theirs
