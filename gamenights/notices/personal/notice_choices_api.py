"""What a person wants to hear about, as JSON."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from gamenights.notices.personal import services
from gamenights.notices.personal.models import NoticeChoice, Topic
from people.api_tokens.scopes import RUN


class NoticesSerializer(serializers.Serializer):
    topics = serializers.ListField(child=serializers.ChoiceField(Topic.choices), max_length=len(Topic))
    by_mail = serializers.BooleanField()
    url = serializers.CharField(max_length=500, allow_blank=True, help_text="a webhook of one's own; empty for none")


class MyNotices(APIView):
    scopes = {"PUT": RUN}  # they go to an address outside, whatever becomes of the token

    @extend_schema(responses=NoticesSerializer)
    def get(self, request: Request) -> Response:
        """What you want to hear about, and where."""
        choice = NoticeChoice.objects.filter(person=request.who.require_person()).first() or NoticeChoice()
        return Response(NoticesSerializer(choice).data)

    @extend_schema(request=NoticesSerializer, responses=NoticesSerializer)
    def put(self, request: Request) -> Response:
        """Choose what you want to hear about, and where."""
        request.who.require_person()
        sent = NoticesSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        return Response(NoticesSerializer(services.choose_notices(request.who, **sent.validated_data)).data)
