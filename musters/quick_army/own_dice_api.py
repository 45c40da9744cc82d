"""A quick army with your own dice, as JSON: nothing is stored, the address holds the answers."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from musters.quick_army.own_dice import finished_code, own_dice_display
from pages.api.operations import PublicAPIView


class OwnDiceQuestionSerializer(serializers.Serializer):
    title = serializers.CharField()
    text = serializers.CharField()
    die = serializers.BooleanField(help_text="answer with the face of a d10")
    choices = serializers.ListField(child=serializers.CharField(), help_text="or with one of these")


class OwnDiceSerializer(serializers.Serializer):
    answers = serializers.ListField(child=serializers.CharField())
    question = OwnDiceQuestionSerializer(allow_null=True)
    code = serializers.CharField(help_text="of the finished army; empty before")


class OwnDice(PublicAPIView):
    @extend_schema(
        parameters=[
            OpenApiParameter("loyalty", int),
            OpenApiParameter("lost", int, many=True, description="houses whose fealty is lost"),
            OpenApiParameter("siege", str, enum=["attacker", "defender"]),
            OpenApiParameter("rebels", int),
            OpenApiParameter("a", str, description="the answers so far, separated by spaces"),
        ],
        responses=OwnDiceSerializer,
        operation_id="musters_own_dice",
    )
    def get(self, request: Request) -> Response:
        """The next question of a muster with your own dice, or the code of its army."""
        display = own_dice_display(request.query_params)
        question = display.question
        shown = question and {
            "title": question.title,
            "text": question.text,
            "die": bool(question.die),
            "choices": [choice.key for choice in question.choices],
        }
        code = "" if question else finished_code(display)
        return Response({"answers": list(display.answers), "question": shown, "code": code})
