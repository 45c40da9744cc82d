"""The solo opponent as JSON: its die, the next question, or the step that carries out its turn."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from battles.tracker import services
from battles.tracker.core import solo_questions
from battles.tracker.core.solo_questions import ANSWERS
from battles.tracker.core.steps import codec, solo_turn
from battles.tracker.core.steps.solo_turn import DecideSoloTurn
from battles.tracker.selectors import load_snapshot
from refusal import Refusal


class SoloChoiceSerializer(serializers.Serializer):
    value = serializers.CharField()
    name = serializers.CharField()


class SoloQuestionSerializer(serializers.Serializer):
    key = serializers.CharField(help_text="the parameter that answers it")
    text = serializers.CharField(source="title")
    hint = serializers.CharField()
    many = serializers.BooleanField(help_text="several can be chosen")
    none = serializers.CharField(help_text="the answer “none” in words; empty if one has to be chosen")
    choices = SoloChoiceSerializer(many=True)


class SoloStepSerializer(serializers.Serializer):
    kind = serializers.CharField()
    body = serializers.DictField()


class SoloOpponentSerializer(serializers.Serializer):
    side = serializers.CharField()
    roll = serializers.IntegerField(allow_null=True, help_text="null: roll its die with the step solo_die")
    question = SoloQuestionSerializer(allow_null=True)
    step = SoloStepSerializer(allow_null=True, help_text="send it to table/steps/")


class SoloOpponent(APIView):
    @extend_schema(
        parameters=[OpenApiParameter(name, str, many=True) for name in ANSWERS],
        responses=SoloOpponentSerializer,
        operation_id="battle_table_solo",
        tags=["battles"],
    )
    def get(self, request: Request, code: str) -> Response:
        """What the solo opponent asks next; the answers so far travel in the address."""
        battle = services.get_visible_battle(request.who, code)
        tracker = load_snapshot(battle).tracker
        if not tracker.is_set_up or tracker.solo is None:
            raise Refusal("This battle has no solo opponent.", status=404)
        die = solo_turn.pending_die(tracker)
        answer: dict[str, object] = {"side": tracker.solo, "roll": die and die.roll, "question": None, "step": None}
        if die is not None and any(not unit.acted for unit in tracker.units_here(tracker.solo)):
            query = request.query_params
            given = {name: query.getlist(name) for name in ANSWERS if name in query}
            found = solo_questions.next_question(tracker, die, given)
            if isinstance(found, DecideSoloTurn):
                answer["step"] = {"kind": found.kind, "body": codec.write_sent(found)}
            else:
                answer["question"] = SoloQuestionSerializer(found).data
        return Response(SoloOpponentSerializer(answer).data)
