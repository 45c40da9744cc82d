"""The result form: its answers read into a report, and the form ready to draw."""

from __future__ import annotations

import datetime as dt
from collections.abc import Container, Mapping
from dataclasses import dataclass

from django.http import QueryDict
from django.utils import timezone

from battles.models import Battle
from battles.result.core.multi_army_report import BY_NOBODY, MultiArmyReport
from battles.result.core.unit_report import MAX_ROUNDS, ROUNDS_OFFERED, UnitReport
from battles.result.form_value_types import FormValues, MultiArmyValues
from battles.result.prefill import tracked_multi_army_values, tracked_values
from battles.result.services import BattleReport, report_from_body
from battles.selectors import options_of
from battles.side_display import NamedUnit, SideRow, side_rows
from campaign.chronicle.state import State
from campaign.models import Approval
from pages.number_parsing import parse_int
from refusal import Refusal
from rulebook.data.scenarios import SIDES, Scenario, endings_of, scenario_of
from rulebook.data.tracks import Ending, HeldEachRound


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
    held: int  # objectives at the end

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
class RoundRow:
    """What each side held when a round ended."""

    round: int
    held: tuple[tuple[str, int], ...]  # letter, number


@dataclass(frozen=True, slots=True)
class ResultForm:
    """Everything the page draws; it asks what the scenario's tracks count."""

    scenario: Scenario
    goals: tuple[EndingRow, ...]  # endings where the count decides
    endings: tuple[tuple[SideRow, tuple[EndingRow, ...]], ...]  # under the side they make win
    draw: EndingRow
    sides: tuple[SideForm, ...]
    held: tuple[RoundRow, ...]
    ablaze: int
    played_on: dt.date

    @property
    def asks_houses(self) -> bool:
        return any(side.houses for side in self.sides)

    @property
    def has_more_answers(self) -> bool:
        """Whether the folded part has answers."""
        return any(side.spent or side.any_silent for side in self.sides)


def empty_values() -> FormValues:
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


def values_of(report: BattleReport) -> FormValues:
    """The form's values from an existing report."""
    units = report.units
    return {
        "ending": units.ending,
        "removed": units.removed,
        "escaped": units.escaped,
        "crossings": units.crossings,
        "mounds": units.mounds,
        "ablaze": units.ablaze,
        "spent": report.spent,
        "silent": report.silent,
        "played_on": report.played_on,
    }


def initial_values(battle: Battle, pending: Approval | None) -> FormValues:
    """What the form starts with: the pending version, the tracker's values, or nothing."""
    if pending is not None and pending.versions and pending.versions[-1]["body"].get("told"):
        return values_of(report_from_body(pending.versions[-1]["body"], battle))
    return tracked_values(battle) or empty_values()


def initial_multi_army_values(battle: Battle, pending: Approval | None) -> MultiArmyValues:
    """The same for more than two armies."""
    if tracked := tracked_multi_army_values(battle):
        return tracked
    many = pending.versions[-1]["body"].get("many") if pending is not None and pending.versions else None
    if not many:
        return {}
    return {"fallen": many.get("fallen", {}), "yielded": many["yielded"], "winner": many["winner"] or "draw"}


def build_result_form(
    battle: Battle, state: State | None, values: FormValues, hidden: Container[str | None] = ()
) -> ResultForm:
    rows = side_rows(battle, state, hidden)
    scenario = scenario_of(battle.scenario)
    endings = endings_of(scenario.key, options_of(battle, state))
    a, b = rows[0].name, rows[1].name

    def row(ending: Ending) -> EndingRow:
        return EndingRow(ending.key, ending.text_for(a, b), ending.key == values["ending"])

    by_side = tuple((side, tuple(row(e) for e in endings if e.winner == side.letter)) for side in rows)
    return ResultForm(
        scenario=scenario,
        goals=tuple(row(e) for e in endings if e.winner == ""),
        endings=by_side,
        draw=next(row(e) for e in endings if e.winner is None),
        sides=tuple(_side(one, values) for one in rows),
        held=_rounds(scenario, values),
        ablaze=values["ablaze"],
        played_on=values.get("played_on") or timezone.localdate(),
    )


def _side(row: SideRow, values: FormValues) -> SideForm:
    removed = set(values["removed"].get(row.letter, ()))
    escaped = set(values["escaped"]) if row.letter == "A" else set()
    silent = set(values["silent"].get(row.letter, ()))
    return SideForm(
        row=row,
        units=tuple(UnitBox(unit, unit.fielded.key in removed, unit.fielded.key in escaped) for unit in row.units),
        houses=tuple((number, name, number in silent) for number, name in row.houses),
        spent=values["spent"].get(row.letter, 0),
        held=values["crossings"].get(row.letter, 0),
    )


def _rounds(scenario: Scenario, values: FormValues) -> tuple[RoundRow, ...]:
    if scenario.track(HeldEachRound) is None:
        return ()
    held = [*values["mounds"], *[(0, 0)] * (ROUNDS_OFFERED - len(values["mounds"]))]
    return tuple(RoundRow(number, tuple(zip(SIDES, row, strict=True))) for number, row in enumerate(held, 1))


# --- reading the form -------------------------------------------------------------------------------------------------


def _parse_count(data: QueryDict, name: str, what: str, most: int = 99) -> int:
    number = parse_int(data.get(name, "").strip() or "0")
    if number is None or number > most:
        raise Refusal(f"{what} must be a number from 0 to {most}.", field=name)
    return number


