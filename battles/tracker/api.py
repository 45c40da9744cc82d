"""A battle's table as JSON: the same sheet, door and refusals as the pages."""

from __future__ import annotations

import json
from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from battles import table_door
from battles.models import Battle
from battles.table_reading import Kept, kept, terms_of
from battles.table_sheet import TableSheet, table_sheet
from battles.tracker.steps import kinds
from refusal import Refusal

BODY_MOST = 20_000


class StandingSerializer(serializers.Serializer):
    id = serializers.CharField()
    name = serializers.CharField()
    unit = serializers.CharField(source="unit.now.key")
    hero = serializers.CharField(source="unit.now.living_hero", allow_null=True)
    models = serializers.IntegerField(source="unit.now.models")
    wounds = serializers.IntegerField(source="unit.wounds_taken")
    acted = serializers.BooleanField(source="unit.acted")
    flees = serializers.BooleanField(source="unit.fleeing")
    gone = serializers.DictField(source="unit.gone", allow_null=True)
    at = serializers.DictField(source="unit.at")


class TableSideSerializer(serializers.Serializer):
    key = serializers.CharField()
    name = serializers.CharField()
    earned = serializers.IntegerField(help_text="VP so far, the win not counted")
    spent = serializers.IntegerField()
    purse = serializers.IntegerField()
    solo = serializers.BooleanField()
    units = StandingSerializer(many=True)


class FightSerializer(serializers.Serializer):
    key = serializers.CharField()
    how = serializers.CharField(source="fight.how")
    attacker = serializers.CharField(source="fight.attacker")
    target = serializers.CharField(source="fight.target", default=None, allow_null=True)
    faces = serializers.ListField(source="fight.faces", child=serializers.IntegerField())
    side = serializers.CharField(help_text="whose dice are asked for")
    ask = serializers.CharField(source="ask.text", default=None, allow_null=True)
    needed = serializers.SerializerMethodField()

    def get_needed(self, row: Any) -> list[int]:
        return [die.needed for die in row.ask.dice] if row.ask else []


class TableStepSerializer(serializers.Serializer):
    number = serializers.IntegerField()
    kind = serializers.CharField()
    round = serializers.IntegerField()
    said = serializers.ListField(child=serializers.CharField())


class TrackedTableSerializer(serializers.Serializer):
    code = serializers.CharField()
    version = serializers.IntegerField()
    scenario = serializers.CharField(source="sheet.scenario.key")
    laid = serializers.BooleanField(source="sheet.laid")
    round = serializers.IntegerField(source="sheet.round")
    turn = serializers.CharField(source="sheet.turn", allow_null=True)
    event = serializers.CharField(source="sheet.event.key", default=None, allow_null=True)
    sides = TableSideSerializer(many=True, source="sheet.sides")
    fights = FightSerializer(many=True, source="sheet.fights")
    recent = TableStepSerializer(many=True, source="sheet.recent")
    decided = serializers.BooleanField(source="sheet.verdict.over")
    winner = serializers.CharField(source="sheet.verdict.winner", allow_null=True)
    may_step = serializers.BooleanField()


class NewStepSerializer(serializers.Serializer):
    key = serializers.CharField(max_length=80)
    kind = serializers.ChoiceField([(kind, kind) for kind in kinds()])
    body = serializers.DictField(default=dict)
    seen = serializers.DictField(required=False, help_text="cells as the sender saw them, such as A1/left")


class StepDoneSerializer(serializers.Serializer):
    entry = serializers.IntegerField(allow_null=True)
    said = serializers.ListField(child=serializers.CharField())


class TakeBackSerializer(serializers.Serializer):
    key = serializers.CharField(max_length=80)
    step = serializers.IntegerField()
    seen = serializers.IntegerField(required=False, help_text="how many steps the sender expects to go")


class TakenBackSerializer(serializers.Serializer):
    entry = serializers.IntegerField()
    steps = serializers.ListField(child=serializers.IntegerField())


class _Drawn:
    """The sheet with what the log adds to it."""

    def __init__(self, battle: Battle, told: Kept) -> None:
        self.code, self.version = battle.code, battle.log.version
        self.may_step = battle.may_step and not battle.is_over  # type: ignore[attr-defined]
        self.sheet: TableSheet = table_sheet(told, terms_of(battle))


def _battle(request: Request, code: str) -> Battle:
    return get_object_or_404(table_door.seen_by(request._request.who), code=code)


class TableView(APIView):
    @extend_schema(responses=TrackedTableSerializer, operation_id="battle_table", tags=["battles"])
    def get(self, request: Request, code: str) -> Response:
        """The table as it stands."""
        battle = _battle(request, code)
        return Response(TrackedTableSerializer(_Drawn(battle, kept(battle))).data)


class TableStepsView(APIView):
    @extend_schema(
        request=NewStepSerializer, responses=StepDoneSerializer, operation_id="battle_table_step", tags=["battles"]
    )
    def post(self, request: Request, code: str) -> Response:
        """One step, once per key."""
        battle = _battle(request, code)
        table_door.insist(battle)
        sent = NewStepSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        data = sent.validated_data
        if len(json.dumps(data["body"])) > BODY_MOST:
            raise Refusal("This step is larger than any step can be.", field="body")
        try:
            done = table_door.do(
                battle,
                request._request.who,
                key=data["key"],
                kind=data["kind"],
                body=data["body"],
                seen=data.get("seen"),
            )
        except Refusal:
            raise
        except (TypeError, ValueError, KeyError, AttributeError, IndexError) as error:
            # The pages' forms make bodies of the right shape; whoever writes their own is told that theirs is not.
            raise Refusal("The body of this step has the wrong shape.", field="body") from error
        return Response({"entry": done["entry"], "said": done["said"]})


class TableTakeBackView(APIView):
    @extend_schema(
        request=TakeBackSerializer,
        responses=TakenBackSerializer,
        operation_id="battle_table_take_back",
        tags=["battles"],
    )
    def post(self, request: Request, code: str) -> Response:
        """Take a step back with everything that rested on it."""
        battle = _battle(request, code)
        table_door.insist(battle)
        sent = TakeBackSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        data = sent.validated_data
        done = table_door.take_back(
            battle, request._request.who, key=data["key"], number=data["step"], seen=data.get("seen")
        )
        return Response({"entry": done["entry"], "steps": done["steps"]})
