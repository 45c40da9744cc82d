"""A battle ready to draw: page, JSON and share picture use the same display."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated, Literal

from django.db.models import QuerySet

from battles.models import Battle
from battles.result.core.report import MultiArmyReport, UnitReport, read_armies
from battles.result.core.story import StoryContext, story_rounds, write_story
from battles.selectors import options_of
from battles.side_display import SideRow, side_rows
from battles.tracker.core.logged_steps import LoggedStep, active_steps, measure_luck
from battles.tracker.selectors import steps_of
from campaign import selectors as campaign_selectors
from campaign.chronicle.codec import Body, read_report
from campaign.chronicle.entries_and_fold import index_corrections
from campaign.chronicle.sentences import Names
from campaign.chronicle.state import State
from campaign.display import EffectRow, effect_rows
from dataclass_json import Ask, PageOnly, stored_as
from log.models import Entry
from pages.cached_parts import PageParts
from prepared_queries import prepared_query
from refusal import Refusal
from rulebook.campaign import battle_scoring
from rulebook.data.house_rules import Options
from rulebook.data.scenarios import SCENARIO, Scenario

# What apps above show on a battle's page: built with the request and the battle.
BATTLE_PAGE = PageParts()


SideOutcome = Literal["won", "lost", "drawn", ""]


@dataclass(frozen=True, slots=True)
class LossRow:
    title: str
    sender: str
    icon: str
    how: str  # removed, escaped, stood


@dataclass(frozen=True, slots=True)
class SideResult:
    api_name = "BattleSide"

    side: str
    name: str
    kingdom: str | None
    row: PageOnly[SideRow]
    role: Annotated[str, Ask("Role", "what the scenario calls this side")]
    wins: PageOnly[str]
    vp: int | None
    result: SideOutcome
    losses: PageOnly[tuple[LossRow, ...]]
    removed: Annotated[int | None, Ask("Removed", "how many of its units were removed")]
    fielded: int | None


@dataclass(frozen=True, slots=True)
class LuckRow:
    """One side's dice compared with the odds."""

    name: str
    dice: int
    successes: int
    expected: float
    text: str


@dataclass(frozen=True, slots=True)
class Moment:
    at: dt.datetime
    text: str


@dataclass(frozen=True, slots=True)
class BattleDisplay:
    code: str
    heading: str
    place: PageOnly[str]
    campaign_code: str = field(metadata=stored_as("campaign"))
    campaign_name: PageOnly[str]
    number: int | None
    stage: Battle.Stage
    scenario: PageOnly[Scenario | None]
    scenario_key: str = field(metadata=stored_as("scenario"))
    siege: bool
    sides: tuple[SideResult, ...]
    winner: str
    lead: str
    story: tuple[tuple[str, ...], ...]
    luck: PageOnly[tuple[LuckRow, ...]]
    effects: tuple[EffectRow, ...]
    moments: PageOnly[tuple[Moment, ...]]
    played_on: dt.date | None
    entry: int | None
    is_over: PageOnly[bool]


def battle_display(battle: Battle, state: State | None) -> BattleDisplay:
    rows = side_rows(battle, state)
    scenario = SCENARIO.get(battle.scenario)
    outcome = outcome_of(battle, state)
    place = state.place_name(battle.target) if state and battle.target else ""
    names = {row.letter: row.name for row in rows}
    winner = names.get(outcome.winner or "", "") if outcome else ""
    steps = steps_of(battle)
    return BattleDisplay(
        code=battle.code,
        heading=place or " against ".join(names.values()),
        place=place,
        campaign_code=battle.campaign.code if battle.campaign else "",
        campaign_name=battle.campaign.name if battle.campaign else "",
        number=battle.number,
        stage=Battle.Stage(battle.stage),
        scenario=scenario,
        scenario_key=scenario.key if scenario else "",
        siege=battle.siege,
        sides=tuple(_side(row, scenario, outcome) for row in rows),
        winner=winner,
        lead=_lead(battle, rows, place, outcome, winner, state),
        story=_story(battle, rows, place, outcome, state, steps),
        luck=luck_rows(steps, names),
        effects=_effects(battle, state),
        moments=moments_of(battle, names, state),
        played_on=battle.played_on,
        entry=battle.entry,
        is_over=battle.is_over,
    )


# --- how it ended ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Outcome:
    winner: str | None  # letter
    reason: str
    vp: dict[str, int] | None
    armies: UnitReport | MultiArmyReport | None  # None if only the winner is known
    score: battle_scoring.Score | None

    def result(self, letter: str) -> SideOutcome:
        return "drawn" if self.winner is None else "won" if self.winner == letter else "lost"


