"""Campaigns as JSON, with the same checks and refusals as the pages."""

from __future__ import annotations

from typing import Any

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from campaign import selectors, services
from campaign.approvals import services as approvals_services
from campaign.chronicle import codec
from campaign.chronicle.acts.registry import list_acts
from campaign.chronicle.acts.war import ReportResult
from campaign.display import build_campaign_display
from campaign.founding import services as founding_services
from campaign.models import Campaign
from dataclass_json import Schema
from pages.number_parsing import parse_int


class MemberSerializer(serializers.Serializer):
    name = serializers.CharField(source="person.name")
    role = serializers.CharField()
    rules = serializers.ListField(child=serializers.CharField())


class EffectSerializer(serializers.Serializer):
    text = serializers.CharField()
    why = serializers.CharField()
    kingdom = serializers.CharField()


class EntryRowSerializer(serializers.Serializer):
    number = serializers.IntegerField()
    act = serializers.CharField()
    tale = serializers.CharField(source="sentence")
    actor = serializers.CharField()
    confirmed = serializers.CharField()
    effects = EffectSerializer(many=True)
    played_on = serializers.DateField()
    entered_at = serializers.DateTimeField()
    is_struck = serializers.BooleanField()


class HouseSerializer(serializers.Serializer):
    number = serializers.IntegerField()
    name = serializers.CharField()
    lost = serializers.BooleanField()


class KingdomSerializer(serializers.Serializer):
    id = serializers.CharField()
    name = serializers.CharField()
    ruler = serializers.CharField()
    regent = serializers.CharField()
    status = serializers.CharField()
    loyalty = serializers.IntegerField()
    vp = serializers.IntegerField()
    holds = serializers.IntegerField()
    houses = HouseSerializer(many=True)


class BattleSerializer(serializers.Serializer):
    number = serializers.IntegerField()
    attacker = serializers.CharField()
    defender = serializers.CharField()
    target = serializers.CharField()
    place = serializers.CharField()


class ApprovalRowSerializer(serializers.Serializer):
    pk = serializers.IntegerField()
    url = serializers.CharField()
    title = serializers.CharField()
    text = serializers.CharField()
    stage = serializers.CharField()
    waits_for = serializers.ListField(child=serializers.CharField())
    asks_me = serializers.BooleanField()
    trouble = serializers.CharField()


class CampaignRowSerializer(serializers.ModelSerializer):
    class Meta:
        model = Campaign
        fields = ["code", "name", "visibility", "founded_at"]


class CampaignDetailSerializer(serializers.Serializer):
    code = serializers.CharField()
    name = serializers.CharField()
    visibility = serializers.CharField()
    version = serializers.IntegerField()
    season = serializers.CharField()
    winner = serializers.CharField()
    kingdoms = KingdomSerializer(many=True)
    battles = BattleSerializer(many=True)
    petitions = ApprovalRowSerializer(many=True, source="approvals")
    members = MemberSerializer(many=True)
    lines = EntryRowSerializer(many=True, source="entries")
    length = serializers.IntegerField()
    older = serializers.IntegerField()
    may_write = serializers.BooleanField(source="can_write")
    may_run = serializers.BooleanField(source="can_run")
    lead = serializers.CharField()


class FoundCampaignSerializer(serializers.Serializer):
    key = serializers.CharField(max_length=80)
    name = serializers.CharField(max_length=1000)
    visibility = serializers.ChoiceField(Campaign.Visibility.choices, default=Campaign.Visibility.MEMBERS)
    season = serializers.CharField(
        max_length=1000, default="", allow_blank=True, help_text="the name of season 1, which opens at once"
    )


class NoteSerializer(serializers.Serializer):
    key = serializers.CharField(max_length=80)
    text = serializers.CharField(max_length=10000)


class ActSerializer(serializers.Serializer):
    key = serializers.CharField(max_length=80)
    act = serializers.CharField(max_length=40, help_text="one of the acts of a chronicle")
    body = serializers.DictField()
    played_on = serializers.DateField(required=False)
    accept_late = serializers.BooleanField(default=False)


def _act_request() -> dict[str, Schema]:
    """The body of the request for each act, from the fields of its dataclass."""
    rest = {
        "key": {"type": "string", "maxLength": 80},
        "played_on": {"type": "string", "format": "date"},
        "accept_late": {"type": "boolean", "default": False},
    }
    kinds = [
        {
            "title": key,
            "type": "object",
            "properties": {**rest, "act": {"type": "string", "enum": [key]}, "body": codec.act_schema(key)},
            "required": ["key", "act", "body"],
        }
        for key in list_acts()
    ]
    return {"application/json": {"oneOf": kinds}}


class ActsSchema(AutoSchema):
    """Read when the schema is asked for: apps above have registered their acts by then."""

    def get_request_serializer(self) -> Any:
        return _act_request() if self.method == "POST" else super().get_request_serializer()


class EntryAnswerSerializer(serializers.Serializer):
    entry = serializers.IntegerField(allow_null=True)
    effects = serializers.ListField(child=serializers.DictField(), required=False)
    flagged = serializers.ListField(child=serializers.IntegerField(), required=False)
    petition = serializers.IntegerField(required=False, help_text="id of the approval it awaits")
    trouble = serializers.CharField(required=False, help_text="why it was not written although everyone agreed")


