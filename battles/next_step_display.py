"""The battle's page before it is reported: the next step with one button, the set-up as a picture, and the armies."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from battles.display import BattleDisplay
from battles.models import Battle
from battles.permissions import sides_led_by
from battles.side_display import SideRow
from battles.tracker.core.live_score import battle_verdict
from battles.tracker.selectors import load_snapshot, terms_of
from campaign.chronicle.state import SOLO, State
from log.models import Entry
from musters.core.battlefield_svg import table_svg
from people.requester import Who
from prepared_queries import prepared_query
from rulebook.data.scenarios import SCENARIO, Scenario
from text import SafeMarkup, join_list

STAGES = (("muster", "Muster"), ("set_up", "Set up"), ("fight", "Fight"), ("report", "Report"))

Stage = Battle.Stage


@dataclass(frozen=True, slots=True)
class StageRow:
    number: int
    name: str
    is_done: bool
    is_now: bool


@dataclass(frozen=True, slots=True)
class NextStep:
    """What happens next. ``does`` picks the form or the link of its one button; without it the page waits."""

    stage: str
    label: str
    title: str
    text: str = ""
    does: str = ""
    kingdom: str = ""  # that musters
    solo: str = ""  # the side that the tracker plays, because its kingdom is solo
    can_play_solo: str = ""  # the side it could play

    @property
    def stages(self) -> tuple[StageRow, ...]:
        now = [key for key, _ in STAGES].index(self.stage)
        return tuple(StageRow(n + 1, name, n < now, n == now) for n, (_, name) in enumerate(STAGES))


@dataclass(frozen=True, slots=True)
class NextStepPart:
    """Everything that is drawn of the next step, so that it is drawn once for all who see it alike."""

    next: NextStep
    battle: BattleDisplay
    picture: SafeMarkup | None
    scenarios: tuple[Scenario, ...]
    is_attacker_a: bool
    can_run: bool
    is_pending: bool = False


@dataclass(frozen=True, slots=True)
class ArmyUnit:
    icon: str
    title: str
    note: str
    is_open: bool = False  # not mustered yet


@dataclass(frozen=True, slots=True)
class ArmyColumn:
    row: SideRow
    note: str
    units: tuple[ArmyUnit, ...]
    is_mustered: bool = True


def army_columns(rows: Sequence[SideRow], hidden: set[str]) -> tuple[ArmyColumn, ...]:
    return tuple(_column(row, is_hidden=row.kingdom in hidden) for row in rows)


def _column(row: SideRow, *, is_hidden: bool) -> ArmyColumn:
    if is_hidden:
        return ArmyColumn(row, "mustered", (ArmyUnit("c-seal", "Hidden", "until the battle starts", True),))
    mustered = row.army is not None or row.kingdom is None
    units = tuple(
        ArmyUnit(
            unit.icon if mustered or unit.fielded.origin == "king" else "c-house",
            unit.title,
            unit.sender if mustered else "" if unit.fielded.origin == "king" else "not mustered",
            not mustered and unit.fielded.origin != "king",
        )
        for unit in row.units
    )
    return ArmyColumn(row, f"{len(units)} units" if mustered else "not mustered", units, mustered)


def set_up_picture(battle: Battle) -> SafeMarkup | None:
    """The table from above, once the scenario is known."""
    scenario = SCENARIO.get("siege" if battle.siege else battle.scenario)
    return table_svg(scenario, ids="set-up") if scenario else None


def next_step(battle: Battle, state: State | None, who: Who, rows: Sequence[SideRow]) -> NextStep:
    """The step that the battle waits for, as this viewer sees it."""
    own = sides_led_by(battle, state, who) if state else []
    if battle.stage == Stage.ON_THE_TABLE:
        return _under_way(battle)
    missing = [row for row in rows if row.kingdom and not _has_army(battle, row)]
    mine = next((row for row in missing if row.letter in own), None)
    if mine is not None and state is not None:
        kingdom = state.kingdoms[mine.kingdom or ""]
        return NextStep(
            "muster",
            "Waiting for you",
            "Muster your army",
            f"Your King always comes. Each loyal house rolls a d10 and adds your loyalty, {kingdom.loyalty:+}.",
            "muster",
            kingdom=kingdom.id,
        )
    if not battle.scenario and not battle.siege:
        return NextStep("set_up", "Set up", "Roll for the scenario", "A d10 picks one of ten.", "roll_scenario")
    scenario = SCENARIO["siege" if battle.siege else battle.scenario]
    if _needs_roll_off(battle, state):
        return NextStep("set_up", scenario.name, "Who takes which side?", " ".join(scenario.roll_offs), "roll_sides")
    others = join_list([row.name for row in missing])
    solo = next((row.letter for row in rows if _is_solo(state, row)), "")
    ready = bool(rows) and all(_has_army(battle, row) for row in rows) and not battle.siege
    if missing:
        verb = "has" if len(missing) == 1 else "have"
        text = f"{others} {verb} not mustered. You can choose their units when you start."
    else:
        text = "Lay out the table as drawn and deploy. Then the tracker follows the battle on every phone."
    opponent = next((row.letter for row in rows if row.letter not in own), "") if len(own) == 1 else rows[-1].letter
    return NextStep(
        "fight",
        scenario.name,
        "Deploy, then start the battle",
        text,
        "lay" if ready else "choose_units",
        solo=solo,
        can_play_solo="" if solo or len(rows) != 2 else opponent,
    )


def _under_way(battle: Battle) -> NextStep:
    tracker = load_snapshot(battle).tracker
    if not tracker.is_set_up:
        return NextStep("report", "Being fought", "Report the result", "Tap the units that were lost.", "report")
    verdict = battle_verdict(tracker, terms_of(battle))
    if verdict.over:
        return NextStep(
            "report", "The battle is decided", "Report the result", "The tracker has filled it in.", "report"
        )
    where = f"Round {tracker.round}" if tracker.round else "Set up"
    return NextStep("fight", where, "The battle is being fought", "", "tracker")


def _has_army(battle: Battle, row: SideRow) -> bool:
    return any(side["side"] == row.letter and side["army"] for side in battle.sides)


def _is_solo(state: State | None, row: SideRow) -> bool:
    kingdom = state.kingdoms.get(row.kingdom or "") if state else None
    return kingdom is not None and kingdom.status == SOLO


@prepared_query
def _set_up_rows(log_id: int) -> QuerySet[Entry]:
    return Entry.objects.filter(log=log_id, act__in=("sides_rolled", "set_up")).values_list("act", "body")


def _needs_roll_off(battle: Battle, state: State | None) -> bool:
    scenario = SCENARIO.get(battle.scenario)
    if scenario is None or scenario.equal or battle.siege or len(battle.sides) != 2:
        return False
    if state is not None and state.rules().attacker_is_side_a:
        return False
    return not any(act == "sides_rolled" or body.get("swap") for act, body in _set_up_rows(battle.log_id))