def outcome_of(battle: Battle, state: State | None) -> Outcome | None:
    """The confirmed result, whether reported unit by unit or only by its winner."""
    body = battle.result
    if not body or battle.stage != Battle.Stage.CONFIRMED:
        return None
    armies = read_armies(body)
    if battle.campaign_id is None:
        return _standalone_outcome(battle, body, armies)
    letters = {side["kingdom"]: side["side"] for side in battle.sides}
    kingdom = {"attacker": body["attacker"], "defender": body.get("defender")}.get(body["outcome"])
    if kingdom is None and body["outcome"] == "defender":
        kingdom = next(key for key in letters if key != body["attacker"])
    winner = letters.get(kingdom)
    many = body.get("many")
    vp: dict[str, int] | None
    if many:
        vp = {letters[key]: n for key, n in {**body["points"], **body["others"]}.items() if key in letters}
        return Outcome(many["winner"], "", vp, armies, None)
    score = _score(body["report"], battle, state) if body.get("report") else None
    if score is not None:
        vp = {letter: score.vp(letter) for letter in letters.values()}
    else:
        points = body.get("points") or {}
        vp = {letter: points.get(key, 0) for key, letter in letters.items()} if points else None
    return Outcome(winner, score.reason if score else "", vp, armies, score)


def _standalone_outcome(battle: Battle, body: Body, armies: UnitReport | MultiArmyReport | None) -> Outcome:
    vp = {side["side"]: 0 for side in battle.sides}
    for side, _, _, earned in body.get("lines", ()):
        vp[side] += earned
    score = _score(body["report"], battle, None) if body.get("report") else None
    return Outcome(body.get("winner"), body.get("reason", ""), vp, armies, score)


def _score(report: Body, battle: Battle, state: State | None) -> battle_scoring.Score | None:
    in_force = (battle.result or {}).get("in_force", {}).get("options")
    options = Options.from_differences(in_force) if in_force is not None else options_of(battle, state)
    try:
        return battle_scoring.score_report(read_report(report), options)
    except Refusal:  # recorded under an older reading of the rules
        return None


def _side(row: SideRow, scenario: Scenario | None, outcome: Outcome | None) -> SideResult:
    task = next((side for side in scenario.sides if side.key == row.letter), None) if scenario else None
    armies = outcome.armies if outcome else None
    gone = set(armies.removed_units(row.letter)) if armies else set()
    escaped = set(armies.escaped) if isinstance(armies, UnitReport) and row.letter == "A" else set()
    fielded = {unit.key for unit in armies.fielded.get(row.letter, ())} if armies else set()
    losses = tuple(
        LossRow(
            unit.title,
            unit.sender,
            unit.icon,
            "removed" if unit.fielded.key in gone else "escaped" if unit.fielded.key in escaped else "stood",
        )
        for unit in row.units
        if unit.fielded.key in fielded
    )
    removed, number = (len(gone), len(fielded)) if fielded else (None, None)
    if isinstance(armies, MultiArmyReport) and not fielded:  # an older release asked for counts
        removed = armies.count_removed(row.letter)
    return SideResult(
        side=row.letter,
        name=row.name,
        kingdom=row.kingdom,
        row=row,
        role=task.name if task and scenario and not scenario.equal else "",
        wins=task.wins if task else "",
        vp=outcome.vp.get(row.letter) if outcome and outcome.vp else None,
        result=outcome.result(row.letter) if outcome else "",
        losses=losses,
        removed=removed,
        fielded=number,
    )


# --- in words -------------------------------------------------------------------------------------


def _lead(
    battle: Battle, rows: tuple[SideRow, ...], place: str, outcome: Outcome | None, winner: str, state: State | None
) -> str:
    if battle.stage == Battle.Stage.CALLED_OFF:
        return "This battle was called off."
    if outcome is not None:
        if not winner:
            return "Nobody won. The territory stays with its holder." if place else "Nobody won."
        return f"{winner} won the day."
    if place and battle.campaign_id and state:
        declared = state.battles.get(battle.number or 0)
        if declared:
            names = Names(state)
            return f"{names.kingdom(declared.attacker)} attacks {place}, held by {names.kingdom(declared.defender)}."
    scenario = SCENARIO[battle.scenario].name if battle.scenario in SCENARIO else "The scenario is not chosen yet"
    return f"{scenario}, {battle.get_stage_display()}." if battle.scenario else f"{scenario}."


