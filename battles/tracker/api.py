"""The tracker as JSON, with the same display, services and refusals as the pages."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from battles.models import Battle
from battles.tracker import services
from battles.tracker.core.logged_steps import LoggedStep
from battles.tracker.core.steps import codec
from battles.tracker.core.steps.step_check import step_kinds
from battles.tracker.display import FightRow, TrackerDisplay, UnitRow, tracker_display
from battles.tracker.rolled_here import roll_here
from battles.tracker.selectors import TrackerSnapshot, load_snapshot, terms_of
from log.services import find_answer
from pages.number_parsing import parse_int
from refusal import Refusal

MAX_BODY_SIZE = 20_000


class DepartureSerializer(serializers.Serializer):
    how = serializers.ChoiceField(["removed", "escaped"])
    why = serializers.CharField()
    round = serializers.IntegerField()


class PositionSerializer(serializers.Serializer):
    terrain = serializers.CharField()
    extra_tall = serializers.BooleanField(required=False)
    castle = serializers.CharField(required=False, help_text="a piece of the castle")


class TrackedUnitSerializer(serializers.Serializer):
    id = serializers.CharField()
    name = serializers.CharField()
    unit = serializers.CharField(source="unit.now.key")
    hero = serializers.CharField(source="unit.now.living_hero", allow_null=True)
    models = serializers.IntegerField(source="unit.now.models")
    wounds = serializers.IntegerField(source="unit.wounds_taken")
    acted = serializers.BooleanField(source="unit.acted")
    flees = serializers.BooleanField(source="unit.fleeing")
    gone = serializers.SerializerMethodField()
    at = serializers.SerializerMethodField()

    @extend_schema_field(DepartureSerializer(allow_null=True))
    def get_gone(self, row: UnitRow) -> Mapping[str, object] | None:
        return row.unit.gone.to_cell() if row.unit.gone else None

    @extend_schema_field(PositionSerializer)
    def get_at(self, row: UnitRow) -> Mapping[str, object]:
        return row.unit.at.to_cell()


class TrackerSideSerializer(serializers.Serializer):
    key = serializers.CharField()
    name = serializers.CharField()
    earned = serializers.IntegerField(help_text="VP so far, without the win")
    spent = serializers.IntegerField()
    purse = serializers.IntegerField()
    solo = serializers.BooleanField()
    units = TrackedUnitSerializer(many=True)


class FightSerializer(serializers.Serializer):
    key = serializers.CharField()
    how = serializers.CharField(source="fight.how")
    attacker = serializers.CharField(source="fight.attacker")
    target = serializers.CharField(source="fight.target", default=None, allow_null=True)
    faces = serializers.ListField(source="fight.faces", child=serializers.IntegerField())
    side = serializers.CharField(help_text="the side that rolls next")
    ask = serializers.CharField(source="ask.text", default=None, allow_null=True)
    needed = serializers.SerializerMethodField()

    def get_needed(self, row: FightRow) -> list[int]:
        return [die.needed for die in row.ask.dice] if row.ask else []


class TrackerStepSerializer(serializers.Serializer):
    number = serializers.IntegerField()
    kind = serializers.CharField()
    round = serializers.IntegerField()
    said = serializers.ListField(child=serializers.CharField())


class TrackerSerializer(serializers.Serializer):
    code = serializers.CharField()
    version = serializers.IntegerField()
    live = serializers.CharField(help_text="stream of news: the tracker has changed")
    scenario = serializers.CharField(source="display.scenario.key")
    laid = serializers.BooleanField(source="display.is_set_up")
    round = serializers.IntegerField(source="display.round")
    turn = serializers.CharField(source="display.turn", allow_null=True)
    event = serializers.CharField(source="display.event.key", default=None, allow_null=True)
    sides = TrackerSideSerializer(many=True, source="display.sides")
    fights = FightSerializer(many=True, source="display.fights")
    recent = TrackerStepSerializer(many=True, source="display.recent")
    decided = serializers.BooleanField(source="display.verdict.over")
    winner = serializers.CharField(source="display.verdict.winner", allow_null=True)
    may_step = serializers.BooleanField(source="can_step")


def step_rows(steps: Iterable[LoggedStep]) -> Any:
    rows = [
        {"number": one.number, "kind": one.kind, "round": one.round, "said": list(one.sentences_or_dice)}
        for one in steps
    ]
    return TrackerStepSerializer(rows, many=True).data


class NewStepSerializer(serializers.Serializer):
    key = serializers.CharField(max_length=80)
    kind = serializers.ChoiceField([(kind, kind) for kind in step_kinds()])
    body = serializers.DictField(default=dict)
    seen = serializers.DictField(required=False, help_text="cells that must be unchanged, such as A1/left")
    roll = serializers.BooleanField(default=False, help_text="the site rolls the dice of this step")


def _step_request() -> Mapping[str, object]:
    """The body of the request for each kind of step, from the fields of its dataclass."""
    rest = {
        "key": {"type": "string", "maxLength": 80},
        "seen": {
            "type": "object",
            "additionalProperties": {},
            "description": "cells that must be unchanged, such as A1/left",
        },
        "roll": {"type": "boolean", "default": False, "description": "the site rolls the dice of this step"},
    }
    kinds = [
        {
            "title": kind,
            "type": "object",
            "properties": {**rest, "kind": {"type": "string", "enum": [kind]}, "body": codec.step_schema(kind)},
            "required": ["key", "kind", "body"],
        }
        for kind in step_kinds()
    ]
    return {"application/json": {"oneOf": kinds}}


class StepTakenSerializer(serializers.Serializer):
    entry = serializers.IntegerField(allow_null=True)
    said = serializers.ListField(child=serializers.CharField())


class UndoSerializer(serializers.Serializer):
    key = serializers.CharField(max_length=80)
    step = serializers.IntegerField()
    seen = serializers.IntegerField(required=False, help_text="how many steps the sender expects to undo")


class UndoneSerializer(serializers.Serializer):
    entry = serializers.IntegerField()
    steps = serializers.ListField(child=serializers.IntegerField())


class _TrackerData:
    """The display with what the log adds to it."""

    def __init__(self, battle: Battle, snapshot: TrackerSnapshot) -> None:
        self.code, self.version, self.live = battle.code, battle.log.version, f"/live/{battle.log_id}/"
        self.can_step = battle.can_step and not battle.is_over
        self.display: TrackerDisplay = tracker_display(snapshot, terms_of(battle))


class TrackerView(APIView):
    @extend_schema(responses=TrackerSerializer, operation_id="battle_table")
    def get(self, request: Request, code: str) -> Response:
        """The current state of the tracker."""
        battle = services.get_visible_battle(request.who, code)
        return Response(TrackerSerializer(_TrackerData(battle, load_snapshot(battle))).data)


class TrackerStepsView(APIView):
    @extend_schema(request=_step_request(), responses=StepTakenSerializer, operation_id="battle_table_step")
    def post(self, request: Request, code: str) -> Response:
        """Take one step, once per key."""
        battle = services.get_visible_battle(request.who, code)
        services.require_can_step(battle)
        sent = NewStepSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        data = sent.validated_data
        if len(json.dumps(data["body"])) > MAX_BODY_SIZE:
            raise Refusal("This step is too large.", field="body")
        body, before = data["body"], None
        if data["roll"]:
            before = find_answer(battle.log_id, who=request.who.ref, key=data["key"])
            body = body | _rolled(request, battle, data) if before is None else body
        if before is not None:
            return Response(StepTakenSerializer(before).data)
        step = codec.read_sent(data["kind"], body)
        done = services.take_step(battle, request._request.who, step, key=data["key"], seen=data.get("seen"))
        return Response(StepTakenSerializer(done).data)


def _rolled(request: Request, battle: Battle, data: Mapping[str, Any]) -> Mapping[str, object]:
    """The dice as fields of the step."""
    kind, fight = data["kind"], data["body"].get("fight", "")
    rolled = roll_here(
        request.who, battle, load_snapshot(battle), kind, data["key"], fight if isinstance(fight, str) else ""
    )
    return {**rolled.to_body(), **({"here": True} if kind == "dice" else {})}


class TrackerUndoView(APIView):
    @extend_schema(
        parameters=[OpenApiParameter("step", int, required=True, description="number of the step to undo")],
        responses=TrackerStepSerializer(many=True),
        operation_id="battle_table_take_back_preview",
    )
    def get(self, request: Request, code: str) -> Response:
        """What would be undone: the step and every step that depends on it. Send their count as `seen`."""
        battle = services.get_visible_battle(request.who, code)
        services.require_can_step(battle)
        number = parse_int(request.query_params.get("step", ""))
        if number is None:
            raise Refusal("Name the step to undo.", field="step")
        return Response(step_rows(services.find_steps_to_undo(battle, number)))

    @extend_schema(
        request=UndoSerializer,
        responses=UndoneSerializer,
        operation_id="battle_table_take_back",
    )
    def post(self, request: Request, code: str) -> Response:
        """Undo a step and every step that depends on it."""
        battle = services.get_visible_battle(request.who, code)
        services.require_can_step(battle)
        sent = UndoSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        data = sent.validated_data
        done = services.undo_step(
            battle, request._request.who, key=data["key"], number=data["step"], seen=data.get("seen")
        )
        return Response(UndoneSerializer(done).data)
