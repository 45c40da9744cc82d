"""The result form: its answers read into a report, and the form ready to draw."""

import datetime as dt
from dataclasses import dataclass, replace

from django.http import QueryDict
from django.utils import timezone

from battles.entries import (
    DRAWN,
    Counts,
    DraftArmiesReport,
    Fallen,
    HousesOfSides,
    SubmitArmiesReport,
    SubmitReport,
    UnitsOfSides,
)
from battles.models import Battle
from battles.result.core.report import BY_NOBODY, MAX_ROUNDS, ROUNDS_OFFERED, MultiArmyReport, UnitReport
from battles.result.prefill import tracked_answers, tracked_armies_answers
from battles.result.services import BattleReport, report_from_body, with_extra_kingdoms
from battles.selectors import options_of
from battles.side_display import NamedUnit, SideRow, side_rows
from campaign.chronicle.state import State
from campaign.models import Approval
from pages.number_parsing import parse_int
from refusal import Refusal
from rulebook.data.scenario_goals import Ending, HeldEachRound
from rulebook.data.scenarios import SIDES, Scenario, endings_of, scenario_of


@dataclass(frozen=True, slots=True)
class UnitBox:
    unit: NamedUnit
    removed: bool
    escaped: bool


@dataclass(frozen=True, slots=True)
class HouseBox:
    number: int
    name: str
    silent: bool  # it sent nobody


@dataclass(frozen=True, slots=True)
class SideForm:
    row: SideRow
    units: tuple[UnitBox, ...]
    houses: tuple[HouseBox, ...]
    spent: int
    held: int  # objectives at the end

    @property
    def letter(self) -> str:
        return self.row.letter

    @property
    def any_silent(self) -> bool:
        return any(house.silent for house in self.houses)


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


def answers_of(report: BattleReport) -> SubmitReport:
    """The form's answers from an existing report."""
    units = report.armies
    assert isinstance(units, UnitReport)
    return SubmitReport(
        ending=units.ending,
        removed=UnitsOfSides(*(units.removed.get(side, ()) for side in SIDES)),
        escaped=units.escaped,
        crossings=Counts(*(units.crossings.get(side, 0) for side in SIDES)),
        mounds=tuple(Counts(*held) for held in units.mounds),
        ablaze=units.ablaze,
        spent=Counts(*(report.spent.get(side, 0) for side in SIDES)),
        silent=HousesOfSides(*(report.silent.get(side, ()) for side in SIDES)),
        played_on=report.played_on,
    )


def initial_answers(battle: Battle, pending: Approval | None) -> SubmitReport:
    """What the form starts with: the pending version, the tracker's answers, or nothing."""
    if pending is not None and pending.versions and pending.versions[-1]["body"].get("told"):
        return answers_of(report_from_body(pending.versions[-1]["body"], battle))
    return tracked_answers(battle) or SubmitReport("")


def initial_armies_answers(battle: Battle, pending: Approval | None) -> DraftArmiesReport | None:
    """The same for more than two armies."""
    if tracked := tracked_armies_answers(battle):
        return tracked
    many = pending.versions[-1]["body"].get("many") if pending is not None and pending.versions else None
    if not many:
        return None
    fallen = tuple(
        Fallen(side, unit, by) for side, units in many.get("fallen", {}).items() for unit, by in units.items()
    )
    return DraftArmiesReport(many["winner"] or DRAWN, fallen, tuple(many["yielded"]))


def build_result_form(
    battle: Battle, state: State | None, answers: SubmitReport, rows: tuple[SideRow, ...]
) -> ResultForm:
    scenario = scenario_of(battle.scenario)
    endings = endings_of(scenario.key, options_of(battle, state))
    a, b = rows[0].name, rows[1].name

    def row(ending: Ending) -> EndingRow:
        return EndingRow(ending.key, ending.text_for(a, b), ending.key == answers.ending)

    by_side = tuple((side, tuple(row(e) for e in endings if e.winner == side.letter)) for side in rows)
    return ResultForm(
        scenario=scenario,
        goals=tuple(row(e) for e in endings if e.winner == ""),
        endings=by_side,
        draw=next(row(e) for e in endings if e.winner is None),
        sides=tuple(_side(row, answers) for row in rows),
        held=_rounds(scenario, answers),
        ablaze=answers.ablaze,
        played_on=answers.played_on or timezone.localdate(),
    )


