"""The tracker as JSON, with the same displays, services and refusals as the pages."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from rest_framework.request import Request
from rest_framework.views import APIView

from battles.models import Battle
from battles.tracker import services, starting_armies
from battles.tracker.core import logged_steps
from battles.tracker.core.combat_helper import CombatNumbers
from battles.tracker.core.logged_steps import LoggedStep, active_steps
from battles.tracker.core.state import AttackKind, Departure, PositionCell
from battles.tracker.core.steps.fights import StartFight
from battles.tracker.core.steps.tracker_step import Number, PieceKey, get_step, step_kinds
from battles.tracker.display import FightRow, SideRow, UnitRow, tracker_display, unit_row
from battles.tracker.selectors import RecentStep, find_unit, load_snapshot, steps_of, terms_of
from battles.tracker.services import roll_here
from battles.tracker.starting_armies import MAX_CHOSEN_UNITS, ChosenUnit
from battles.tracker.unit_actions_display import UnitDisplay, fight_setup_display, unit_display
from dataclass_json import Check, Count, Says, Schema, Text, stored_as
from log.services import find_answer
from pages.api.operations import Query, Sent, SentAgain, operation
from pages.api_pagination import MAX_ROWS, Page, paginate_rows
from pages.fields.columns_and_rows import extend, take
from people.api_tokens.scopes import READ
from people.requester import Who
from refusal import Refusal

MAX_BODY_SIZE = 20_000
SideKey = Annotated[str, Text("The side", 1)]


# ── The tracker ──────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class UnitAnswer:
    api_name = "TrackedUnit"

    id: str
    name: str
    unit: str
    hero: str | None
    models: int
    wounds: int
    acted: bool
    flees: bool
    gone: Departure | None
    at: PositionCell


def _answer_unit(row: UnitRow) -> UnitAnswer:
    unit = row.unit
    return UnitAnswer(
        id=row.id,
        name=row.name,
        unit=unit.now.key,
        hero=unit.now.living_hero,
        models=unit.now.models,
        wounds=unit.wounds_taken,
        acted=unit.acted,
        flees=unit.fleeing,
        gone=unit.gone,
        at=unit.at.to_cell(),
    )


@dataclass(frozen=True, slots=True)
class SideAnswer:
    api_name = "TrackerSide"

    key: str
    name: str
    earned: Annotated[int, "VP so far, without the win"]
    spent: int
    purse: int
    solo: bool
    units: tuple[UnitAnswer, ...]


def _answer_side(row: SideRow) -> SideAnswer:
    return take(SideAnswer, row, units=tuple(map(_answer_unit, row.units)))


@dataclass(frozen=True, slots=True)
class FightAnswer:
    api_name = "Fight"

    key: str
    how: AttackKind
    attacker: str
    target: str | None
    faces: tuple[int, ...]
    side: Annotated[str, "the side that rolls next"]
    ask: str | None
    needed: tuple[int, ...]


def answer_fight(row: FightRow) -> FightAnswer:
    return FightAnswer(
        key=row.key,
        how=row.fight.how,
        attacker=row.fight.attacker,
        target=row.fight.target,
        faces=row.fight.faces,
        side=row.side,
        ask=row.ask.text if row.ask else None,
        needed=tuple(die.needed for die in row.ask.dice) if row.ask else (),
    )


def answer_steps(steps: Iterable[LoggedStep]) -> tuple[RecentStep, ...]:
    return tuple(RecentStep(step.number, step.kind, step.sentences_or_dice, step.round) for step in steps)


@dataclass(frozen=True, slots=True)
class TrackerAnswer:
    api_name = "Tracker"

    code: str
    version: int
    live: Annotated[str, "stream of news: the tracker has changed"]
    scenario: str
    laid: bool
    round: int
    turn: str | None
    event: str | None
    sides: tuple[SideAnswer, ...]
    fights: tuple[FightAnswer, ...]
    recent: tuple[RecentStep, ...]
    decided: bool
    winner: str | None
    may_step: bool


class TrackerView(APIView):
    @operation("battle_table")
    def get(self, request: Request, code: str) -> TrackerAnswer:
        """The current state of the tracker."""
        battle = services.get_visible_battle(request.who, code)
        display = tracker_display(load_snapshot(battle), terms_of(battle))
        return TrackerAnswer(
            code=battle.code,
            version=battle.log.version,
            live=f"/live/{battle.log_id}/",
            scenario=display.scenario.key,
            laid=display.is_set_up,
            round=display.round,
            turn=display.turn,
            event=display.event.key if display.event else None,
            sides=tuple(map(_answer_side, display.sides)),
            fights=tuple(map(answer_fight, display.fights)),
            recent=display.recent,
            decided=display.verdict.over,
            winner=display.verdict.winner,
            may_step=battle.can_step and not battle.is_over,
        )


@dataclass(frozen=True, slots=True)
class SetUpTracker:
    """``units`` by side, for armies that were not mustered; ``vats`` and ``towers`` in a siege."""

    units: Annotated[
        Mapping[SideKey, Annotated[tuple[ChosenUnit, ...], Count("Units", MAX_CHOSEN_UNITS)]], Count("Sides", 8)
    ] = field(default_factory=dict)
    solo: SideKey | None = None
    vats: Annotated[tuple[PieceKey, ...], Count("Vats", 10)] = ()
    towers: Annotated[tuple[PieceKey, ...], Count("Towers", 10)] = ()


class TrackerSetUp(APIView):
    @operation("battle_table_set_up")
    def post(self, request: Request, code: str, sent: Sent[SetUpTracker]) -> services.StepTaken:
        """Set up the tracker: the mustered armies, and the units you name for the others."""
        battle = services.get_visible_battle(request.who, code)
        services.require_can_step(battle)
        key, chosen = sent.key, sent.value
        if load_snapshot(battle).tracker.is_set_up:
            raise Refusal("The tracker is already set up.", status=409)
        if not battle.scenario and not battle.siege:
            raise Refusal(starting_armies.NO_SCENARIO, status=409)
        step = starting_armies.set_up_armies(battle, chosen.units, chosen.solo, chosen.vats, chosen.towers)
        return services.take_step(battle, request.who, step, key=key)


# ── Steps ────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class TakeStep:
    """``body``: the fields of this kind of step."""

    kind: Annotated[str, Check(get_step)]
    body: Mapping[str, Any] = field(default_factory=dict)
    seen: Annotated[Mapping[str, Any], "cells that must be unchanged, such as A1/left"] = field(default_factory=dict)
    roll: Annotated[bool, "the site rolls the dice of this step"] = False

    @staticmethod
    def schema_variants() -> Mapping[str, Schema]:
        """For each kind of step: its body, from the fields of its dataclass."""
        return {
            kind: {"kind": {"type": "string", "enum": [kind]}, "body": logged_steps.step_schema(kind)}
            for kind in step_kinds()
        }


class TrackerSteps(APIView):
    @operation("battle_table_step")
    def post(self, request: Request, code: str, sent: Sent[TakeStep]) -> services.StepTaken:
        """Take one step, once per key."""
        battle = services.get_visible_battle(request.who, code)
        services.require_can_step(battle)
        wanted = sent.value
        if len(json.dumps(wanted.body)) > MAX_BODY_SIZE:
            raise Refusal("This step is too large.", field="body")
        body = wanted.body
        if wanted.roll:
            if before := find_answer(battle.log_id, who=request.who.ref, key=sent.key):
                return services.StepTaken(before["entry"], tuple(before["said"]))
            body = {**body, **_roll(battle, request.who, sent.key, wanted)}
        step = logged_steps.read_sent(wanted.kind, body)
        return services.take_step(battle, request.who, step, key=sent.key, seen=wanted.seen)


def _roll(battle: Battle, who: Who, key: str, wanted: TakeStep) -> Mapping[str, object]:
    """The dice as fields of the step."""
    fight = wanted.body.get("fight")
    rolled = roll_here(who, battle, load_snapshot(battle), wanted.kind, key, fight if isinstance(fight, str) else "")
    return {**rolled.to_body(), **({"here": True} if wanted.kind == "dice" else {})}


class StepHistory(APIView):
    @operation("battle_table_history")
    def get(self, request: Request, code: str) -> Page[RecentStep]:
        """Every step that counts, newest first."""
        steps = active_steps(steps_of(services.get_visible_battle(request.who, code)))
        return paginate_rows(request, steps[::-1], lambda step: step.number, answer_steps, most=MAX_ROWS)


@dataclass(frozen=True, slots=True)
class FindDependentSteps:
    step: Annotated[int, Says("Name the step to undo."), "number of the step to undo"]


@dataclass(frozen=True, slots=True)
class UndoStep:
    api_name = "Undo"

    step: Number
    seen: Annotated[int | None, "how many steps the sender expects to undo"] = None


class TrackerUndo(APIView):
    @operation("battle_table_take_back_preview")
    def get(self, request: Request, code: str, query: Query[FindDependentSteps]) -> tuple[RecentStep, ...]:
        """What would be undone: the step and every step that depends on it. Send their count as `seen`."""
        battle = services.get_visible_battle(request.who, code)
        services.require_can_step(battle)
        return answer_steps(services.find_steps_to_undo(battle, query.value.step))

    @operation("battle_table_take_back")
    def post(self, request: Request, code: str, sent: Sent[UndoStep]) -> services.StepsUndone:
        """Undo a step and every step that depends on it."""
        battle = services.get_visible_battle(request.who, code)
        services.require_can_step(battle)
        undo = sent.value
        return services.undo_step(battle, request.who, key=sent.key, number=undo.step, seen=undo.seen)


# ── One unit, and one attack before its first die ────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitPageAnswer(UnitDisplay):
    api_name = "UnitPage"

    row: UnitAnswer = field(metadata=stored_as("unit"))
    seen: Annotated[Mapping[str, Any], "cells of the tracker; send them with the step losses"]


class UnitPage(APIView):
    @operation("battle_table_unit")
    def get(self, request: Request, code: str, unit: str) -> UnitPageAnswer:
        """What one unit can do now, and to whom."""
        battle = services.get_visible_battle(request.who, code)
        snapshot = load_snapshot(battle)
        tracked = find_unit(snapshot, unit)
        display = unit_display(snapshot.tracker, terms_of(battle), tracked.id)
        left = f"{tracked.id}/left"
        row = _answer_unit(unit_row(snapshot.tracker, tracked))
        return extend(UnitPageAnswer, display, row=row, seen={left: snapshot.cells.get(left)})


@dataclass(frozen=True, slots=True)
class PossibleTick:
    key: Annotated[str, "as in `ticks` of the attack"]
    kind: Annotated[str, "A, D, a bonus, or empty"]
    text: str
    roll: Literal["attack", "morale"]
    ticked: Annotated[bool, "as sent, or as the tracker knows it"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackPreviewAnswer(CombatNumbers):
    api_name = "AttackPreview"

    verb: str
    target: Annotated[str, "the name of what is attacked, or empty"]
    dice: Annotated[int, "to roll first"]
    ticks: Annotated[tuple[PossibleTick, ...], "what only the players can see"]
    at: Annotated[str, "the attacker's terrain"]
    target_at: str


class AttackPreview(APIView):
    scopes = {"POST": READ}

    @operation("battle_table_attack_preview")
    def post(self, request: Request, code: str, sent: SentAgain[StartFight]) -> AttackPreviewAnswer:
        """What an attack would be under this battle's rules: dice, modifiers, odds. Nothing is stored."""
        battle = services.get_visible_battle(request.who, code)
        snapshot = load_snapshot(battle)
        attack = sent.value
        display = fight_setup_display(
            snapshot.tracker,
            terms_of(battle),
            attack.how,
            find_unit(snapshot, attack.unit),
            find_unit(snapshot, attack.target) if attack.target else None,
            attack.ticks,
            building=attack.building,
            piece=attack.piece,
        )
        return extend(
            AttackPreviewAnswer,
            display.numbers,
            verb=display.verb,
            target=display.whom,
            dice=display.dice,
            ticks=tuple(take(PossibleTick, tick, ticked=ticked) for tick, ticked in display.ticks),
            at=display.at,
            target_at=display.target_at,
        )
