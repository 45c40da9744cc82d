"""A fight without a battle: two units told in a few words, on a table made for them alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from battles.tracker.course import Course, course, read_back, script_of, stored
from battles.tracker.draft import Draft
from battles.tracker.facing import situation, verb
from battles.tracker.helper import HelperSheet, sheet
from battles.tracker.steps import work_out
from battles.tracker.table import Cells, Table, Terms
from rulebook.combat import AttackResult, Exchange
from rulebook.inplay import UnitInPlay
from rulebook.options import BY_THE_BOOK, Options
from rulebook.script import Step as Told
from rulebook.spells import Cast

ALONE = ("rally",)


@dataclass(frozen=True, slots=True)
class QuickFight:
    """The fight as far as it has come."""

    table: Table
    how: str
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
    return {"unit": told.get("unit"), "hero": told.get("hero"), "weapon": told.get("weapon"), "origin": "house"}


def fight(
    attacker: Mapping[str, Any],
    target: Mapping[str, Any],
    how: str,
    ticks: Mapping[str, Any],
    faces: Sequence[int] = (),
    event: str | None = None,
    options: Options = BY_THE_BOOK,
) -> QuickFight:
    """Numbers, odds and the dice so far. Nothing is kept."""
    table = table_for(attacker, target, event)
    mine, theirs = table.unit("A1"), table.unit("B1")
    found = situation(
        table, Terms("pitched_battle", options), how, mine, None if how in ALONE else theirs, {"ticks": ticks}
    )
    numbers = sheet(found, options)
    done = course(script_of(how, read_back(how, stored(found)), table, options), faces)
    return QuickFight(table, how, numbers, done, _story(done, mine.now, theirs.now), _after(done, mine.now, theirs.now))


def _story(done: Course, mine: UnitInPlay, theirs: UnitInPlay) -> tuple[str, ...]:
    names = {"attacker": mine.unit.name, "target": theirs.unit.name}
    result = done.result
    told: list[tuple[Sequence[Told], dict[str, str]]] = []
    if isinstance(result, AttackResult):
        told.append((result.steps, names))
    elif isinstance(result, Exchange):
        told.append((result.attack.steps, names))
        if result.battle_back is not None:
            told.append((result.battle_back.steps, {"attacker": names["target"], "target": names["attacker"]}))
    elif isinstance(result, Cast):
        told.append((result.steps, names))
    elif result is not None and hasattr(result, "steps"):
        told.append((result.steps, {"attacker": names["attacker"], "target": names["attacker"]}))
    lines = [step.text(who[step.side]) for steps, who in told for step in steps]
    if isinstance(result, Cast):
        lines.insert(0, f"The spell is {result.spell.name}. {'' if result.works else result.works.reason}".strip())
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
