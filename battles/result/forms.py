"""The result form: what was tapped, read into a report; and the same form ready to draw."""

from __future__ import annotations

import datetime as dt
from collections.abc import Container, Mapping
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict
from django.utils import timezone

from battles.armies import NamedUnit, SideRow, side_rows
from battles.models import Battle
from battles.reporting import Report, options_of
from battles.telling.asks import ROUNDS_MOST, ROUNDS_OFFERED, Asks, asks
from battles.telling.many import ManyTold
from battles.telling.told import Told
from campaign.annals.state import State
from pages.numbers import whole
from refusal import Refusal


@dataclass(frozen=True, slots=True)
class UnitBox:
    unit: NamedUnit
    removed: bool
    escaped: bool


@dataclass(frozen=True, slots=True)
class SideForm:
    row: SideRow
    units: tuple[UnitBox, ...]
    houses: tuple[tuple[int, str, bool], ...]
    spent: int
    crossings: int

    @property
    def letter(self) -> str:
        return self.row.letter

    @property
    def any_silent(self) -> bool:
        return any(silent for _, _, silent in self.houses)


@dataclass(frozen=True, slots=True)
class EndingRow:
    key: str
    text: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class MoundRow:
    round: int
    held: tuple[tuple[str, int], ...]  # letter, mounds


@dataclass(frozen=True, slots=True)
class ResultForm:
    """Everything the page draws. Only the goals this scenario has are in it."""

    scenario: str
    asks: Asks
    goals: tuple[EndingRow, ...]  # endings that belong to neither side's defeat
    endings: tuple[tuple[SideRow, tuple[EndingRow, ...]], ...]  # under the side they make win
    draw: EndingRow
    sides: tuple[SideForm, ...]
    mounds: tuple[MoundRow, ...]
    ablaze: int
    played_on: dt.date

    @property
    def asks_houses(self) -> bool:
        return any(side.houses for side in self.sides)

    @property
    def tells_more(self) -> bool:
        """Whether something stands in the part that is folded."""
        return any(side.spent or side.any_silent for side in self.sides)

    @property
    def numbers(self) -> dict[str, range]:
        return {
            "crossings": range(self.asks.crossings + 1),
            "mounds": range(self.asks.mounds + 1),
            "buildings": range(self.asks.buildings + 1),
        }


Values = Mapping[str, Any]


def empty_values() -> dict[str, Any]:
    return {
        "ending": "",
        "removed": {},
        "escaped": (),
        "crossings": {},
        "mounds": (),
        "ablaze": 0,
        "spent": {},
        "silent": {},
    }


def values_of(report: Report) -> dict[str, Any]:
    """The form filled in from a report already there: another's version, or the tracker's."""
    told = report.told
    return {
        "ending": told.ending, "removed": told.removed, "escaped": told.escaped, "crossings": told.crossings, "mounds": told.mounds,
        "ablaze": told.ablaze, "spent": report.spent, "silent": report.silent, "played_on": report.played_on,
    }  # fmt: skip


def drawn(battle: Battle, state: State | None, values: Values, hidden: Container[str | None] = ()) -> ResultForm:
    rows = side_rows(battle, state, hidden)
    asked = asks(battle.scenario, options_of(battle, state))
    a, b = rows[0].name, rows[1].name

    def row(ending: Any) -> EndingRow:
        return EndingRow(ending.key, ending.said(a, b), ending.key == values["ending"])

    by_side = tuple((side, tuple(row(e) for e in asked.endings if e.winner == side.letter)) for side in rows)
    counted = tuple(row(e) for e in asked.endings if e.winner == "")
    sides = tuple(_side(one, values) for one in rows)
    return ResultForm(
        scenario=battle.scenario,
        asks=asked,
        goals=counted,
        endings=by_side,
        draw=next(row(e) for e in asked.endings if e.winner is None),
        sides=sides,
        mounds=_mounds(asked, values),
        ablaze=values["ablaze"],
        played_on=values.get("played_on") or timezone.localdate(),
    )


