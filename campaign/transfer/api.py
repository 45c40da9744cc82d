"""A campaign's file over the API: out in one go; in by three calls, so that nothing comes in unseen."""

from __future__ import annotations

import json

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from campaign import arriving, carrying
from campaign.annals import parcel
from campaign.api import CampaignRowSerializer, visible
from campaign.models import Campaign
from refusal import Refusal


class FilePersonSerializer(serializers.Serializer):
    number = serializers.IntegerField()
    name = serializers.CharField()
    is_master = serializers.BooleanField()
    rules = serializers.ListField(child=serializers.CharField())


class DifferenceSerializer(serializers.Serializer):
    number = serializers.IntegerField()
    tale = serializers.CharField()
    sentence = serializers.CharField()


class ArrivalSerializer(serializers.Serializer):
    state = serializers.CharField(help_text="queued, running, done, failed")
    job = serializers.IntegerField()
    error = serializers.CharField()
    name = serializers.CharField(required=False)
    entries = serializers.IntegerField(required=False)
    is_edited = serializers.BooleanField(required=False)
    other_rules = serializers.BooleanField(required=False)
    people = FilePersonSerializer(many=True, required=False)
    differences = DifferenceSerializer(many=True, required=False)
    more = serializers.IntegerField(required=False, help_text="differences beyond those listed")


class TakeInSerializer(serializers.Serializer):
    key = serializers.CharField(max_length=80)
    me = serializers.IntegerField(required=False, allow_null=True, help_text="number of the person in the file")


class Export(APIView):
    @extend_schema(responses=OpenApiTypes.OBJECT, operation_id="campaigns_export")
    def get(self, request: Request, code: str) -> Response:
        """The whole campaign as one file, for its members."""
        campaign = visible(request, code)
        if not Campaign.objects.of(request.who).filter(pk=campaign.pk).exists():
            raise Refusal("Only members of this campaign take its files.", status=403)
        return Response(json.loads(parcel.written(carrying.contents(campaign))))


class Arrivals(APIView):
    @extend_schema(request=OpenApiTypes.OBJECT, responses={202: ArrivalSerializer}, operation_id="campaigns_send_file")
    def post(self, request: Request) -> Response:
        """Send a campaign's file. A job looks it through; nothing is imported yet."""
        person = _person(request)
        raw = json.dumps(request.data, ensure_ascii=False).encode()
        arriving.lay_down(person, "sent over the API", raw)
        return Response(_arrival(request), status=202)

    @extend_schema(responses=ArrivalSerializer, operation_id="campaigns_arrival")
    def get(self, request: Request) -> Response:
        """What the file that was sent holds, and what is odd about it."""
        return Response(_arrival(request))


class TakeIn(APIView):
    @extend_schema(request=TakeInSerializer, responses={201: CampaignRowSerializer}, operation_id="campaigns_take_in")
    def post(self, request: Request) -> Response:
        """Take in the file that was sent, as a campaign of its own. The same key takes it in once."""
        person = _person(request)
        given = TakeInSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        found = arriving.waiting(person)
        if found is None:
            raise Refusal("No file waits. Send one first.", status=404)
        me = given.validated_data.get("me")
        campaign = carrying.take_in(request.who, found.arrival(), key=given.validated_data["key"], me=me)
        arriving.put_away(person)
        return Response(CampaignRowSerializer(campaign).data, status=201)


def _person(request: Request):
    return request.who.must_be_known()


def _arrival(request: Request) -> dict:
    found = arriving.waiting(_person(request))
    if found is None or found.job is None:
        raise Refusal("No file waits. Send one first.", status=404)
    answer = {"state": found.job.state, "job": found.job.pk, "error": found.job.error}
    if not found.is_looked_through:
        return answer
    held = found.arrival()
    return answer | {
        "name": held.name,
        "entries": len(held.lines),
        "is_edited": held.is_edited,
        "other_rules": held.other_rules,
        "people": FilePersonSerializer(held.people, many=True).data,
        "differences": DifferenceSerializer(held.differences, many=True).data,
        "more": found.more,
    }
