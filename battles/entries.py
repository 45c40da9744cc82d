"""What is sent about a battle, as frozen dataclasses: forms and API read the same. Sides are named by their letters."""

import datetime as dt
from dataclasses import dataclass, field
from typing import Annotated, Any

from battles.result.core.report import MAX_SIDES
from dataclass_json import Ask, Count, OneOf, Text, Whole, stored_as
from json_input import MAX_NUMBER
from musters.core.army_code import MAX_CODE_LENGTH
from people.name_validation import MAX_STORED
from rulebook.data.scenario_goals import SetAblaze
from rulebook.data.scenarios import SCENARIOS

DRAWN = "draw"  # the winner as the form of more than two armies has it, if nobody won
MAX_ABLAZE = max(track.most for row in SCENARIOS if (track := row.track(SetAblaze)))


def _list_scenarios() -> list[tuple[str, str]]:
    return [(row.key, row.name) for row in SCENARIOS]


def _list_scenarios_or_none() -> list[tuple[str, str]]:
    return [("", "Choose later"), *_list_scenarios()]


ScenarioKey = Annotated[str, OneOf(_list_scenarios, "Choose one of the scenarios.")]
PersonCode = Annotated[str, Text("The code", 16, empty=True)]
Letter = Annotated[str, Text("The side", 1, empty=True)]
UnitKey = Annotated[str, Text("The unit", 30)]
UnitKeys = Annotated[tuple[UnitKey, ...], Count("Units", 40)]
Number = Annotated[int, Whole("The number", 0, 99)]
HouseNumbers = Annotated[tuple[Annotated[int, Whole("The house", 1, 4)], ...], Count("Houses", 4)]
Preview = Annotated[bool, Ask("Preview", "only work it out; nothing is reported")]
ReportAs = Annotated[PersonCode, Ask("Reported by", "code of the captain who reports, with the slip alone")]


@dataclass(frozen=True)
class CreateBattle:
    names: Annotated[tuple[Annotated[str, Text("The name", MAX_STORED)], ...], Count("Names", MAX_SIDES)]
    scenario: Annotated[str, OneOf(_list_scenarios_or_none, "Choose one of the scenarios.")] = ""
    codes: Annotated[
        tuple[Annotated[str, Text("The army code", MAX_CODE_LENGTH, empty=True)], ...],
        Count("Codes", MAX_SIDES),
        Ask("Army codes", "army codes in the order of the names; empty for none"),
    ] = ()
    muster: Annotated[bool, Ask("Muster armies here", "roll an army for every side without a code")] = False
    leaders: Annotated[
        tuple[PersonCode, ...],
        Count("Leaders", MAX_SIDES),
        Ask("Led by", "codes of the people who lead them, in the order of the names; empty for nobody"),
    ] = ()


@dataclass(frozen=True)
class SetUpBattle:
    scenario: ScenarioKey | None = None
    die: Annotated[int | None, Whole("The roll", 1, 10)] = None
    swap: bool = False
    roll: Annotated[bool, Ask("Roll", "roll for the scenario here")] = False
    roll_sides: Annotated[bool, Ask("Roll for sides", "roll for the sides here")] = False


# ── Reports ──────────────────────────────────────────────────────────────────────────────────────────────


class OfTwoSides:
    """The same of side A and of side B."""

    def of(self, letter: str) -> Any:
        return getattr(self, letter.lower())


@dataclass(frozen=True)
class Counts(OfTwoSides):
    a: Number = field(default=0, metadata=stored_as("A"))
    b: Number = field(default=0, metadata=stored_as("B"))


@dataclass(frozen=True)
class UnitsOfSides(OfTwoSides):
    api_name = "UnitKeys"

    a: UnitKeys = field(default=(), metadata=stored_as("A"))
    b: UnitKeys = field(default=(), metadata=stored_as("B"))


@dataclass(frozen=True)
class HousesOfSides(OfTwoSides):
    api_name = "Houses"

    a: HouseNumbers = field(default=(), metadata=stored_as("A"))
    b: HouseNumbers = field(default=(), metadata=stored_as("B"))


@dataclass(frozen=True)
class DraftReport:
    """What happened. Units are named by their slots: king, house-1 to house-4, garrison-1, train-1, rebel-1."""

    api_name = "ReportDraft"

    ending: Annotated[
        str,
        Ask("The ending", "yielded-A, destroyed-B, routed-A, held_out, counted, draw …"),
        Text("The ending", 30, empty=True),
    ]
    removed: UnitsOfSides = UnitsOfSides()
    escaped: UnitKeys = ()  # of side A
    crossings: Counts = Counts()
    mounds: Annotated[tuple[Counts, ...], Count("Rounds", 30)] = ()
    ablaze: Annotated[int, Whole("The number of buildings", 0, MAX_ABLAZE)] = 0
    spent: Counts = Counts()
    silent: HousesOfSides = HousesOfSides()


@dataclass(frozen=True)
class SubmitReport(DraftReport):
    api_name = "Report"

    played_on: dt.date | None = None
    accept_late: bool = False
    report_as: ReportAs = ""
    preview: Preview = False


@dataclass(frozen=True)
class Fallen:
    side: Letter
    unit: Annotated[UnitKey, Ask("Unit", "its slot: king, house-1 …")]
    by: Annotated[Letter, Ask("Removed by", "the side that removed it; empty for nobody")]


@dataclass(frozen=True)
class DraftArmiesReport:
    """A pitched battle of three to six armies, unit by unit."""

    api_name = "ArmiesReportDraft"

    winner: Annotated[Letter | None, Ask("Winner", "letter of the side; null for nobody")]
    fallen: Annotated[tuple[Fallen, ...], Count("Units", 240)] = ()
    yielded: Annotated[tuple[Annotated[str, Text("The side", 1)], ...], Count("Sides", MAX_SIDES)] = ()

    def fallen_of(self, side: str) -> dict[str, str]:
        """Its removed units, each with the side that removed it."""
        return {row.unit: row.by for row in self.fallen if row.side == side}


@dataclass(frozen=True)
class SubmitArmiesReport(DraftArmiesReport):
    api_name = "ArmiesReport"

    kingdoms: Annotated[
        tuple[Annotated[str, Text("The kingdom", 30)], ...],
        Count("Kingdoms", 4),
        Ask("Kingdoms", "in a campaign: the kingdoms besides the two that declared it; they are sides C, D …"),
    ] = ()
    played_on: dt.date | None = None
    report_as: ReportAs = ""
    preview: Preview = False


@dataclass(frozen=True)
class ConfirmReport:
    api_name = "Answer"

    report_as: Annotated[str, Ask("Confirmed by", "code of the person who confirms"), Text("The code", 16)]
    version: Annotated[int, Whole("The version", 0, MAX_NUMBER)]
    seen: Annotated[str, Ask("Seen", "digest of the version"), Text("The digest", 64, empty=True)] = ""
