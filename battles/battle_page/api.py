"""What one can do on a battle's page: start it, call it off, reopen it, answer a report, hand out its link."""

from __future__ import annotations

from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from battles import services
from battles.api import BattleDisplaySerializer, BattleEffectSerializer
from battles.display import battle_display
from battles.new_battle import services as new_battle_services
from battles.permissions import permissions_of, require_permission
from battles.result import approval_display, confirm_on_phone
from battles.result.reporter_in_session import get_reporter
from battles.selectors import get_visible_battle
from pages.api_parsers import read_body
from people.api_tokens.scopes import PLAY
from people.models import Person
from people.passes.shown_secrets import link_address


class BattleKeySerializer(serializers.Serializer):
    key = serializers.CharField(max_length=80)


class ReportVersionSerializer(serializers.Serializer):
    number = serializers.IntegerField()
    by = serializers.CharField()
    why = serializers.CharField()
    outcome = serializers.CharField()
    effects = BattleEffectSerializer(many=True)
    digest = serializers.CharField(help_text="send it as seen, so that you confirm what you have read")
    approved_by = serializers.ListField(child=serializers.CharField())


class ApproverSerializer(serializers.Serializer):
    person = serializers.CharField(source="person.code")
    name = serializers.CharField(source="person.name")
    versions = serializers.ListField(child=serializers.IntegerField())


class PendingReportSerializer(serializers.Serializer):
    petition = serializers.IntegerField(source="approval.pk")
    disputed = serializers.BooleanField()
    versions = ReportVersionSerializer(many=True)
    missing = serializers.ListField(child=serializers.CharField(), help_text="who still has to confirm")
    approvers = ApproverSerializer(many=True, help_text="who can confirm with this token")
    final_on = serializers.DateTimeField(allow_null=True)
    problem = serializers.CharField()


class AnswerSerializer(BattleKeySerializer):
    report_as = serializers.CharField(max_length=16, help_text="code of the person who confirms")
    version = serializers.IntegerField(min_value=0)
    seen = serializers.CharField(max_length=64, default="", allow_blank=True, help_text="digest of the version")


class BattleLinkSerializer(serializers.Serializer):
    address = serializers.CharField(help_text="whoever has it can follow and edit the battle")


def _shown(request: Request, code: str) -> Response:
    battle, state = get_visible_battle(request.who, code)
    return Response(BattleDisplaySerializer(battle_display(battle, state)).data)


class StartBattle(APIView):
    @extend_schema(request=BattleKeySerializer, responses=BattleDisplaySerializer, operation_id="battles_start")
    def post(self, request: Request, code: str) -> Response:
        """The battle is on the table."""
        battle, _ = get_visible_battle(request.who, code)
        services.start_battle(battle, request.who, **read_body(BattleKeySerializer, request))
        return _shown(request, code)


class CallOffBattle(APIView):
    @extend_schema(request=BattleKeySerializer, responses=BattleDisplaySerializer, operation_id="battles_call_off")
    def post(self, request: Request, code: str) -> Response:
        """Call a battle off."""
        battle, _ = get_visible_battle(request.who, code)
        services.call_off_battle(battle, request.who, **read_body(BattleKeySerializer, request))
        return _shown(request, code)


class ReopenBattle(APIView):
    @extend_schema(request=BattleKeySerializer, responses=BattleDisplaySerializer, operation_id="battles_reopen")
    def post(self, request: Request, code: str) -> Response:
        """Reopen a standalone battle that was finished."""
        battle, _ = get_visible_battle(request.who, code)
        services.reopen_battle(battle, request.who, **read_body(BattleKeySerializer, request))
        return _shown(request, code)


class PendingReport(APIView):
    @extend_schema(responses=PendingReportSerializer, operation_id="battles_pending_report")
    def get(self, request: Request, code: str) -> Response:
        """The report that awaits confirmation, its versions and who can confirm; 404 if there is none."""
        battle, state = get_visible_battle(request.who, code)
        if state is None or battle.is_over:
            raise Http404
        can_answer = permissions_of(battle, request.who, state).report
        found = approval_display.pending_report_of(battle, state, request.who, can_answer=can_answer)
        if found is None:
            raise Http404
        return Response(PendingReportSerializer(found).data)

    @extend_schema(request=AnswerSerializer, responses=BattleDisplaySerializer, operation_id="battles_answer")
    def post(self, request: Request, code: str) -> Response:
        """Confirm a version of the report, for yourself or for a captain who is with you. Dispute it at petitions/."""
        battle, state = get_visible_battle(request.who, code)
        if state is None:
            raise Http404
        require_permission(permissions_of(battle, request.who, state).report, battle)
        sent = read_body(AnswerSerializer, request)
        if not services.was_already_sent(battle, sent["key"]):
            people = Person.objects.select_related("merged_into")
            confirm_on_phone.approve_version(
                battle,
                state,
                request.who,
                key=sent["key"],
                version=sent["version"],
                seen=sent["seen"],
                as_person=get_object_or_404(people, code=sent["report_as"]).root,
                phone=get_reporter(request._request, battle),
            )
        return _shown(request, code)


class BattleLink(APIView):
    scopes = {"GET": PLAY}  # whoever has it can play

    @extend_schema(responses=BattleLinkSerializer, operation_id="battles_link")
    def get(self, request: Request, code: str) -> Response:
        """The link to a standalone battle, for its players."""
        battle, state = get_visible_battle(request.who, code)
        if battle.campaign_id is not None:
            raise Http404
        require_permission(permissions_of(battle, request.who, state).master, battle)
        link = new_battle_services.find_edit_pass(battle)
        if link is None:
            raise Http404
        return Response({"address": link_address(request._request, link)})