def parse_played_on(typed: str) -> dt.date | None:
    if not typed:
        return None
    try:
        return dt.date.fromisoformat(typed)
    except ValueError as error:
        raise Refusal("Enter a valid date.", field="played_on") from error


def values_from_post(data: QueryDict) -> FormValues:
    """The form's values as sent, unchecked, so that a form with a mistake can be shown again."""
    values = empty_values()
    values["ending"] = data.get("ending", "")[:30]
    values["removed"] = {side: tuple(dict.fromkeys(data.getlist(f"removed-{side}"))) for side in "AB"}
    values["escaped"] = tuple(dict.fromkeys(data.getlist("escaped")))
    values["silent"] = {
        side: tuple(sorted({int(n) for n in data.getlist(f"silent-{side}") if n in ("1", "2", "3", "4")}))
        for side in "AB"
    }
    values["spent"] = {side: _parse_count(data, f"spent-{side}", "VP spent") for side in "AB"}
    crossings = {side: _parse_count(data, f"crossings-{side}", "The number of crossings") for side in "AB"}
    values["crossings"] = {side: n for side, n in crossings.items() if n}
    mounds = [
        (
            _parse_count(data, f"mounds-{r}-A", "The number of mounds"),
            _parse_count(data, f"mounds-{r}-B", "The number of mounds"),
        )
        for r in range(1, MAX_ROUNDS + 2)
        if f"mounds-{r}-A" in data or f"mounds-{r}-B" in data
    ]
    while mounds and mounds[-1] == (0, 0):
        mounds.pop()
    values["mounds"] = tuple(mounds)
    values["ablaze"] = _parse_count(data, "ablaze", "The number of buildings")
    values["played_on"] = parse_played_on(data.get("played_on", ""))
    return values


def report_from_values(battle: Battle, state: State | None, values: FormValues) -> BattleReport:
    rows = side_rows(battle, state)
    silent = {
        row.letter: tuple(n for n in values["silent"].get(row.letter, ()) if n in dict(row.houses)) for row in rows
    }
    units = UnitReport(
        scenario=battle.scenario,
        ending=values["ending"],
        fielded={row.letter: row.fielded_units(silent[row.letter]) for row in rows},
        removed=values["removed"],
        escaped=values["escaped"],
        crossings=values["crossings"],
        mounds=values["mounds"],
        ablaze=values["ablaze"],
    )
    return BattleReport(units, values["spent"], silent, values.get("played_on"))


# --- more than two armies ---------------------------------------------------------------------------------------------

STOOD, REMOVED_BY_NOBODY = "", "-"


@dataclass(frozen=True, slots=True)
class FateBox:
    """One unit of one of several armies: still there, or removed, and by whom."""

    unit: NamedUnit
    name: str  # of its field
    choices: tuple[tuple[str, str, bool], ...]  # value, words, whether it is chosen


@dataclass(frozen=True, slots=True)
class ArmyForm:
    row: SideRow
    units: tuple[FateBox, ...]
    yielded: bool


def build_army_forms(
    rows: tuple[SideRow, ...], fallen: Mapping[str, Mapping[str, str]], yielded: Container[str]
) -> tuple[ArmyForm, ...]:
    def fate(row: SideRow, unit: NamedUnit) -> FateBox:
        losses = fallen.get(row.letter, {})
        now = (losses[unit.fielded.key] or REMOVED_BY_NOBODY) if unit.fielded.key in losses else STOOD
        others = [(other.letter, f"removed by {other.name}") for other in rows if other is not row]
        choices = ((STOOD, "still there"), *others, (REMOVED_BY_NOBODY, "removed by nobody"))
        return FateBox(unit, _fate_field(row, unit), tuple((value, words, value == now) for value, words in choices))

    return tuple(ArmyForm(row, tuple(fate(row, unit) for unit in row.units), row.letter in yielded) for row in rows)


def _fate_field(row: SideRow, unit: NamedUnit) -> str:
    return f"fate-{row.letter}-{unit.fielded.key}"


def fallen_from_post(rows: tuple[SideRow, ...], data: QueryDict) -> dict[str, dict[str, str]]:
    """Removed units by side, each with the side that removed it."""
    found: dict[str, dict[str, str]] = {}
    for row in rows:
        for unit in row.units:
            fate = data.get(_fate_field(row, unit), STOOD)
            if fate != STOOD:
                by = BY_NOBODY if fate == REMOVED_BY_NOBODY else fate
                found.setdefault(row.letter, {})[unit.fielded.key] = by
    return found


def multi_army_report_from_post(rows: tuple[SideRow, ...], data: QueryDict) -> MultiArmyReport:
    sides = tuple(row.letter for row in rows)
    winner = data.get("winner", "")
    if winner != "draw" and winner not in sides:
        raise Refusal("Choose who won, or “Nobody”.", field="winner")
    won = None if winner == "draw" else winner
    yielded = tuple(side for side in data.getlist("yielded") if side in sides)
    if any(name.startswith("lost-") for name in data):  # a form of an older release, which asked for counts
        return MultiArmyReport(
            sides=sides,
            winner=won,
            removed={side: _parse_count(data, f"removed-{side}", "The number of units") for side in sides},
            lost={side: _parse_count(data, f"lost-{side}", "The number of units") for side in sides},
            yielded=yielded,
        )
    fielded = {row.letter: row.fielded_units() for row in rows}
    return MultiArmyReport.from_units(won, fielded, fallen_from_post(rows, data), yielded)
