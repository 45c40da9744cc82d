"""Approvals as JSON, with the same checks and refusals as the pages."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from campaign import selectors as campaign_selectors
from campaign.api import ApprovalRowSerializer, EffectSerializer, EntryAnswerSerializer, any_act_body, entry_answer
from campaign.approvals import services
from campaign.approvals.display import build_approval_display
from campaign.display import build_campaign_display
from pages.api.typed_fields import TypedDictField
from pages.api_pagination import PAGE_PARAMETERS, paginate_rows
from refusal import Refusal


class ApprovalVersionSerializer(serializers.Serializer):
    number = serializers.IntegerField()
    by = serializers.CharField()
    for_whom = serializers.CharField()
    tale = serializers.CharField(source="sentence")
    effects = EffectSerializer(many=True)
    played_on = serializers.DateField()
    why = serializers.CharField()
    digest = serializers.CharField()
    agreed = serializers.ListField(child=serializers.CharField())
    refusal = serializers.CharField()


class ApprovalSerializer(ApprovalRowSerializer):
    """The row, and the rest of its page."""

    act = serializers.CharField()
    entry = serializers.IntegerField(allow_null=True)
    stands_at = serializers.DateTimeField(allow_null=True)
    decides = serializers.CharField()
    versions = ApprovalVersionSerializer(many=True)
    may_answer = serializers.BooleanField(source="can_answer")
    may_decide = serializers.BooleanField(source="can_decide")
    may_withdraw = serializers.BooleanField(source="can_withdraw")


class ApprovalAnswerSerializer(serializers.Serializer):
    key = serializers.CharField(max_length=80)
    do = serializers.ChoiceField(["yes", "no", "back"])
    version = serializers.IntegerField(min_value=0, default=0)
    seen = serializers.CharField(max_length=64, required=False, help_text="digest of the version you saw")
    reason = serializers.CharField(max_length=500, default="", allow_blank=True, help_text="why you dispute it")
    body = TypedDictField(any_act_body, required=False, help_text="your own version of the report")
    person = serializers.CharField(
        max_length=20, required=False, help_text="code of the person who answers, if not the owner of this phone"
    )
    accept_late = serializers.BooleanField(default=False)


class Approvals(APIView):
    @extend_schema(
        parameters=list(PAGE_PARAMETERS), responses=ApprovalRowSerializer(many=True), operation_id="petitions_list"
    )
    def get(self, request: Request, code: str) -> Response:
        """Reports and corrections awaiting approval."""
        display = build_campaign_display(campaign_selectors.get_visible_campaign(request.who, code), request.who)
        return paginate_rows(
            request,
            display.approvals,
            lambda row: row.pk,
            lambda found: ApprovalRowSerializer(found, many=True).data,
        )


class ApprovalDetail(APIView):
    @extend_schema(responses=ApprovalSerializer, operation_id="petitions_show")
    def get(self, request: Request, code: str, pk: int) -> Response:
        """One approval, with every version and who decides."""
        row = services.get_visible_approval(request.who, code, pk)
        display = build_approval_display(row, request.who)
        sources = [field.source for field in ApprovalSerializer().fields.values()]
        own = {name: getattr(display, name) for name in sources if hasattr(display, name)}
        rest = {name: getattr(display.row, name) for name in ApprovalRowSerializer().fields}
        return Response(ApprovalSerializer({**rest, **own}).data)

    @extend_schema(request=ApprovalAnswerSerializer, responses=EntryAnswerSerializer, operation_id="petitions_answer")
    def post(self, request: Request, code: str, pk: int) -> Response:
        """Approve, dispute or withdraw. The answer has the entry number if one was written."""
        row = services.get_visible_approval(request.who, code, pk)
        given = ApprovalAnswerSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        data = given.validated_data
        person = services.find_speaker(str(data["person"])) if "person" in data else None
        if data["do"] == "yes":
            seen, late = data.get("seen"), data["accept_late"]
            done = services.approve(
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
                raise Refusal("You can only dispute on your own phone.", field="person")
            own = services.read_own_version(row, data["body"]) if "body" in data else None
            done = services.dispute(row, request.who, key=data["key"], reason=data["reason"], own_act=own)
        else:
            done = services.withdraw(row, request.who, key=data["key"])
        return Response(entry_answer(row.act, done))
