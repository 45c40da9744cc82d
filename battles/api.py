"""Battles as JSON: the same sheets, doors and refusals as the pages."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from battles import door, forms, opening, reporting, slips
from battles.models import Battle
from battles.rights import must, rights
from battles.sheet import battle_sheet
from battles.statistics import campaigns_of, games_of
from battles.statistics_views import tables
from battles.telling.tally import tallied
from battles.views import seen
from people import passes
from refusal import Refusal
from rulebook.scenarios import SCENARIO

PAGE = 50


class BattleSideSerializer(serializers.Serializer):
    side = serializers.CharField(source="row.letter")
    name = serializers.CharField(source="row.name")
    kingdom = serializers.CharField(source="row.kingdom", allow_null=True)
    role = serializers.CharField(help_text="what the scenario calls this side")
    result = serializers.CharField(help_text="won, lost, drawn, or empty")
    vp = serializers.IntegerField(allow_null=True)
    fielded = serializers.IntegerField(allow_null=True)
    removed = serializers.IntegerField(allow_null=True, help_text="its own units that were removed")


class BattleEffectSerializer(serializers.Serializer):
    text = serializers.CharField()
    why = serializers.CharField()
    kingdom = serializers.CharField()


class BattleSheetSerializer(serializers.Serializer):
    code = serializers.CharField()
    heading = serializers.CharField()
    campaign = serializers.CharField(source="campaign_code")
    number = serializers.IntegerField(allow_null=True)
    stage = serializers.CharField()
    scenario = serializers.CharField(source="scenario.key", default="")
    siege = serializers.BooleanField()
    sides = BattleSideSerializer(many=True)
    winner = serializers.CharField()
    lead = serializers.CharField()
    story = serializers.ListField(child=serializers.ListField(child=serializers.CharField()))
    effects = BattleEffectSerializer(many=True)
    played_on = serializers.DateField(allow_null=True)
    entry = serializers.IntegerField(allow_null=True)


class BattleRowSerializer(serializers.Serializer):
    code = serializers.CharField()
    campaign = serializers.CharField(source="campaign.code", default="")
    number = serializers.IntegerField(allow_null=True)
    stage = serializers.CharField()
    scenario = serializers.CharField()


class NewBattleSerializer(serializers.Serializer):
    key = serializers.CharField(max_length=80)
    scenario = serializers.ChoiceField(choices=["", *SCENARIO], default="")
    names = serializers.ListField(child=serializers.CharField(max_length=200), min_length=2, max_length=6)


class SetUpSerializer(serializers.Serializer):
    key = serializers.CharField(max_length=80)
    scenario = serializers.ChoiceField(choices=list(SCENARIO), required=False)
    die = serializers.IntegerField(required=False, min_value=1, max_value=10)
    swap = serializers.BooleanField(default=False)


class CountsSerializer(serializers.Serializer):
    A = serializers.IntegerField(default=0, min_value=0, max_value=99)
    B = serializers.IntegerField(default=0, min_value=0, max_value=99)


class UnitKeysSerializer(serializers.Serializer):
    A = serializers.ListField(child=serializers.CharField(max_length=30), default=list, max_length=40)
    B = serializers.ListField(child=serializers.CharField(max_length=30), default=list, max_length=40)


class HousesSerializer(serializers.Serializer):
    A = serializers.ListField(child=serializers.IntegerField(min_value=1, max_value=4), default=list, max_length=4)
    B = serializers.ListField(child=serializers.IntegerField(min_value=1, max_value=4), default=list, max_length=4)


class ReportSerializer(serializers.Serializer):
    """What happened, by the units' slots: king, house-1 to house-4, garrison-1, train-1, rebel-1."""

    key = serializers.CharField(max_length=80)
    ending = serializers.CharField(
        max_length=30, help_text="yielded-A, destroyed-B, routed-A, held_out, counted, draw …"
    )
    removed = UnitKeysSerializer(default=dict)
    escaped = serializers.ListField(child=serializers.CharField(max_length=30), default=list, max_length=40)
    crossings = CountsSerializer(default=dict)
    mounds = serializers.ListField(child=CountsSerializer(), default=list, max_length=30)
    ablaze = serializers.IntegerField(default=0, min_value=0, max_value=4)
    spent = CountsSerializer(default=dict)
    silent = HousesSerializer(default=dict)
    played_on = serializers.DateField(required=False)
    accept_late = serializers.BooleanField(default=False)


class WorkedSerializer(serializers.Serializer):
    winner = serializers.CharField(allow_null=True)
    reason = serializers.CharField()
    effects = BattleEffectSerializer(many=True)


class ReportedSerializer(serializers.Serializer):
    entry = serializers.IntegerField(required=False, help_text="the line of the chronicle, if it is written")
    petition = serializers.IntegerField(required=False, help_text="what waits for others")
    worked = WorkedSerializer()