def _side(row: SideRow, values: Values) -> SideForm:
    removed = set(values["removed"].get(row.letter, ()))
    escaped = set(values["escaped"]) if row.letter == "A" else set()
    silent = set(values["silent"].get(row.letter, ()))
    return SideForm(
        row=row,
        units=tuple(UnitBox(unit, unit.told.key in removed, unit.told.key in escaped) for unit in row.units),
        houses=tuple((number, name, number in silent) for number, name in row.houses),
        spent=values["spent"].get(row.letter, 0),
        crossings=values["crossings"].get(row.letter, 0),
    )


def _mounds(asked: Asks, values: Values) -> tuple[MoundRow, ...]:
    if not asked.mounds:
        return ()
    told = tuple(values["mounds"])
    rows = max(ROUNDS_OFFERED, len(told))
    return tuple(
        MoundRow(at + 1, (("A", told[at][0]), ("B", told[at][1])) if at < len(told) else (("A", 0), ("B", 0)))
        for at in range(rows)
    )


# --- what was tapped -------------------------------------------------------------------------------------------------


def _whole(data: QueryDict, name: str, what: str, most: int = 99) -> int:
    number = whole(data.get(name, "").strip() or "0")
    if number is None or number > most:
        raise Refusal(f"{what} is a number from 0 to {most}.", field=name)
    return number


def read_day(typed: str) -> dt.date | None:
    if not typed:
        return None
    try:
        return dt.date.fromisoformat(typed)
    except ValueError as error:
        raise Refusal("The day played is no date.", field="played_on") from error


def values_from(data: QueryDict) -> dict[str, Any]:
    """As tapped, without judging: so that a form with a mistake is drawn again as it was filled in."""
    values = empty_values()
    values["ending"] = data.get("ending", "")[:30]
    values["removed"] = {side: tuple(dict.fromkeys(data.getlist(f"removed-{side}"))) for side in "AB"}
    values["escaped"] = tuple(dict.fromkeys(data.getlist("escaped")))
    values["silent"] = {
        side: tuple(sorted({int(n) for n in data.getlist(f"silent-{side}") if n in ("1", "2", "3", "4")}))
        for side in "AB"
    }
    values["spent"] = {side: _whole(data, f"spent-{side}", "VP spent") for side in "AB"}
    crossings = {side: _whole(data, f"crossings-{side}", "The number of crossings") for side in "AB"}
    values["crossings"] = {side: n for side, n in crossings.items() if n}
    mounds = [
        (_whole(data, f"mounds-{r}-A", "The number of mounds"), _whole(data, f"mounds-{r}-B", "The number of mounds"))
        for r in range(1, ROUNDS_MOST + 2)
        if f"mounds-{r}-A" in data or f"mounds-{r}-B" in data
    ]
    while mounds and mounds[-1] == (0, 0):
        mounds.pop()
    values["mounds"] = tuple(mounds)
    values["ablaze"] = _whole(data, "ablaze", "The number of buildings")
    values["played_on"] = read_day(data.get("played_on", ""))
    return values


def report_from(battle: Battle, state: State | None, values: Values) -> Report:
    rows = side_rows(battle, state)
    silent = {
        row.letter: tuple(n for n in values["silent"].get(row.letter, ()) if n in dict(row.houses)) for row in rows
    }
    told = Told(
        scenario=battle.scenario,
        ending=values["ending"],
        fielded={row.letter: row.fielded(silent[row.letter]) for row in rows},
        removed=values["removed"],
        escaped=values["escaped"],
        crossings=values["crossings"],
        mounds=values["mounds"],
        ablaze=values["ablaze"],
    )
    return Report(told, values["spent"], silent, values.get("played_on"))


def many_from(battle: Battle, data: QueryDict) -> ManyTold:
    sides = tuple(side["side"] for side in battle.sides)
    winner = data.get("winner", "")
    if winner != "draw" and winner not in sides:
        raise Refusal("Say who won, or that nobody did.", field="winner")
    return ManyTold(
        sides=sides,
        winner=None if winner == "draw" else winner,
        removed={side: _whole(data, f"removed-{side}", "The number of units") for side in sides},
        lost={side: _whole(data, f"lost-{side}", "The number of units") for side in sides},
        yielded=tuple(side for side in data.getlist("yielded") if side in sides),
    )