def _story(
    battle: Battle,
    rows: tuple[SideRow, ...],
    place: str,
    outcome: Outcome | None,
    state: State | None,
    steps: list[LoggedStep],
) -> tuple[tuple[str, ...], ...]:
    names = {row.letter: row.name for row in rows}
    rounds = story_rounds(steps, names)
    if outcome is None and not rounds:
        return ()
    body = battle.result or {}
    attacker = next((row.letter for row in rows if row.kingdom and row.kingdom == body.get("attacker")), "")
    frame = StoryContext(
        names=names,
        scenario=battle.scenario,
        played_on=battle.played_on.isoformat() if battle.played_on else "",
        attacker=attacker,
        place=place,
        taken=body.get("outcome") == "attacker",
        rounds=rounds,
        houses={row.letter: dict(row.houses) | _house_names(row, state) for row in rows},
    )
    two = outcome.armies if outcome is not None and isinstance(outcome.armies, UnitReport) else None
    paragraphs = write_story(frame, two, outcome.score if outcome else None)
    if outcome is not None and outcome.score is None:
        won = names.get(outcome.winner or "")
        paragraphs += ((f"{won} won the day." if won else "Nobody won.",),)
    return paragraphs


def luck_rows(steps: list[LoggedStep], names: dict[str, str]) -> tuple[LuckRow, ...]:
    return tuple(
        LuckRow(names.get(side, side), luck.dice, luck.successes, float(luck.expected), describe_luck(float(luck.over)))
        for side, luck in measure_luck(active_steps(steps)).items()
    )


def describe_luck(over: float) -> str:
    """Successes beyond the odds, as people say it."""
    if abs(over) < 0.5:
        return "as expected"
    return f"{abs(over):.1f} {'more' if over > 0 else 'fewer'} than expected"


def _house_names(row: SideRow, state: State | None) -> dict[int, str]:
    kingdom = state.kingdoms.get(row.kingdom or "") if state else None
    return {number: house.name for number, house in enumerate(kingdom.houses, 1)} if kingdom else {}


def _effects(battle: Battle, state: State | None) -> tuple[EffectRow, ...]:
    if battle.entry is None or state is None or battle.campaign is None:
        return ()
    return effect_rows(
        campaign_selectors.effects_of_entry(battle.campaign, battle.entry), Names(state), of_one_battle=True
    )


_ACTS = {
    "opened": "The battle was declared.",
    "on_the_table": "The battle began.",
    "result": "The result was reported.",
    "confirmed": "The result was confirmed.",
    "called_off": "The battle was called off.",
}


@prepared_query
def _timeline_rows(log_id: int) -> QuerySet[Entry]:
    rows = Entry.objects.filter(log=log_id, act__in=(*_ACTS, "set_up", "sides_rolled", "reopened"))
    return rows.order_by("number").values_list("act", "body", "entered_at")


def moments_of(battle: Battle, names: dict[str, str], state: State | None) -> tuple[Moment, ...]:
    """The battle's timeline, without the steps of the tracker."""
    moments, struck = [], []
    for act, body, at in _timeline_rows(battle.log_id):
        if act == "confirmed" and battle.campaign_id and body.get("entry") != battle.entry:
            struck.append(body.get("entry"))
            continue
        text = _ACTS.get(act) or _moment_text(act, body, state)
        if text:
            moments.append(Moment(at, text))
    if not struck:
        return tuple(moments)
    return tuple(sorted([*moments, *_struck_results(battle, struck)], key=lambda moment: moment.at))


def _struck_results(battle: Battle, numbers: list[int | None]) -> Iterator[Moment]:
    """When each result that no longer counts was struck from the chronicle."""
    assert battle.campaign is not None
    by = index_corrections(campaign_selectors.corrections_of(battle.campaign)).struck
    strikes = {by[number] for number in numbers if number in by}
    rows = Entry.objects.filter(log=battle.campaign.log_id, number__in=strikes)
    for at in rows.values_list("entered_at", flat=True):
        yield Moment(at, "The result was struck from the chronicle.")


def _moment_text(act: str, body: Body, state: State | None) -> str:
    def name(seat: str) -> str:
        return state.kingdoms[seat].name if state and seat in state.kingdoms else seat

    if act == "reopened":
        return "The battle was reopened." if body.get("was") == "called_off" else "The result was withdrawn."
    if act == "sides_rolled":
        dice = ", then ".join(" to ".join(map(str, pair)) for pair in body["throws"])
        return (
            f"{name(body['seats'][0])} and {name(body['seats'][1])} rolled {dice}: "
            f"{name(body['winner'])} chooses the side."
        )
    text = []
    if body.get("scenario"):
        chosen = SCENARIO[body["scenario"]].name
        text.append(f"Rolled a {body['die']}: {chosen}." if body.get("die") else f"The scenario is {chosen}.")
    if body.get("swap"):
        text.append(f"{name(body['first'])} takes side A.")
    return " ".join(text)