class TallyRowSerializer(serializers.Serializer):
    name = serializers.CharField()
    under = serializers.CharField()
    played = serializers.IntegerField(source="tally.played")
    won = serializers.IntegerField(source="tally.won")
    drawn = serializers.IntegerField(source="tally.drawn")
    share = serializers.IntegerField(help_text="percent; a draw is half a win")
    low = serializers.IntegerField(help_text="lower end of the interval, percent")
    high = serializers.IntegerField()
    units_fielded = serializers.IntegerField(source="tally.fielded")
    units_removed = serializers.IntegerField(source="tally.removed")


class TallyTableSerializer(serializers.Serializer):
    key = serializers.CharField()
    title = serializers.CharField()
    rows = TallyRowSerializer(many=True)


class BattlesView(APIView):
    @extend_schema(responses=BattleRowSerializer(many=True), operation_id="battles_list")
    def get(self, request: Request) -> Response:
        """The newest battles you may see."""
        rows = Battle.objects.visible_to(request.who).select_related("campaign")[:PAGE]
        return Response(BattleRowSerializer(rows, many=True).data)

    @extend_schema(request=NewBattleSerializer, responses={201: BattleRowSerializer}, operation_id="battles_create")
    def post(self, request: Request) -> Response:
        """A battle outside any campaign. Without a log-in this browser keeps it."""
        told = _valid(NewBattleSerializer, request)
        slips.NEW.spend(request._request)
        battle = opening.alone(request.who, key=told["key"], scenario=told["scenario"], names=told["names"])
        if not request.who.is_known:
            passes.hold(request._request, opening.keep_pass(battle, request.who))
        return Response(BattleRowSerializer(battle).data, status=201)


class BattleView(APIView):
    @extend_schema(responses=BattleSheetSerializer)
    def get(self, request: Request, code: str) -> Response:
        """One battle: where it stands, and how it ended."""
        battle, state = seen(request, code)
        return Response(BattleSheetSerializer(battle_sheet(battle, state)).data)


class SetUpView(APIView):
    @extend_schema(request=SetUpSerializer, responses=BattleSheetSerializer)
    def post(self, request: Request, code: str) -> Response:
        """The scenario, chosen or by a die; and the sides the other way round."""
        battle, _ = seen(request, code)
        told = _valid(SetUpSerializer, request)
        door.set_up(
            battle, request.who, key=told["key"], scenario=told.get("scenario"), die=told.get("die"), swap=told["swap"]
        )
        battle, state = seen(request, code)
        return Response(BattleSheetSerializer(battle_sheet(battle, state)).data)


class ReportView(APIView):
    @extend_schema(request=ReportSerializer, responses=ReportedSerializer)
    def post(self, request: Request, code: str) -> Response:
        """Tell how it ended: written at once, or laid before those who confirm."""
        battle, state = seen(request, code)
        must(rights(battle, request.who, state).report, battle)
        if battle.is_over:
            raise Refusal("This battle is over.", status=409)
        if not battle.scenario or len(battle.sides) != 2:
            raise Refusal("Choose the scenario first; more than two armies are told on the page.", status=409)
        told = _valid(ReportSerializer, request)
        report = forms.report_from(battle, state, _values(told))
        worked = reporting.worked_out(battle, report, state)
        answer = reporting.lay(battle, request.who, report, key=told["key"], accept_late=told["accept_late"])
        found = {name: answer[name] for name in ("entry", "petition") if name in answer}
        return Response({**found, "worked": WorkedSerializer(worked).data})


class StatisticsView(APIView):
    @extend_schema(responses=TallyTableSerializer(many=True), operation_id="battles_statistics")
    def get(self, request: Request) -> Response:
        """Battles you may see, counted, each share with its interval."""
        found = tallied(games_of(request.who, campaigns_of(request.who)))
        return Response(TallyTableSerializer(tables(found, request.who), many=True).data)


def _valid(kind: type[serializers.Serializer], request: Request) -> dict[str, Any]:
    told = kind(data=request.data)
    told.is_valid(raise_exception=True)
    return told.validated_data


def _values(told: dict[str, Any]) -> dict[str, Any]:
    def pair(name: str) -> dict[str, Any]:
        return {side: told[name].get(side) or 0 for side in "AB"}

    return {
        "ending": told["ending"],
        "removed": {side: tuple(told["removed"].get(side) or ()) for side in "AB"},
        "escaped": tuple(told["escaped"]),
        "crossings": {side: n for side, n in pair("crossings").items() if n},
        "mounds": tuple((row["A"], row["B"]) for row in told["mounds"]),
        "ablaze": told["ablaze"],
        "spent": pair("spent"),
        "silent": {side: tuple(told["silent"].get(side) or ()) for side in "AB"},
        "played_on": told.get("played_on"),
    }
