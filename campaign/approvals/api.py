"""What waits for the word of others, as JSON: the same sheets, doors and refusals as the pages."""

from __future__ import annotations

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from campaign import petitions
from campaign.api import EffectSerializer, EntryAnswerSerializer, PetitionRowSerializer, visible
from campaign.models import Petition
from campaign.petition_sheet import petition_sheet
from campaign.petition_views import someone
from campaign.sheet import campaign_sheet
from refusal import Refusal


class PetitionVersionSerializer(serializers.Serializer):
    number = serializers.IntegerField()
    by = serializers.CharField()
    for_whom = serializers.CharField()
    tale = serializers.CharField()
    effects = EffectSerializer(many=True)
    played_on = serializers.DateField()
    why = serializers.CharField()
    digest = serializers.CharField()
    agreed = serializers.ListField(child=serializers.CharField())
    refusal = serializers.CharField()


class PetitionSerializer(PetitionRowSerializer):
    """The row, and everything its page shows."""

    act = serializers.CharField()
    entry = serializers.IntegerField(allow_null=True)
    stands_at = serializers.DateTimeField(allow_null=True)
    decides = serializers.CharField()
    versions = PetitionVersionSerializer(many=True)
    may_answer = serializers.BooleanField()
    may_decide = serializers.BooleanField()
    may_withdraw = serializers.BooleanField()


class PetitionAnswerSerializer(serializers.Serializer):
    key = serializers.CharField(max_length=80)
    do = serializers.ChoiceField(["yes", "no", "back"])
    version = serializers.IntegerField(min_value=0, default=0)
    seen = serializers.CharField(max_length=64, required=False, help_text="the digest of the version as it was seen")
    reason = serializers.CharField(max_length=500, default="", allow_blank=True, help_text="of an objection")
    body = serializers.DictField(required=False, help_text="an objection's own version of the report")
    person = serializers.IntegerField(required=False, help_text="who says so, if it is said on somebody else's phone")
    accept_late = serializers.BooleanField(default=False)


def found(request: Request, code: str, pk: int) -> Petition:
    campaign = visible(request, code)
    row = get_object_or_404(Petition.objects.visible_to(request.who).filter(campaign=campaign), pk=pk)
    row.campaign = campaign
    return row


class Petitions(APIView):
    @extend_schema(responses=PetitionRowSerializer(many=True), operation_id="petitions_list")
    def get(self, request: Request, code: str) -> Response:
        """Reports and corrections that wait for somebody's word."""
        sheet = campaign_sheet(visible(request, code), request.who)
        return Response(PetitionRowSerializer(sheet.petitions, many=True).data)


class PetitionDetail(APIView):
    @extend_schema(responses=PetitionSerializer, operation_id="petitions_show")
    def get(self, request: Request, code: str, pk: int) -> Response:
        """One of them, with every version and who decides."""
        row = found(request, code, pk)
        sheet = petition_sheet(row, request.who)
        own = {name: getattr(sheet, name) for name in PetitionSerializer().fields if hasattr(sheet, name)}
        rest = {name: getattr(sheet.row, name) for name in PetitionRowSerializer().fields}
        return Response(PetitionSerializer({**rest, **own}).data)

    @extend_schema(request=PetitionAnswerSerializer, responses=EntryAnswerSerializer, operation_id="petitions_answer")
    def post(self, request: Request, code: str, pk: int) -> Response:
        """Say yes or no to it, or take it back. The answer has the entry if it was written."""
        row = found(request, code, pk)
        given = PetitionAnswerSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        data = given.validated_data
        person = someone(str(data["person"])) if "person" in data else None
        if data["do"] == "yes":
            seen, late = data.get("seen"), data["accept_late"]
            done = petitions.consent(
                row,
                request.who,
                key=data["key"],
                version=data["version"],
                as_person=person,
                seen=seen,
                accept_late=late,
            )
        elif data["do"] == "no":
            if person is not None:
                raise Refusal("An objection is made on one's own phone.", field="person")
            done = petitions.object_to(row, request.who, key=data["key"], reason=data["reason"], body=data.get("body"))
        else:
            done = petitions.withdraw(row, request.who, key=data["key"])
        return Response({"entry": None, **done})