class CorrectionSerializer(serializers.Serializer):
    kind = serializers.ChoiceField(["strike", "amend", "restore"])
    target = serializers.IntegerField(min_value=1)
    body = serializers.DictField(required=False)
    choices = serializers.DictField(child=serializers.ChoiceField(["keep", "recompute", "strike"]), default=dict)
    key = serializers.CharField(max_length=80, required=False)
    digest = serializers.CharField(
        max_length=64, required=False, help_text="of the preview; without it you only get the preview"
    )
    why = serializers.CharField(max_length=500, default="", allow_blank=True)


class PreviewSerializer(serializers.Serializer):
    digest = serializers.CharField()
    flags = serializers.ListField(child=serializers.DictField())
    changes = serializers.ListField(child=serializers.DictField())
    entry = serializers.IntegerField(required=False)
    petition = serializers.IntegerField(required=False, help_text="if it needs approval first")


class StateSerializer(serializers.Serializer):
    state = serializers.DictField()


class Campaigns(APIView):
    @extend_schema(responses=CampaignRowSerializer(many=True), operation_id="campaigns_list")
    def get(self, request: Request) -> Response:
        """Your campaigns."""
        return Response(CampaignRowSerializer(Campaign.objects.of(request.who), many=True).data)

    @extend_schema(
        request=FoundCampaignSerializer, responses={201: CampaignRowSerializer}, operation_id="campaigns_found"
    )
    def post(self, request: Request) -> Response:
        """Found a campaign. The same key founds it once."""
        given = FoundCampaignSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        campaign = founding_services.found_campaign(request.who, **given.validated_data)
        return Response(CampaignRowSerializer(campaign).data, status=201)


class CampaignDetail(APIView):
    @extend_schema(responses=CampaignDetailSerializer, operation_id="campaigns_show")
    def get(self, request: Request, code: str) -> Response:
        """One campaign: standings, open battles and the newest entries of its chronicle."""
        return Response(
            CampaignDetailSerializer(
                build_campaign_display(selectors.get_visible_campaign(request.who, code), request.who)
            ).data
        )


class CampaignState(APIView):
    @extend_schema(responses=StateSerializer, operation_id="campaigns_state")
    def get(self, request: Request, code: str, number: int) -> Response:
        """The state after an entry, with all corrections."""
        return Response(
            {"state": selectors.state_at(selectors.get_visible_campaign(request.who, code), number).to_json()}
        )


class Notes(APIView):
    @extend_schema(request=NoteSerializer, responses={201: EntryAnswerSerializer}, operation_id="campaigns_note")
    def post(self, request: Request, code: str) -> Response:
        """Write a note into the chronicle."""
        campaign = selectors.get_visible_campaign(request.who, code)
        given = NoteSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        return Response(services.add_note(campaign, request.who, **given.validated_data), status=201)


class Acts(APIView):
    schema = ActsSchema()

    @extend_schema(responses={201: EntryAnswerSerializer}, operation_id="campaigns_act")
    def post(self, request: Request, code: str) -> Response:
        """Write any act into the chronicle."""
        campaign = selectors.get_visible_campaign(request.who, code)
        given = ActSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        data = given.validated_data
        act = codec.read_sent(data.pop("act"), data.pop("body"))
        if not isinstance(act, ReportResult):
            return Response(services.write(campaign, request.who, act, **data), status=201)
        # A report may need approval first.
        played = data.pop("played_on", None)
        subject = approvals_services.subject_of(act.attacker, act.target, act.battle)
        done = approvals_services.submit_report(campaign, request.who, act, **data, subject=subject, played=played)
        return Response({"entry": None, **done}, status=201)

    @extend_schema(
        responses={200: serializers.ListSerializer(child=serializers.CharField())}, operation_id="campaigns_acts"
    )
    def get(self, request: Request, code: str) -> Response:
        """The acts a chronicle accepts."""
        selectors.get_visible_campaign(request.who, code)
        return Response(list(list_acts()))


class Corrections(APIView):
    @extend_schema(request=CorrectionSerializer, responses=PreviewSerializer, operation_id="campaigns_correct")
    def post(self, request: Request, code: str) -> Response:
        """Preview a correction; with the digest of that preview, confirm it."""
        campaign = selectors.get_visible_campaign(request.who, code)
        given = CorrectionSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        data = given.validated_data
        choices = {at: choice for number, choice in data["choices"].items() if (at := parse_int(number)) is not None}
        seen = services.preview_correction(
            selectors.entries_of(campaign), data["kind"], data["target"], data.get("body"), choices
        )
        answer = {
            "digest": seen.digest,
            "flags": [{"entry": f.number, "refusal": f.refusal, "choices": f.choices} for f in seen.flags],
            "changes": [{"what": c.what, "subject": c.subject, "was": c.was, "now": c.now} for c in seen.changes],
        }
        if data.get("digest"):
            done = approvals_services.submit_correction(
                campaign,
                request.who,
                key=data.get("key", ""),
                kind=data["kind"],
                target=data["target"],
                why=data["why"],
                digest=data["digest"],
                body=data.get("body"),
                choices=choices,
            )
            answer |= {name: done[name] for name in ("entry", "petition") if name in done}
        return Response(answer)
