"""Musters as JSON: the same data, services and refusals as the pages."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

import dataclass_json
from campaign.models import Campaign
from heraldry import Arms
from musters import home_items, permissions, sealed_dice, services, vp_payments
from musters.core.army_json import ArmyShape, army_to_json
from musters.core.codec import SentAgreement, SentAnswer, SentFinish, SentKeep, SentReroll, SentUndo, SentWord
from musters.display import Roster
from musters.models import Muster
from musters.quick_army.army_request import MAX_LOYALTY, MAX_REBELS, QuickArmyRequest, army_with_roster
from musters.wizard.display import wizard_display
from pages.api.answer_schema import answer_schema
from pages.api.typed_fields import TypedJSONField
from pages.api_pagination import MAX_ROWS, PAGE_PARAMETERS, paginate_rows
from rulebook.odds_and_situations_json import to_json


class QuickSerializer(serializers.Serializer):
    loyalty = serializers.IntegerField(min_value=-MAX_LOYALTY, max_value=MAX_LOYALTY, default=0)
    lost = serializers.ListField(child=serializers.IntegerField(min_value=1, max_value=4), default=list, max_length=4)
    siege = serializers.ChoiceField(["attacker", "defender"], default=None, allow_null=True)
    rebels = serializers.IntegerField(min_value=0, max_value=MAX_REBELS, default=0)
    words = serializers.ListField(child=serializers.CharField(max_length=40), default=list, max_length=4)


class BeginSerializer(serializers.Serializer):
    campaign = serializers.SlugField()
    battle = serializers.IntegerField(min_value=1, max_value=10**6)
    kingdom = serializers.SlugField(max_length=8)


def _schema(kind: type) -> dict[str, object]:
    """The request of an act, from the dataclass that reads it."""
    return {"application/json": dataclass_json.schema(kind)}


class MusterStageSerializer(serializers.Serializer):
    name = serializers.CharField()
    state = serializers.ChoiceField(["done", "now", "next", "silent", "lost"])
    unit = serializers.CharField(allow_null=True)
    total = serializers.IntegerField(allow_null=True, help_text="of its muster roll")


class MusterFaceSerializer(serializers.Serializer):
    face = serializers.IntegerField()
    brings = serializers.CharField()


class MusterChoiceSerializer(serializers.Serializer):
    key = serializers.CharField()
    title = serializers.CharField()
    text = serializers.CharField()


class MusterQuestionSerializer(serializers.Serializer):
    token = serializers.CharField(help_text="names the question in the answer")
    kind = serializers.CharField()
    who = serializers.CharField()
    title = serializers.CharField()
    text = serializers.CharField()
    die = serializers.BooleanField(help_text="answer with the face of a d10, or null to let the site roll")
    faces = MusterFaceSerializer(many=True)
    choices = MusterChoiceSerializer(many=True, help_text="or answer with the key of one of these")


class MusterRollSerializer(serializers.Serializer):
    die = serializers.IntegerField(allow_null=True)
    text = serializers.CharField()


class SealedWordsSerializer(serializers.Serializer):
    mine = serializers.BooleanField()
    theirs = serializers.BooleanField()


# Arms are written as their blazon.
ROSTER = answer_schema(Roster, {Arms: {"type": "string"}})


class MusterSerializer(serializers.Serializer):
    code = serializers.CharField()
    campaign = serializers.CharField()
    battle = serializers.IntegerField()
    kingdom = serializers.CharField()
    dice = serializers.ChoiceField(Muster.Dice.choices, help_text="who rolls")
    loyalty = serializers.IntegerField()
    vp = serializers.IntegerField()
    stages = MusterStageSerializer(many=True)
    question = MusterQuestionSerializer(allow_null=True)
    fell = MusterRollSerializer(many=True, help_text="what the last act rolled")
    changed = serializers.ListField(child=serializers.CharField(), help_text="in the campaign since it began")
    words_in = SealedWordsSerializer(allow_null=True)
    token = serializers.CharField(help_text="of the last answer, to undo it")
    taken = serializers.BooleanField(help_text="the army is in the chronicle")
    roster = TypedJSONField(ROSTER, allow_null=True)


class ArmySerializer(serializers.Serializer):
    code = serializers.CharField()
    army = TypedJSONField(answer_schema(ArmyShape))
    roster = TypedJSONField(ROSTER)


def roster_json(roster: Roster) -> dict[str, object]:
    """The roster with arms as blazons."""
    kept = to_json(_without_arms(roster))
    for line, unit in zip(kept["units"], roster.units, strict=True):
        line["arms"] = unit.arms.blazon() if unit.arms else None
    kept["arms"] = roster.arms.blazon() if roster.arms else None
    return kept


def _without_arms(roster: Roster) -> Roster:
    return replace(roster, arms=None, units=tuple(replace(unit, arms=None) for unit in roster.units))


def muster_json(muster: Muster, request: Request) -> dict[str, Any]:
    state = permissions.state_of(muster.campaign)
    permissions.require_viewer(state, muster, request.who)
    display = wizard_display(muster, request.who, state)
    question = display.question
    return {
        "code": display.code,
        "campaign": display.campaign_code,
        "battle": display.battle,
        "kingdom": display.kingdom,
        "dice": display.dice,
        "loyalty": display.loyalty,
        "vp": display.vp,
        "stages": [
            {"name": s.name, "state": s.state, "unit": s.unit.title if s.unit else None, "total": s.total}
            for s in display.stages
        ],
        "question": {
            "token": question.token,
            "kind": question.kind,
            "who": question.who,
            "title": question.title,
            "text": question.text,
            "die": question.die,
            "faces": [{"face": one.face, "brings": one.brings} for one in question.keys],
            "choices": [{"key": c.key, "title": c.title, "text": c.text} for c in question.choices],
        }
        if question
        else None,
        "fell": [{"die": one.die, "text": one.text} for one in display.last_steps],
        "changed": list(display.changes),
        "words_in": None
        if display.sealed_words is None
        else {"mine": display.sealed_words.mine is not None, "theirs": display.sealed_words.theirs is not None},
        "token": display.token,
        "taken": display.taken,
        "roster": roster_json(display.roster) if display.roster else None,
    }


def _read_body(kind: type[serializers.Serializer], request: Request) -> dict[str, Any]:
    given = kind(data=request.data)
    given.is_valid(raise_exception=True)
    return given.validated_data


class QuickArmyView(APIView):
    needs_no_log_in = ("POST",)

    @extend_schema(request=QuickSerializer, responses={201: ArmySerializer}, operation_id="musters_quick")
    def post(self, request: Request) -> Response:
        """Roll a quick army. Nothing is stored: its code recreates it."""
        recipe, roster = army_with_roster(QuickArmyRequest.read(_read_body(QuickSerializer, request)).code())
        return Response(
            {"code": recipe.code, "army": army_to_json(recipe.army), "roster": roster_json(roster)}, status=201
        )


class ArmyByCodeView(APIView):
    needs_no_log_in = ("GET",)

    @extend_schema(responses=ArmySerializer, operation_id="musters_by_code")
    def get(self, request: Request, code: str) -> Response:
        """The army of a code, with its roster. A refusal says where a typing mistake is."""
        recipe, roster = army_with_roster(code)
        return Response({"code": recipe.code, "army": army_to_json(recipe.army), "roster": roster_json(roster)})


class OpenSideSerializer(serializers.Serializer):
    """One side of an open battle, mustered or not."""

    campaign = serializers.CharField(source="campaign.code")
    battle = serializers.IntegerField(source="battle.number")
    kingdom = serializers.CharField(source="realm.id")
    name = serializers.CharField(source="realm.name")
    place = serializers.CharField()
    mine = serializers.BooleanField()
    is_mustered = serializers.BooleanField()
    muster = serializers.CharField(
        source="muster.code", default=None, allow_null=True, help_text="code of the muster, once it has begun"
    )


class BeginMusterView(APIView):
    @extend_schema(
        parameters=list(PAGE_PARAMETERS), responses=OpenSideSerializer(many=True), operation_id="musters_open"
    )
    def get(self, request: Request) -> Response:
        """The sides of the open battles in your campaigns, and their musters."""
        sides = home_items.open_sides(request.who) if request.who.is_known else []
        return paginate_rows(
            request,
            sides,
            lambda side: f"{side.campaign.code}/{side.battle.number}/{side.realm.id}",
            lambda found: OpenSideSerializer(found, many=True).data,
            most=MAX_ROWS,
        )

    @extend_schema(request=BeginSerializer, responses={201: MusterSerializer}, operation_id="musters_begin")
    def post(self, request: Request) -> Response:
        """Begin the muster of one side of an open battle, or return the existing one."""
        given = _read_body(BeginSerializer, request)
        rows = Campaign.objects.visible_to(request.who).select_related("log", "snapshot")
        campaign = get_object_or_404(rows, code=given["campaign"])
        muster = services.begin_muster(request.who, campaign, given["battle"], given["kingdom"])
        muster.campaign = campaign
        return Response(muster_json(permissions.get_again(muster), request), status=201)


class MusterView(APIView):
    @extend_schema(responses=MusterSerializer, operation_id="musters_show")
    def get(self, request: Request, code: str) -> Response:
        """A muster: the open question, or the army."""
        return Response(muster_json(permissions.get_muster(request.who, code), request))


class MusterActView(APIView):
    """One act on a muster; responds with the muster after it."""

    def done(self, request: Request, muster: Muster) -> Response:
        return Response(muster_json(permissions.get_again(muster), request))


class AnswerView(MusterActView):
    @extend_schema(request=_schema(SentAnswer), responses=MusterSerializer, operation_id="musters_step")
    def post(self, request: Request, code: str) -> Response:
        """Answer the question: a typed die, a choice, or null to let the site roll."""
        found = permissions.get_muster(request.who, code)
        sent = dataclass_json.read(SentAnswer, request.data)
        if isinstance(sent.answer, str) and sent.answer in vp_payments.PAID_CHOICES:
            vp_payments.buy_choice(found, request.who, key=sent.key, question=sent.question, value=sent.answer)
        else:
            services.submit_answer(found, request.who, key=sent.key, question=sent.question, value=sent.answer)
        return self.done(request, found)


class RerollView(MusterActView):
    @extend_schema(request=_schema(SentReroll), responses=MusterSerializer, operation_id="musters_again")
    def post(self, request: Request, code: str) -> Response:
        """Re-roll the last die for 1 VP."""
        found = permissions.get_muster(request.who, code)
        sent = dataclass_json.read(SentReroll, request.data)
        vp_payments.buy_reroll(found, request.who, key=sent.key, question=sent.question, roll=sent.roll)
        return self.done(request, found)


class SealedWordView(MusterActView):
    @extend_schema(request=_schema(SentWord), responses=MusterSerializer, operation_id="musters_word")
    def post(self, request: Request, code: str) -> Response:
        """Enter a word for sealed dice."""
        found = permissions.get_muster(request.who, code)
        sent = dataclass_json.read(SentWord, request.data)
        if sent.absent:
            sealed_dice.draw_word_for_absent(found, request.who)
        else:
            sealed_dice.give_word(found, request.who, sent.word)
        return self.done(request, found)


class KeepRollView(MusterActView):
    @extend_schema(request=_schema(SentKeep), responses=MusterSerializer, operation_id="musters_keep")
    def post(self, request: Request, code: str) -> Response:
        """Choose which roll of a re-rolled die counts."""
        found = permissions.get_muster(request.who, code)
        sent = dataclass_json.read(SentKeep, request.data)
        services.keep_roll(found, request.who, key=sent.key, question=sent.question, value=sent.roll)
        return self.done(request, found)


class UndoView(MusterActView):
    @extend_schema(request=_schema(SentUndo), responses=MusterSerializer, operation_id="musters_undo")
    def post(self, request: Request, code: str) -> Response:
        """Undo the last answer; of an army that counts already, the last die that somebody typed."""
        found = permissions.get_muster(request.who, code)
        sent = dataclass_json.read(SentUndo, request.data)
        vp_payments.undo(found, request.who, key=sent.key, question=sent.question)
        return self.done(request, found)


class AcceptChangesView(MusterActView):
    @extend_schema(request=_schema(SentAgreement), responses=MusterSerializer, operation_id="musters_agree")
    def post(self, request: Request, code: str) -> Response:
        """After the campaign changed: go on with the old values, or start again with the new ones."""
        found = permissions.get_muster(request.who, code)
        sent = dataclass_json.read(SentAgreement, request.data)
        services.accept_changes(found, request.who, key=sent.key, anew=sent.anew)
        return self.done(request, found)


class FinishMusterView(MusterActView):
    @extend_schema(request=_schema(SentFinish), responses=MusterSerializer, operation_id="musters_take")
    def post(self, request: Request, code: str) -> Response:
        """Add the finished army to the chronicle."""
        found = permissions.get_muster(request.who, code)
        vp_payments.finish_muster(found, request.who, key=dataclass_json.read(SentFinish, request.data).key)
        return self.done(request, found)
