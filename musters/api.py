"""Musters as JSON: the same sheets, doors and refusals as the pages."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from campaign.models import Campaign
from musters import door, may, paying, sealing
from musters.models import Muster
from musters.quick import LOYALTY_MOST, REBELS_MOST, QuickCall, army_sheet
from musters.rolls.plain import army_json
from musters.sheet import Roster
from musters.wizard import wizard_sheet
from rulebook.plain import plain


class QuickSerializer(serializers.Serializer):
    loyalty = serializers.IntegerField(min_value=-LOYALTY_MOST, max_value=LOYALTY_MOST, default=0)
    lost = serializers.ListField(child=serializers.IntegerField(min_value=1, max_value=4), default=list, max_length=4)
    siege = serializers.ChoiceField(["attacker", "defender"], default=None, allow_null=True)
    rebels = serializers.IntegerField(min_value=0, max_value=REBELS_MOST, default=0)
    words = serializers.ListField(child=serializers.CharField(max_length=40), default=list, max_length=4)


class BeginSerializer(serializers.Serializer):
    campaign = serializers.SlugField()
    battle = serializers.IntegerField(min_value=1, max_value=10**6)
    kingdom = serializers.SlugField(max_length=8)


class StepSerializer(serializers.Serializer):
    key = serializers.CharField(max_length=80)
    question = serializers.CharField(max_length=80, help_text="the token of the question that was seen")
    answer = serializers.JSONField(
        default=None,
        allow_null=True,
        help_text="a d10 where dice are typed, the key of a choice, or null: the service throws",
    )


class AgainSerializer(serializers.Serializer):
    key = serializers.CharField(max_length=80)
    question = serializers.CharField(max_length=80)
    roll = serializers.IntegerField(default=None, allow_null=True, min_value=-10, max_value=100)


class WordSerializer(serializers.Serializer):
    word = serializers.CharField(max_length=200, default="", allow_blank=True)
    absent = serializers.BooleanField(default=False, help_text="draw the word of the other captain, who is away")


class TakeSerializer(serializers.Serializer):
    key = serializers.CharField(max_length=80)


def roster_json(roster: Roster) -> dict[str, Any]:
    """The roster as it is, arms by their blazon."""
    kept = plain(_bare(roster))
    for line, unit in zip(kept["units"], roster.units, strict=True):
        line["arms"] = unit.arms.blazon() if unit.arms else None
    kept["arms"] = roster.arms.blazon() if roster.arms else None
    return kept


def _bare(roster: Roster) -> Roster:
    return replace(roster, arms=None, units=tuple(replace(unit, arms=None) for unit in roster.units))


def muster_json(muster: Muster, request: Request) -> dict[str, Any]:
    state = may.state_of(muster.campaign)
    may.see(state, muster, request.who)
    sheet = wizard_sheet(muster, request.who, state)
    asked = sheet.asked
    return {
        "code": sheet.code,
        "campaign": sheet.campaign_code,
        "battle": sheet.battle,
        "kingdom": sheet.kingdom,
        "dice": sheet.dice,
        "loyalty": sheet.loyalty,
        "vp": sheet.vp,
        "stages": [{"name": s.name, "state": s.state, "unit": s.unit.title if s.unit else None, "total": s.total} for s in sheet.stages],
        "question": {
            "token": asked.token, "kind": asked.kind, "who": asked.who, "title": asked.title, "text": asked.text, "die": asked.die,
            "faces": [{"face": one.face, "brings": one.brings} for one in asked.keys],
            "choices": [{"key": c.key, "title": c.title, "text": c.text} for c in asked.choices],
        } if asked else None,
        "fell": [{"die": one.die, "text": one.text} for one in sheet.fell],
        "changed": list(sheet.changed),
        "words_in": None if sheet.seal is None else {"mine": sheet.seal.mine is not None, "theirs": sheet.seal.theirs is not None},
        "token": sheet.token,
        "taken": sheet.taken,
        "roster": roster_json(sheet.roster) if sheet.roster else None,
    }  # fmt: skip


def _given(kind: type[serializers.Serializer], request: Request) -> dict[str, Any]:
    given = kind(data=request.data)
    given.is_valid(raise_exception=True)
    return given.validated_data


class Quick(APIView):
    @extend_schema(request=QuickSerializer, responses={201: OpenApiTypes.OBJECT}, operation_id="musters_quick")
    def post(self, request: Request) -> Response:
        """An army at once, for anybody. Nothing is stored; its code gives it again."""
        recipe, roster = army_sheet(QuickCall.read(_given(QuickSerializer, request)).code())
        return Response(
            {"code": recipe.code, "army": army_json(recipe.army), "roster": roster_json(roster)}, status=201
        )


class ByCode(APIView):
    @extend_schema(responses=OpenApiTypes.OBJECT, operation_id="musters_by_code")
    def get(self, request: Request, code: str) -> Response:
        """The army of a code, with its roster. A typing mistake is answered with a sentence that says where it is."""
        recipe, roster = army_sheet(code)
        return Response({"code": recipe.code, "army": army_json(recipe.army), "roster": roster_json(roster)})


class Begin(APIView):
    @extend_schema(request=BeginSerializer, responses={201: OpenApiTypes.OBJECT}, operation_id="musters_begin")
    def post(self, request: Request) -> Response:
        """Begin the muster of one side of an open battle, or find the one that was begun."""
        given = _given(BeginSerializer, request)
        rows = Campaign.objects.visible_to(request.who).select_related("log", "snapshot")
        campaign = get_object_or_404(rows, code=given["campaign"])
        muster = door.begin(request.who, campaign, given["battle"], given["kingdom"])
        return Response(muster_json(may.found(request.who, muster.code), request), status=201)


class Detail(APIView):
    @extend_schema(responses=OpenApiTypes.OBJECT, operation_id="musters_show")
    def get(self, request: Request, code: str) -> Response:
        """A muster: the question that is open, or the army."""
        return Response(muster_json(may.found(request.who, code), request))


class Step(APIView):
    """One act on a muster; the answer is the muster as it stands then."""

    def done(self, request: Request, code: str) -> Response:
        return Response(muster_json(may.found(request.who, code), request))


class Steps(Step):
    @extend_schema(request=StepSerializer, responses=OpenApiTypes.OBJECT, operation_id="musters_step")
    def post(self, request: Request, code: str) -> Response:
        """Answer the question: a typed die, a choice, or null for the service's dice."""
        found = may.found(request.who, code)
        given = _given(StepSerializer, request)
        answer = given.pop("answer")
        if isinstance(answer, str) and answer in paying.CHOICES:
            paying.buy(found, request.who, **given, value=answer)
        else:
            door.step(found, request.who, **given, value=answer)
        return self.done(request, code)


class Again(Step):
    @extend_schema(request=AgainSerializer, responses=OpenApiTypes.OBJECT, operation_id="musters_again")
    def post(self, request: Request, code: str) -> Response:
        """The last die once more for 1 VP of the chronicle."""
        found = may.found(request.who, code)
        paying.again(found, request.who, **_given(AgainSerializer, request))
        return self.done(request, code)


class Words(Step):
    @extend_schema(request=WordSerializer, responses=OpenApiTypes.OBJECT, operation_id="musters_word")
    def post(self, request: Request, code: str) -> Response:
        """A captain's word for sealed dice."""
        found = may.found(request.who, code)
        given = _given(WordSerializer, request)
        if given["absent"]:
            sealing.draw_for_absent(found, request.who)
        else:
            sealing.give(found, request.who, given["word"])
        return self.done(request, code)


class Take(Step):
    @extend_schema(request=TakeSerializer, responses=OpenApiTypes.OBJECT, operation_id="musters_take")
    def post(self, request: Request, code: str) -> Response:
        """Write the finished army into the chronicle."""
        found = may.found(request.who, code)
        paying.take(found, request.who, **_given(TakeSerializer, request))
        return self.done(request, code)