def _side(row: SideRow, answers: SubmitReport) -> SideForm:
    removed = set(answers.removed.of(row.letter))
    escaped = set(answers.escaped) if row.letter == "A" else set()
    silent = set(answers.silent.of(row.letter))
    return SideForm(
        row=row,
        units=tuple(UnitBox(unit, unit.fielded.key in removed, unit.fielded.key in escaped) for unit in row.units),
        houses=tuple(HouseBox(number, name, number in silent) for number, name in row.houses),
        spent=answers.spent.of(row.letter),
        held=answers.crossings.of(row.letter),
    )


def _rounds(scenario: Scenario, answers: SubmitReport) -> tuple[RoundRow, ...]:
    if scenario.track(HeldEachRound) is None:
        return ()
    held = [*answers.mounds, *[Counts()] * (ROUNDS_OFFERED - len(answers.mounds))]
    return tuple(RoundRow(number, tuple((side, row.of(side)) for side in SIDES)) for number, row in enumerate(held, 1))


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


def answers_from_post(data: QueryDict) -> SubmitReport:
    """The form's answers as sent, unchecked, so that a form with a mistake can be shown again."""

    def counts(name: str, what: str) -> Counts:
        return Counts(*(_parse_count(data, f"{name}-{side}", what) for side in SIDES))

    def houses(side: str) -> tuple[int, ...]:
        return tuple(sorted({int(n) for n in data.getlist(f"silent-{side}") if n in ("1", "2", "3", "4")}))

    rounds = [n for n in range(1, MAX_ROUNDS + 2) if any(f"mounds-{n}-{side}" in data for side in SIDES)]
    mounds = [counts(f"mounds-{n}", "The number of mounds") for n in rounds]
    while mounds and mounds[-1] == Counts():
        mounds.pop()
    return SubmitReport(
        ending=data.get("ending", "")[:30],
        removed=UnitsOfSides(*(tuple(dict.fromkeys(data.getlist(f"removed-{side}"))) for side in SIDES)),
        escaped=tuple(dict.fromkeys(data.getlist("escaped"))),
        crossings=counts("crossings", "The number of crossings"),
        mounds=tuple(mounds),
        ablaze=_parse_count(data, "ablaze", "The number of buildings"),
        spent=counts("spent", "VP spent"),
        silent=HousesOfSides(*map(houses, SIDES)),
        played_on=parse_played_on(data.get("played_on", "")),
        accept_late="accept_late" in data,
        report_as=data.get("report_as", ""),
        preview="preview" in data,
    )


def report_from_answers(
    battle: Battle, state: State | None, answers: SubmitReport | SubmitArmiesReport
) -> BattleReport:
    if isinstance(answers, SubmitArmiesReport):
        whole = with_extra_kingdoms(battle, state, answers.kingdoms)
        return armies_report_from_answers(side_rows(whole, state), answers)
    rows = side_rows(battle, state)
    silent = {row.letter: tuple(n for n in answers.silent.of(row.letter) if n in dict(row.houses)) for row in rows}
    units = UnitReport(
        scenario=battle.scenario,
        ending=answers.ending,
        fielded={row.letter: row.fielded_units(silent[row.letter]) for row in rows},
        removed={side: answers.removed.of(side) for side in SIDES},
        escaped=answers.escaped,
        crossings={side: n for side in SIDES if (n := answers.crossings.of(side))},
        mounds=tuple((held.a, held.b) for held in answers.mounds),
        ablaze=answers.ablaze,
    )
    return BattleReport(units, {side: answers.spent.of(side) for side in SIDES}, silent, answers.played_on)


# --- more than two armies ---------------------------------------------------------------------------------------------

STOOD, REMOVED_BY_NOBODY = "", "-"


@dataclass(frozen=True, slots=True)
class Fate:
    value: str
    words: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class FateBox:
    """One unit of one of several armies: still there, or removed, and by whom."""

    unit: NamedUnit
    name: str  # of its field
    choices: tuple[Fate, ...]


@dataclass(frozen=True, slots=True)
class ArmyForm:
    row: SideRow
    units: tuple[FateBox, ...]
    yielded: bool


def build_army_forms(rows: tuple[SideRow, ...], answers: DraftArmiesReport) -> tuple[ArmyForm, ...]:
    def army(row: SideRow) -> ArmyForm:
        fallen = answers.fallen_of(row.letter)
        others = [(other.letter, f"removed by {other.name}") for other in rows if other is not row]
        choices = ((STOOD, "still there"), *others, (REMOVED_BY_NOBODY, "removed by nobody"))

        def fate(unit: NamedUnit) -> FateBox:
            now = (fallen[unit.fielded.key] or REMOVED_BY_NOBODY) if unit.fielded.key in fallen else STOOD
            offered = tuple(Fate(value, words, value == now) for value, words in choices)
            return FateBox(unit, _fate_field(row, unit), offered)

        return ArmyForm(row, tuple(map(fate, row.units)), row.letter in answers.yielded)

    return tuple(map(army, rows))


def _fate_field(row: SideRow, unit: NamedUnit) -> str:
    return f"fate-{row.letter}-{unit.fielded.key}"


def armies_answers_from_post(rows: tuple[SideRow, ...], data: QueryDict) -> SubmitArmiesReport:
    """The answers as sent, unchecked, so that a form with a mistake can be shown again."""
    fallen = []
    for row in rows:
        for unit in row.units:
            fate = data.get(_fate_field(row, unit), STOOD)
            if fate != STOOD:
                by = BY_NOBODY if fate == REMOVED_BY_NOBODY else fate
                fallen.append(Fallen(row.letter, unit.fielded.key, by))
    return SubmitArmiesReport(
        data.get("winner", ""),
        tuple(fallen),
        tuple(data.getlist("yielded")),
        kingdoms=tuple(row.kingdom for row in rows[2:] if row.kingdom),
        preview="preview" in data,
    )


def armies_report_from_post(rows: tuple[SideRow, ...], answers: SubmitArmiesReport, data: QueryDict) -> BattleReport:
    sides = tuple(row.letter for row in rows)
    if answers.winner != DRAWN and answers.winner not in sides:
        raise Refusal("Choose who won, or “Nobody”.", field="winner")
    won = None if answers.winner == DRAWN else answers.winner
    yielded = tuple(side for side in answers.yielded if side in sides)
    if any(name.startswith("lost-") for name in data):  # a form of an older release, which asked for counts
        counted = MultiArmyReport(
            sides=sides,
            winner=won,
            removed={side: _parse_count(data, f"removed-{side}", "The number of units") for side in sides},
            lost={side: _parse_count(data, f"lost-{side}", "The number of units") for side in sides},
            yielded=yielded,
        )
        return BattleReport(counted, kingdoms=answers.kingdoms)
    return armies_report_from_answers(rows, replace(answers, winner=won, yielded=yielded))


def armies_report_from_answers(rows: tuple[SideRow, ...], answers: SubmitArmiesReport) -> BattleReport:
    fielded = {row.letter: row.fielded_units() for row in rows}
    fallen = {side: answers.fallen_of(side) for side in dict.fromkeys(row.side for row in answers.fallen)}
    armies = MultiArmyReport.from_units(answers.winner, fielded, fallen, answers.yielded)
    return BattleReport(armies, played_on=answers.played_on, kingdoms=answers.kingdoms)
